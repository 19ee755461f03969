// Owner of the model's worker: a thread of its own, so that no page of the extension waits, started
// by the first page and ended when none came for a while, as it holds some hundred megabytes.

const IDLE = 60_000; // milliseconds

export class ModelHost {
  /** @param {() => void} onIdle called when the worker was ended */
  constructor(onIdle = () => {}) {
    this.worker = null;
    this.waiting = new Map();
    this.count = 0;
    this.timer = 0;
    this.onIdle = onIdle;
  }

  /** Return the probability of each leaf that it is main content. */
  judge(page) {
    clearTimeout(this.timer);
    this.worker ??= this.start();
    this.count += 1;
    const id = this.count;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, page });
    });
  }

  start() {
    const worker = new Worker("model_worker.js", { type: "module" });
    worker.onmessage = ({ data: { id, probabilities, error } }) => {
      const { resolve, reject } = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) resolve(probabilities);
      else reject(new Error(error));
      if (!this.waiting.size) this.timer = setTimeout(() => this.retire(), IDLE);
    };
    worker.onerror = (event) => this.stop(new Error(event.message || "the model does not start"));
    return worker;
  }

  retire() {
    this.stop(new Error("the model was stopped"));
    this.onIdle();
  }

  stop(error) {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
