// Chromium: the model runs in an offscreen document, as WebAssembly fails in a service worker.

import { ask } from "./messages.js";

const OFFSCREEN = "offscreen.html";
const ALIVE = 20_000; // milliseconds: a service worker is ended when it called nothing for 30 s
let opening = null;

/** Return the probability of each leaf that it is main content. */
export async function judge(page) {
  const timer = setInterval(() => chrome.runtime.getPlatformInfo(), ALIVE);
  try {
    return await askModel(page);
  } catch {
    return await askModel(page); // the document may have closed itself between question and answer
  } finally {
    clearInterval(timer);
  }
}

async function askModel(page) {
  await open();
  return ask("model", "judge", { page });
}

async function open() {
  const [there] = await chrome.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] });
  if (there) return;
  opening ??= chrome.offscreen.createDocument({
    url: OFFSCREEN,
    reasons: ["WORKERS"],
    justification: "Runs the model that tells main content from the rest of a page.",
  }).finally(() => { opening = null; });
  await opening;
}
