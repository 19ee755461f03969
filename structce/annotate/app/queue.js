// The list of pages in the order in which to label them.

export class Queue {
  constructor(element, setup, open) {
    this.element = element;
    this.rows = setup.queue;
    element.addEventListener("click", (event) => {
      const row = event.target.closest("[data-id]");
      if (row) open(row.dataset.id);
    });
    this.draw();
  }

  draw() {
    this.element.replaceChildren(...this.rows.map((row) => {
      const button = document.createElement("button");
      button.className = "entry";
      button.dataset.id = row.id;
      button.classList.toggle("done", row.done);
      button.classList.toggle("begun", row.begun && !row.done);
      const name = document.createElement("span");
      name.textContent = row.id;
      const site = document.createElement("small");
      site.textContent = row.site;
      button.append(name, site);
      return button;
    }));
  }

  show(id) {
    for (const one of this.element.children) {
      const isHere = one.dataset.id === id;
      one.setAttribute("aria-current", String(isHere));
      if (isHere) one.scrollIntoView({ block: "nearest" });
    }
  }

  mark(id, isDone) {
    const at = this.rows.findIndex((row) => row.id === id);
    if (at < 0) return;
    this.rows[at].done = isDone;
    this.element.children[at].classList.toggle("done", isDone);
  }

  has(id) {
    return this.rows.some((row) => row.id === id);
  }

  // The first page after `id` that is not done, from the beginning again if need be.
  next(id) {
    const at = this.rows.findIndex((row) => row.id === id);
    const after = [...this.rows.slice(at + 1), ...this.rows.slice(0, Math.max(0, at))];
    return after.find((row) => !row.done) || (id === null ? this.rows[0] : undefined);
  }

  neighbour(id, step) {
    return this.rows[this.rows.findIndex((row) => row.id === id) + step];
  }

  counts() {
    return { done: this.rows.filter((row) => row.done).length, all: this.rows.length };
  }
}
