// The list of pages in the order in which to label them, and what labelling took so far.
import { get } from "./api.js";

const ORDER_NAMES = { given: "as given", site: "by site", unsure: "least sure first" };
const make = (name, className = "", text = "") => {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
};

export class Queue {
  constructor(element, setup, open) {
    this.element = element;
    this.rows = setup.queue;
    this.order = setup.order;
    this.list = make("div", "entries");
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-id]");
      if (!row) return;
      if (event.detail) row.blur(); // keys are for the page then
      open(row.dataset.id);
    });
    const select = make("select");
    select.id = "order";
    for (const order of setup.orders) {
      const option = make("option", "", ORDER_NAMES[order] || order);
      option.value = order;
      option.selected = order === this.order;
      select.append(option);
    }
    select.addEventListener("change", () => { this.order = select.value; select.blur(); this.refresh(); });
    const label = make("label", "order", "Pages ");
    label.append(select);
    this.model = make("p", "model");
    const link = make("a", "button", "Agreement of annotators");
    link.href = "/agreement";
    const foot = make("div", "foot");
    foot.append(this.model, link);
    element.replaceChildren(label, this.list, foot);
    this.draw();
  }

  // Asks for the order anew: others may be done with pages meanwhile.
  async refresh() {
    const { queue } = await get(`/api/queue?order=${this.order}`);
    this.rows = queue;
    this.draw();
    this.show(this.here);
    this.showProgress(await get("/api/progress"));
  }

  draw() {
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.id : "";
    this.list.replaceChildren(...this.rows.map((row) => {
      const button = make("button", "entry");
      button.dataset.id = row.id;
      button.classList.toggle("done", row.done);
      button.classList.toggle("begun", row.begun && !row.done);
      button.classList.toggle("taken", Boolean(row.holder));
      const others = row.done_by.length > 1 || (row.done_by.length && !row.done);
      const note = row.holder ? ` · with ${row.holder}`
        : others ? ` · done by ${row.done_by.join(", ")}` : row.same ? " · for all" : "";
      button.title = row.id;
      button.append(make("span", "", row.id), make("small", "", row.site + note));
      return button;
    }));
    if (focused) [...this.list.children].find(({ dataset }) => dataset.id === focused)?.focus();
  }

  show(id) {
    this.here = id;
    for (const one of this.list.children) {
      const isHere = one.dataset.id === id;
      one.setAttribute("aria-current", String(isHere));
      if (isHere && !this.element.hidden) {
        const [list, box] = [this.list.getBoundingClientRect(), one.getBoundingClientRect()];
        if (box.top < list.top || box.bottom > list.bottom) this.list.scrollTop += box.top - list.top - 80;
      }
    }
  }

  mark(id, isDone) {
    const at = this.rows.findIndex((row) => row.id === id);
    if (at < 0) return;
    this.rows[at].done = isDone;
    this.list.children[at].classList.toggle("done", isDone);
  }

  has(id) {
    return this.rows.some((row) => row.id === id);
  }

  // The first page after `id` that is neither done nor another's, from the beginning again if need
  // be; in the order of doubt always the first.
  next(id) {
    const at = this.order === "unsure" ? -1 : this.rows.findIndex((row) => row.id === id);
    const after = [...this.rows.slice(at + 1), ...this.rows.slice(0, Math.max(0, at))];
    return after.find((row) => !row.done && !row.holder && row.id !== id);
  }

  first() {
    return this.next(null) || this.rows[0];
  }

  neighbour(id, step) {
    return this.rows[this.rows.findIndex((row) => row.id === id) + step];
  }

  // Pages that are this annotator's to label, and how many of them are done.
  counts() {
    const mine = this.rows.filter((row) => !row.holder);
    return { done: mine.filter((row) => row.done).length, all: mine.length };
  }

  showProgress({ model, is_training: isTraining, every, problem }) {
    const next = every ? ` Trains after every ${every} pages.` : "";
    this.model.textContent = problem
      || `Proposals: ${model === "none" ? "none" : model}.${isTraining ? " Training now …" : next}`;
  }
}
