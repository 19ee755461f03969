// Document of a test package (Gottron 2007): the page, the main content that a person selected in it,
// and what the person says of it. The selection itself is the gold; no label of the network is in it.

import { copyOf, fileName } from "./labelled_page.js";

/**
 * Return the three files of a document, by name and text.
 *
 * @param {Document} page
 * @param {{language: string, isFragmented: boolean, hasSeveral: boolean}} said
 * @throws {Error} if no text is selected
 */
export function selectedDocument(page, { language, isFragmented, hasSeveral }) {
  const text = selectedText(page.getSelection());
  if (!text) throw new Error("no text is selected in the page");
  const name = fileName(page.location.href, page.title, "");
  const yesOrNo = (flag) => (flag ? "yes" : "no");
  const facts = {
    url: page.location.href,
    language: language.trim(),
    fragmented: yesOrNo(isFragmented),
    "several articles": yesOrNo(hasSeveral),
    encoding: "utf-8",
  };
  const known = Object.entries(facts).filter(([, value]) => value);
  return [
    { name: `${name}.html`, text: `<!doctype html>\n${copyOf(page).outerHTML}\n` },
    { name: `${name}.txt`, text: `${text}\n` },
    { name: `${name}.meta`, text: known.map(([key, value]) => `${key}: ${oneLine(value)}\n`).join("") },
  ];
}

/** Return the selected text as it is shown, a line a block, without empty lines. */
function selectedText(selection) {
  const lines = (selection?.toString() ?? "").split("\n").map(oneLine);
  return lines.filter(Boolean).join("\n");
}

const oneLine = (text) => text.replace(/\s+/g, " ").trim();
