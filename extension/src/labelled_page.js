// Labelled page: the page as it stands in the tab, with a comment before each text leaf that says
// whether it is main content. Comments change no element, no address and no style, so the page can
// be had back without them; `structce corpus import labelled-pages` reads such files.

import { ELEMENT, TEXT } from "./dom.js";
import { textLeaves } from "./leaves.js";

const FORMAT = 1;

/** Elements with leaves whose text is not parsed: a comment in them would be shown. */
const RAW = new Set(["plaintext", "xmp"]);

/**
 * Return the file of a labelled page and a name for it.
 *
 * @param {PageState} state
 * @param {{url: string, title: string, model: string}} facts
 */
export function labelledPage(state, { url, title, model }) {
  const { page, tree, threshold } = state;
  const labels = new Map();
  state.leaves.forEach(({ nodes }, i) => {
    labels.set(nodes[0], state.probabilities[i] >= threshold ? "content" : "boilerplate");
  });
  const copy = inertCopy(page);
  const inert = copy.ownerDocument;
  removeOurs(inert, copy);
  const live = textLeaves(tree, page.documentElement);
  const copied = textLeaves(tree, copy);
  live.forEach(({ nodes, path }, i) => {
    const label = labels.get(nodes[0]);
    const first = copied[i].nodes[0];
    if (label && !RAW.has(path.at(-1))) {
      tree.parentOf(first).insertBefore(inert.createComment(`structce ${label}`), first);
    }
  });
  makeWritable(copy);
  const facts = { format: FORMAT, url, model, threshold, saved: new Date().toISOString() };
  const head = `<!doctype html>\n<!--structce-page ${jsonForComment(facts)}-->\n`;
  return { name: fileName(url, title), html: `${head}${copy.outerHTML}\n` };
}

/** Return a copy of the root element of a page that parses again as it stands in the tab. */
export function copyOf(page) {
  const copy = inertCopy(page);
  makeWritable(copy);
  return copy;
}

/** Return a copy of the root element where no script and no element wakes up. */
const inertCopy = (page) => page.implementation.createHTMLDocument("").importNode(page.documentElement, true);

function makeWritable(copy) {
  for (const element of copy.querySelectorAll("noscript")) unpack(element);
  for (const element of copy.querySelectorAll("pre, listing")) keepFirstLine(element);
}

/** Take out comments that only look like ours, as of a page that was saved before. */
function removeOurs(inert, copy) {
  const comments = inert.createNodeIterator(copy, NodeFilter.SHOW_COMMENT);
  for (let node = comments.nextNode(); node; node = comments.nextNode()) {
    if (/^structce[ -]/.test(node.data)) node.data = `no ${node.data}`;
  }
}

/** Parse what a noscript element holds: with scripts on it is one text, which would be escaped. */
function unpack(element) {
  if (![...element.childNodes].some((node) => node.nodeType === ELEMENT)) element.innerHTML = element.textContent;
}

/** Double a line break at the beginning, since parsers drop one. */
function keepFirstLine(element) {
  const text = [...element.childNodes].find((node) => node.nodeType === TEXT);
  if (text?.data.startsWith("\n")) text.data = `\n${text.data}`;
}

/** Return a value as JSON that ends no comment. */
export const jsonForComment = (value) =>
  JSON.stringify(value).replace(/[-<>]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);

export function fileName(url, title, ending = ".labelled.html") {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  const words = title.normalize("NFKD").toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = [host.replace(/^www\./, ""), ...words].filter(Boolean).join("-").slice(0, 80);
  return `${name.replace(/^[.-]+|[.-]+$/g, "") || "page"}${ending}`;
}
