// Text leaves of a page and their words: what BoilerNet judges, as structce.extraction.boilernet
// defines it. leaf_rules.json has the constants of both sides, tests/extension a fixture of pages.

import { ELEMENT, TEXT } from "./dom.js";
import rules from "./leaf_rules.json" with { type: "json" };

/** Elements whose text nodes are no leaves, at whatever depth. */
export const SKIPPED = new Set(rules.skipped);

const MARK = new RegExp(`[^${rules.spaces}]`);
const LETTERS = "\\p{L}\\p{N}_";
const WORD = new RegExp(
  `[${rules.unspaced}]|(?:(?![${rules.unspaced}])[${LETTERS}])+|[^${LETTERS}${rules.spaces}]`, "gu",
);

/**
 * Return the text leaves below an element, in document order.
 *
 * A leaf is a text node with a character that is no white space, in no skipped element. Text nodes
 * that follow one another, as scripts and very long texts leave them, are one leaf, as a parser
 * would make one of them. Shadow trees, documents in frames and the content of templates are no
 * children of an element, so they are left alone.
 *
 * @param {object} tree functions by which nodes are read (dom.js)
 * @param {Node} root
 * @returns {{nodes: Text[], text: string, path: string[], gap: string}[]} the text nodes of each
 *   leaf, their text, the names of the elements around from the root down, and what stands before:
 *   "", "space" or "line"
 */
export function textLeaves(tree, root) {
  const { kindOf, nameOf, dataOf, parentOf, firstOf, nextOf } = tree;
  const leaves = [];
  const path = [];
  let run = [];
  let gap = "";
  const endRun = () => {
    if (!run.length) return;
    const text = run.map(dataOf).join("");
    if (MARK.test(text)) {
      leaves.push({ nodes: run, text, path: [...path], gap });
      gap = "";
    } else {
      gap ||= "space";
    }
    run = [];
  };
  let node = root;
  while (node) {
    const kind = kindOf(node);
    if (kind === TEXT) run.push(node);
    else endRun();
    if (kind === ELEMENT) {
      const name = nameOf(node).toLowerCase();
      if (name === "br") gap = "line";
      const first = SKIPPED.has(name) ? null : firstOf(node);
      if (first) {
        path.push(name);
        node = first;
        continue;
      }
    }
    while (node !== root && !nextOf(node)) {
      endRun();
      path.pop();
      node = parentOf(node);
    }
    node = node === root ? null : nextOf(node);
  }
  return leaves;
}

const READ = new RegExp(`[${rules.unspaced}]|(?:(?![${rules.unspaced}])\\S)+`, "gu");

/** Return how many words a reader counts: between spaces, or letter by letter in scripts without. */
export const countWords = (text) =>
  (text.match(READ) ?? []).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Return the words of a leaf in lower case: runs of letters and digits, and single signs. */
export const leafWords = (text) => text.toLowerCase().match(WORD) ?? [];
