// Content script: answers the popup and the background for the page of its tab.

import { browserTree } from "./dom.js";
import { labelledPage } from "./labelled_page.js";
import { markdownOf } from "./markdown.js";
import { PageState } from "./page_state.js";
import { selectedDocument } from "./selected_document.js";

const ANSWERS = {
  read: (state) => state.read(),
  show: (state, { probabilities, threshold }) => state.show(probabilities, threshold),
  threshold: (state, { threshold }) => state.setThreshold(threshold),
  undo: (state) => state.undo(),
  summary: (state) => state.summary(),
  markdown: (state) => markdownOf(state.tree, state.content(), document.baseURI),
  save: (state, { model }) => labelledPage(state, { url: location.href, title: document.title, model }),
  language: () => document.documentElement.lang,
  select: (state, said) => selectedDocument(document, said),
};

// A script that is injected again finds the state of the first.
if (!globalThis.structce) {
  globalThis.structce = new PageState(document, browserTree());
  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    if (message.to !== "page" || sender.id !== chrome.runtime.id) return false;
    try {
      respond({ value: ANSWERS[message.type](globalThis.structce, message) });
    } catch (error) {
      respond({ error: error.message });
    }
    return false;
  });
}
