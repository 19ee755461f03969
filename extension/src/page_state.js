// What the extension knows of the page in its tab: leaves, their probabilities, and which of them
// are shown as main content. The page's own tree is never changed: highlights are ranges that the
// browser paints (CSS Custom Highlight API), so no script of the page sees or loses anything.

import { countWords, textLeaves } from "./leaves.js";

/** Name of the highlight, as highlight.css has it. */
export const HIGHLIGHT = "structce-content";

/** Most leaves that are judged: memory and time grow with them, and pages may be without end. */
export const MAX_LEAVES = 50_000;

export class PageState {
  /**
   * @param {Document} page
   * @param {object} tree functions by which nodes are read (dom.js)
   */
  constructor(page, tree) {
    this.page = page;
    this.tree = tree;
    this.leaves = [];
    this.probabilities = [];
    this.threshold = 0.5;
    this.isShown = false;
    this.nLeftOut = 0;
  }

  /** Read the leaves anew; return texts and paths, each path once. */
  read() {
    const all = textLeaves(this.tree, this.page.documentElement);
    this.nLeftOut = Math.max(0, all.length - MAX_LEAVES);
    this.leaves = all.slice(0, MAX_LEAVES);
    this.probabilities = [];
    const numbers = new Map();
    const paths = [];
    const pathOf = this.leaves.map(({ path }) => {
      const key = path.join(" ");
      if (!numbers.has(key)) numbers.set(key, paths.push(path) - 1);
      return numbers.get(key);
    });
    return { texts: this.leaves.map(({ text }) => text), paths, pathOf };
  }

  /** Highlight the leaves whose probability is at least the threshold, and go to the first. */
  show(probabilities, threshold) {
    this.probabilities = probabilities;
    const summary = this.setThreshold(threshold);
    const first = this.content()[0]?.nodes[0].parentElement;
    // A form may hide its own function behind a field of the same name.
    if (first && !isInSight(first)) Element.prototype.scrollIntoView.call(first, { block: "center" });
    return summary;
  }

  setThreshold(threshold) {
    this.threshold = threshold;
    const ranges = this.content().flatMap(({ nodes }) => nodes.map(rangeOf));
    CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
    this.isShown = true;
    return this.summary();
  }

  undo() {
    CSS.highlights.delete(HIGHLIGHT);
    this.isShown = false;
    return this.summary();
  }

  /** Return the leaves that are main content and still stand in the page. */
  content() {
    return this.leaves.filter(
      ({ nodes }, i) => this.probabilities[i] >= this.threshold && nodes.every((n) => n.isConnected),
    );
  }

  summary() {
    const content = this.content();
    const nWords = content.reduce((sum, { text }) => sum + countWords(text), 0);
    return {
      isShown: this.isShown,
      isJudged: this.probabilities.length > 0,
      nLeaves: this.leaves.length,
      nLeftOut: this.nLeftOut,
      nContent: content.length,
      nWords,
      threshold: this.threshold,
    };
  }
}

function rangeOf(node) {
  return new StaticRange({
    startContainer: node, startOffset: 0, endContainer: node, endOffset: node.length,
  });
}

/** Whether an element begins in the window. */
function isInSight(node) {
  const { top } = Element.prototype.getBoundingClientRect.call(node);
  return top >= 0 && top < globalThis.innerHeight;
}
