// Markdown of texts that are main content.

import assert from "node:assert/strict";
import { test } from "node:test";

import { textLeaves } from "../../extension/src/leaves.js";
import { markdownOf } from "../../extension/src/markdown.js";
import { rootOf, TREE } from "./tree.mjs";

const BASE = "https://post.example/town/1";
const markdown = (html, isKept = () => true) =>
  markdownOf(TREE, textLeaves(TREE, rootOf(html)).filter(isKept), BASE);

const CASES = [
  ["headings and paragraphs", "<h1>No\n ferry</h1><p>One.</p><h3>Two</h3>three", "# No ferry\n\nOne.\n\n### Two\n\nthree\n"],
  ["links are made whole", "<p>See <a href='../b?x=1'>the boats</a>, <a href='#top'>top</a>.", "See [the boats](https://post.example/b?x=1), [top](https://post.example/town/1#top).\n"],
  ["addresses that run code are left out", "<p><a href='javascript:f()'>One</a> <a href='data:,x'>two</a> <a>three</a>", "One two three\n"],
  ["brackets and spaces in addresses", "<p><a href='/a (b)'>One</a>", "[One](https://post.example/a%20%28b%29)\n"],
  ["emphasis", "<p>a<b>b</b>c <i>d</i> <strong>e <em>f</em></strong>.", "a**b**c _d_ **e** **_f_**.\n"],
  ["space inside emphasis stands outside", "<p>a<b> b </b>c", "a **b** c\n"],
  ["code in a line", "<p>Type <code>a*b</code>.", "Type `a*b`.\n"],
  ["signs of Markdown are escaped", "<p>2*3 [x] _y_ a|b \\", "2\\*3 \\[x\\] \\_y\\_ a\\|b \\\\\n"],
  ["a line that looks like a list or a heading", "<p># One</p><p>- two</p><p>3. three</p><p>3.5 four", "\\# One\n\n\\- two\n\n3\\. three\n\n3.5 four\n"],
  ["line breaks", "<p>One<br>two<br> three", "One\\\ntwo\\\nthree\n"],
  ["lists", "<ul><li>One<li>two <b>x</b></ul><ol><li>a<li>b</ol>", "- One\n- two **x**\n\n1. a\n2. b\n"],
  ["lists in lists", "<ul><li>One<ol><li>a</ol><li>two</ul>", "- One\n    1. a\n- two\n"],
  ["paragraphs of an item", "<ul><li><p>One</p><p>two</p></li></ul>", "- One\n\n    two\n"],
  ["quotations", "<blockquote><p>One</p><p>two</p></blockquote><p>three", "> One\n>\n> two\n\nthree\n"],
  ["code keeps its lines", "<pre><code>a = 1\n  b *= ``` \n</code></pre>", "````\na = 1\n  b *= ```\n````\n"],
  ["a row of a table is a line", "<table><tr><td>One<td><b>two</b><tr><td>three", "One | **two**\n\nthree\n"],
  ["nothing", "<img>", ""],
];

for (const [name, html, expected] of CASES) {
  test(name, () => assert.equal(markdown(html), expected));
}

test("only texts that are kept are written", () => {
  const html = "<h1>Title</h1><p>One <a href='/x'>ad</a> two.</p><nav>menu</nav>";
  assert.equal(markdown(html, ({ text }) => !["ad", "menu"].includes(text)), "# Title\n\nOne two.\n");
});
