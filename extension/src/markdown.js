// Markdown of some text leaves: headings, paragraphs, lists, quotations, code, rows of tables, and
// in them links and emphasis. Written from the leaves alone, so only what is highlighted is in it.

const BLOCKS = new Set(
  ("address article aside blockquote body caption center dd details dialog div dl dt fieldset " +
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup html li main menu nav ol p pre " +
    "search section summary table tbody tfoot thead tr ul").split(" "),
);
const LISTS = new Set(["menu", "ol", "ul"]);
const CELLS = new Set(["td", "th"]);
const MARKS = { strong: "**", b: "**", em: "_", i: "_", code: "`", kbd: "`", samp: "`", del: "~~", s: "~~" };
const SAFE = /^(https?|mailto):/i;

/**
 * Return the Markdown of text leaves.
 *
 * @param {object} tree functions by which nodes are read (dom.js)
 * @param {{nodes: Text[], text: string, gap: string}[]} leaves in document order
 * @param {string} base address against which links are resolved
 */
export function markdownOf(tree, leaves, base) {
  const blocks = [];
  for (const leaf of leaves) {
    const { around, block } = surroundings(tree, leaf.nodes[0]);
    const last = blocks.at(-1);
    const pieces = last?.block === block ? last.pieces : [];
    if (last?.block !== block) blocks.push({ block, pieces, around });
    pieces.push({ leaf, inline: inlineOf(tree, around, base) });
  }
  const numbers = new Map();
  const written = blocks.map(({ block, around, pieces }) => blockText(tree, block, around, pieces, numbers));
  return join(written.filter(({ text }) => text));
}

/** Return the elements around a text inside its block, outermost first, and the block. */
function surroundings(tree, node) {
  const around = [];
  let above = tree.parentOf(node);
  while (above && !BLOCKS.has(nameOf(tree, above))) {
    around.unshift(above);
    above = tree.parentOf(above);
  }
  return { around, block: above };
}

const nameOf = (tree, node) => (tree.kindOf(node) === 1 ? tree.nameOf(node).toLowerCase() : "");

/** Return what opens and closes a text: its emphasis, its link and its cell. */
function inlineOf(tree, around, base) {
  const marks = [];
  let link = null;
  let cell = null;
  for (const node of around) {
    const name = nameOf(tree, node);
    const mark = MARKS[name];
    if (mark && !marks.includes(mark)) marks.push(mark);
    if (name === "a") link = { node, address: addressOf(tree, node, base) };
    if (CELLS.has(name)) cell = node;
  }
  return { marks, link, cell };
}

function addressOf(tree, node, base) {
  const written = tree.attributeOf(node, "href");
  if (written === null) return "";
  try {
    const { href } = new URL(written, base);
    return SAFE.test(href) ? href.replace(/[()\s<>]/g, (c) => `%${c.charCodeAt(0).toString(16)}`) : "";
  } catch {
    return "";
  }
}

/** Return the Markdown of one block and the prefix of its lines. */
function blockText(tree, block, around, pieces, numbers) {
  const above = [];
  for (let node = block; node; node = tree.parentOf(node)) above.unshift(node);
  const names = above.map((node) => nameOf(tree, node));
  if (names.includes("pre")) {
    const code = pieces.map(({ leaf }) => (leaf.gap === "line" ? "\n" : "") + leaf.text).join("");
    return { text: fenced(code.replace(/^\n|\s+$/g, "")), prefix: "" };
  }
  const text = inlineText(pieces);
  const heading = /^h([1-6])$/.exec(names.at(-1));
  const item = names.lastIndexOf("li");
  const quotes = "> ".repeat(names.filter((name) => name === "blockquote").length);
  if (heading) return { text: `${"#".repeat(Number(heading[1]))} ${text.replace(/\n/g, " ")}`, prefix: quotes };
  if (item < 0) return { text: guardLine(text), prefix: quotes };
  const bullet = bulletOf(tree, above, names, item, numbers);
  const list = above[names.findIndex((name) => LISTS.has(name))];
  return { text: guardLine(text), prefix: quotes, list, ...bullet };
}

/** Return the indentation of a list item, and its sign if this is the first block in it. */
function bulletOf(tree, above, names, item, numbers) {
  const lists = names.slice(0, item).filter((name) => LISTS.has(name));
  const indent = "    ".repeat(Math.max(0, lists.length - 1));
  const known = numbers.get(above[item]);
  if (known) return { indent: `${indent}    `, sign: "" };
  const list = above[item - 1];
  const n = (numbers.get(list) ?? 0) + 1;
  numbers.set(list, n);
  numbers.set(above[item], n);
  return { indent, sign: names[item - 1] === "ol" ? `${n}. ` : "- " };
}

/** Return the pieces of a block as one text. */
function inlineText(pieces) {
  const line = new InlineText();
  for (const { leaf, inline } of pieces) line.add(leaf, inline);
  line.close();
  return line.text.replace(/ {2,}/g, " ").replace(/\n /g, "\n").trim();
}

/** Text that grows piece by piece; neighbours with the same marks stand under one. */
class InlineText {
  constructor() {
    this.text = "";
    this.open = { marks: [], link: null, cell: null };
  }

  add({ text, gap }, inline) {
    const isCode = inline.marks.includes("`");
    const words = text.replace(/\s+/g, " ");
    if (this.text && !this.isOpen(inline)) this.close();
    this.separate(gap, words, inline);
    if (!this.text || !this.isOpen(inline)) {
      this.open = inline;
      this.text += (inline.link?.address ? "[" : "") + inline.marks.join("");
    }
    this.text += isCode ? words.trim() : escapeText(words.trim());
    if (words.endsWith(" ")) this.text += " ";
  }

  isOpen({ marks, link, cell }) {
    const { open } = this;
    return link?.node === open.link?.node && cell === open.cell && marks.join() === open.marks.join();
  }

  /** Write what stands between two pieces: nothing, a space, a line break or the border of a cell. */
  separate(gap, words, { cell }) {
    if (!this.text) return;
    if (cell !== this.open.cell) this.text = `${this.text.trimEnd()} | `;
    else if (gap === "line") this.text = `${this.text.trimEnd()}\\\n`;
    else if (gap === "space" || words.startsWith(" ")) this.text += " ";
  }

  /** End the marks and the link that are open, before the white space behind them. */
  close() {
    const words = this.text.trimEnd();
    const { marks, link } = this.open;
    const end = [...marks].reverse().join("") + (link?.address ? `](${link.address})` : "");
    this.text = words + end + this.text.slice(words.length);
    this.open = { ...this.open, marks: [], link: null };
  }
}

const escapeText = (text) => text.replace(/[\\`*_[\]<>~|]/g, "\\$&");

/** Return a text whose first letters start no heading, list or quotation. */
const guardLine = (text) =>
  text.replace(/^(?:#{1,6}(?=\s)|[-+](?=\s)|=+$|-+$)/gm, "\\$&").replace(/^(\d+)([.)])(?=\s)/gm, "$1\\$2");

function fenced(code) {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}

/** Return blocks as a document: items of a list on lines of their own, blank lines elsewhere. */
function join(blocks) {
  let result = "";
  blocks.forEach((block, i) => {
    const { text, prefix, list, indent = "", sign = "" } = block;
    const isNextItem = sign && list && blocks[i - 1]?.list === list;
    if (i) result += isNextItem ? "\n" : `\n${prefix.trimEnd()}\n`;
    const hang = " ".repeat(sign.length);
    result += text.split("\n").map((line, n) => `${prefix}${indent}${n ? hang : sign}${line}`).join("\n");
  });
  return result ? `${result}\n` : "";
}
