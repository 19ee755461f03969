// Background: runs one highlighting from end to end, also when the popup is closed meanwhile.

import { judge } from "structce-judge";
import { answer, askPage } from "./messages.js";

answer("background", {
  async highlight({ tab, threshold }) {
    const start = performance.now();
    await inject(tab);
    const page = await askPage(tab, "read");
    const read = performance.now();
    const probabilities = await judge(page);
    const judged = performance.now();
    const summary = await askPage(tab, "show", { probabilities, threshold });
    const end = performance.now();
    return { ...summary, milliseconds: { read: read - start, model: judged - read, all: end - start } };
  },
});

async function inject(tab) {
  const target = { tabId: tab };
  await chrome.scripting.executeScript({ target, files: ["content.js"] });
  await chrome.scripting.insertCSS({ target, files: ["highlight.css"] });
}
