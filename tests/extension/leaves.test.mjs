// Leaves and columns in JavaScript, on trees that a parser of the HTML standard makes.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { countWords, leafWords, textLeaves } from "../../extension/src/leaves.js";
import { Vocabulary } from "../../extension/src/vocabulary.js";
import { rootOf, TREE } from "./tree.mjs";

const pages = JSON.parse(await readFile(`${import.meta.dirname}/pages.json`, "utf8"));

for (const { name, html, leaves } of pages) {
  test(name, () => {
    const found = textLeaves(TREE, rootOf(html));
    assert.deepEqual(found.map(({ text, path }) => ({ text, path, words: leafWords(text) })), leaves);
  });
}

test("text nodes that follow one another are one leaf, as a parser would make one of them", () => {
  const root = rootOf("<p>One</p>");
  const [paragraph] = root.childNodes[1].childNodes;
  const [first] = paragraph.childNodes;
  paragraph.childNodes.push({ nodeName: "#text", value: "two", parentNode: paragraph });
  const [leaf, ...others] = textLeaves(TREE, root);
  assert.deepEqual([leaf.text, leaf.nodes[0], others.length], ["Onetwo", first, 0]);
});

test("words are counted as a reader does, also in scripts without spaces", () => {
  const texts = ["The ferry's  crew – 3 men.", "渡轮停航，", "渡轮 2026 stops。", "船は", " … ", ""];
  assert.deepEqual(texts.map(countWords), [5, 4, 4, 2, 0, 0]);
});

test("a leaf tells what stands before it", () => {
  const leaves = textLeaves(TREE, rootOf("<p>a<b>b</b> <i>c</i><br> <u>d</u>e"));
  assert.deepEqual(leaves.map(({ gap }) => gap), ["", "", "space", "line", ""]);
});

test("columns count listed tags and words, and all others in two columns", () => {
  const vocabulary = new Vocabulary({ tags: ["p", "b"], words: ["the", "."] });
  const page = { texts: ["The the ferry.", "x"], paths: [["html", "p"], ["html", "p", "b", "b"]], pathOf: [0, 1] };
  assert.equal(vocabulary.nColumns, 6);
  assert.deepEqual([...vocabulary.encode(page)], [1, 1, 0, 1, 2, 1, 1, 1, 2, 1, 0, 0]);
});
