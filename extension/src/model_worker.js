// Worker: one model, one page after the other.

import { Model } from "./model.js";

const loading = Model.load((path) => new URL(path, globalThis.location.href).href);

globalThis.onmessage = async ({ data: { id, page } }) => {
  try {
    const model = await loading;
    globalThis.postMessage({ id, probabilities: await model.judge(page) });
  } catch (error) {
    globalThis.postMessage({ id, error: error.message });
  }
};
