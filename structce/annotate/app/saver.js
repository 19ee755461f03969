// Sends actions one after the other. What could not be sent waits, also over a reload of the page,
// and is sent again with the same key, so that it counts once. It also waits while nobody is signed
// in: a server that was started anew knows no session.
import { pagePath, post } from "./api.js";

const STORE = "structce-unsaved";
const RETRY = 1500; // milliseconds

const isPassing = (status) => status === 0 || status === 401 || status >= 500;

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

  // Whether something would be lost with the tab.
  get isUnsaved() {
    return this.hasFailed && this.waiting.length > 0;
  }

  reason({ message, status }) {
    const n = this.waiting.length;
    const waits = n > 1 ? `${n} actions wait and are` : "1 action waits and is";
    const step = status ? "" : ` If the command has ended, start it again with --port ${location.port}.`;
    return `Not saved: ${message}. ${waits} sent again.${step}`;
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
        if (isPassing(error.status)) {
          this.hasFailed = true;
          this.handlers.failed(this.reason(error));
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
