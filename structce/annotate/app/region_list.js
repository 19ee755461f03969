// The list of a page's texts, in step with the page. Rows are in groups; those far from the window
// cost nothing, since the browser leaves them out (content-visibility). It watches each group, so
// there must not be thousands of them.

const make = (name, className, text = "") => {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
};

const GROUP = 50; // rows

export class RegionList {
  constructor(element, handlers) {
    this.element = element;
    this.rows = [];
    element.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) handlers.click(Number(row.dataset.i), event);
    });
    element.addEventListener("auxclick", (event) => {
      const row = event.target.closest(".row");
      if (row) handlers.next(Number(row.dataset.i), event);
    });
    element.addEventListener("mousedown", (event) => { if (event.button === 1) event.preventDefault(); });
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("pointerover", (event) => {
      const row = event.target.closest(".row");
      handlers.hover(row ? Number(row.dataset.i) : -1);
    });
    element.addEventListener("pointerleave", () => handlers.hover(-1));
  }

  load(page, unseen) {
    const media = new Set(page.media);
    this.texts = page.texts.map((text) => text.toLowerCase());
    this.rows = page.texts.map((text, i) => {
      const row = make("div", media.has(i) ? "row media" : "row");
      row.id = `row-${i}`;
      row.dataset.i = i;
      row.setAttribute("role", "option");
      const words = make("bdi", "words", text.slice(0, 400) || page.tags[i]);
      row.append(make("span", "chip"), words, make("span", "sure"));
      row.title = `${page.tags[i]}${text.length > 400 ? ` · ${text.slice(0, 2000)}` : ""}`;
      return row;
    });
    this.media = media;
    this.texts.forEach((text, i) => this.rows[i].classList.toggle("unseen", unseen.has(i)));
    this.unseen = unseen;
    this.place = null; // where the list stood before a search
    this.shown = [];
    this.selected = new Set();
    this.cursor = -1;
    this.groups = [];
    for (let k = 0; k < this.rows.length; k += GROUP) {
      const group = make("div", "rows");
      group.setAttribute("role", "presentation");
      const rows = this.rows.slice(k, k + GROUP);
      group.style.containIntrinsicSize = `auto ${30 * rows.length}px`;
      group.append(...rows);
      this.groups.push(group);
    }
    this.element.classList.remove("filtered");
    this.element.replaceChildren(...this.groups);
    this.element.scrollTop = 0;
  }

  show({ labels, sources, confidence, selection, cursor, colours, background, unsure }) {
    labels.forEach((label, i) => {
      const mark = `${label} ${sources[i]} ${unsure.has(i) ? confidence[i] : ""}`;
      if (this.shown[i] === mark) return;
      this.shown[i] = mark;
      const [chip, , sure] = this.rows[i].children;
      const isBackground = label === background;
      chip.textContent = label === "?" ? "don't know" : label.replaceAll("|", " or ");
      chip.style.setProperty("--colour", colours.get(label.split("|")[0]) || "#8f1d14");
      const holdsNothing = !this.texts[i] || (this.media.has(i) && this.unseen.has(i));
      const isLeft = isBackground && sources[i] !== "h" && !unsure.has(i);
      this.rows[i].classList.toggle("empty", isLeft && holdsNothing);
      this.rows[i].classList.toggle("background", isBackground);
      this.rows[i].classList.toggle("proposed", sources[i] === "p");
      this.rows[i].classList.toggle("by-hand", sources[i] === "h");
      this.rows[i].classList.toggle("unsure", unsure.has(i));
      sure.textContent = unsure.has(i) ? `${confidence[i]} %` : sources[i] === "h" ? "✓" : "";
    });
    for (const i of this.selected) if (!selection.has(i)) this.select(i, false);
    for (const i of selection) this.select(i, true);
    this.selected = new Set(selection);
    if (this.cursor !== cursor) {
      this.rows[this.cursor]?.classList.remove("cursor");
      this.rows[cursor]?.classList.add("cursor");
      this.cursor = cursor;
    }
    this.element.setAttribute("aria-activedescendant", cursor >= 0 ? `row-${cursor}` : "");
  }

  select(i, isSelected) {
    this.rows[i]?.setAttribute("aria-selected", String(isSelected));
  }

  // Whether the list shows a region: neither left out by a search, nor an empty part of the background.
  isListed(i) {
    return Boolean(this.rows[i]) && !this.rows[i].hidden && !this.rows[i].classList.contains("empty");
  }

  reveal(i) {
    const row = this.rows[i];
    if (!row || row.hidden) return;
    for (let n = 0; n < 3; n += 1) { // heights of rows that were never shown are guessed at first
      const [list, box] = [this.element.getBoundingClientRect(), row.getBoundingClientRect()];
      if (box.top >= list.top && box.bottom <= list.bottom) return;
      this.element.scrollTop += box.top - list.top - list.height / 2;
    }
  }

  // Until two frames were drawn all rows are laid out: the browser would take the heights that groups
  // had in the search for those that they have.
  unfilter() {
    this.element.scrollTop = this.place ?? this.element.scrollTop;
    this.place = null;
    const end = () => { if (this.place === null) this.element.classList.remove("filtered"); };
    requestAnimationFrame(() => requestAnimationFrame(end));
  }

  // Shows the rows that hold a text alone; returns their regions, those that can be seen first. An
  // empty text shows all rows again, at the place where the list stood.
  filter(text) {
    const wanted = text.trim().toLowerCase();
    if (wanted) this.place ??= this.element.scrollTop;
    const found = [];
    this.texts.forEach((words, i) => {
      const fits = !wanted || words.includes(wanted);
      this.rows[i].hidden = !fits;
      if (fits) found.push(i);
    });
    if (wanted) this.element.classList.add("filtered");
    else this.unfilter();
    return found.sort((a, b) => this.unseen.has(a) - this.unseen.has(b) || a - b);
  }
}
