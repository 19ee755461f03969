// Sends actions one after the other. What could not be sent waits, also over a reload of the page,
// and is sent again with the same key, so that it counts once.
import { pagePath, post } from "./api.js";

const STORE = "structce-unsaved";
const RETRY = 1500; // milliseconds

export class Saver {
  constructor(handlers) {
    this.handlers = handlers;
    this.waiting = JSON.parse(sessionStorage.getItem(STORE) || "[]");
    this.versions = new Map();
    this.running = null;
    this.hasFailed = false;
    if (this.waiting.length) this.run();
  }

  send(page, action, version) {
    if (!this.waiting.some((one) => one.page === page)) this.versions.set(page, version);
    this.waiting.push({ page, action });
    this.keep();
    this.run();
  }

  keep() {
    sessionStorage.setItem(STORE, JSON.stringify(this.waiting));
  }

  // Resolves when nothing waits: to whether all was saved.
  async idle() {
    await this.running;
    return !this.waiting.length;
  }

  run() {
    this.running ||= this.work().finally(() => { this.running = null; });
    return this.running;
  }

  async work() {
    while (this.waiting.length) {
      const { page, action } = this.waiting[0];
      const base = this.versions.get(page) ?? null;
      try {
        const state = await post(pagePath(page, "/act"), { ...action, base });
        this.versions.set(page, state.version);
        this.waiting.shift();
        this.keep();
        if (this.hasFailed) this.handlers.recovered();
        this.hasFailed = false;
        if (!this.waiting.length) this.handlers.saved(state);
      } catch (error) {
        if (error.status === 0 || error.status >= 500) {
          this.hasFailed = true;
          const n = this.waiting.length;
          this.handlers.failed(`Not saved: ${error.message}. ${n} ${n > 1 ? "actions wait and are" : "action waits and is"} sent again.`);
          await new Promise((resolve) => { setTimeout(resolve, RETRY); });
        } else {
          this.waiting = [];
          this.keep();
          await this.handlers.stale(error.message);
        }
      }
    }
  }
}
