// Trees for tests: what a parser of the HTML standard makes of a source, read as dom.js reads those
// of a browser.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const required = createRequire(`${import.meta.dirname}/../../extension/package.json`);
const { parse } = await import(pathToFileURL(required.resolve("parse5")));

export const TREE = {
  kindOf: (node) => (node.nodeName === "#text" ? 3 : node.nodeName.startsWith("#") ? 8 : 1),
  nameOf: (node) => node.tagName,
  dataOf: (node) => node.value,
  parentOf: (node) => node.parentNode ?? null,
  firstOf: (node) => node.childNodes?.[0] ?? null,
  nextOf: (node) => {
    const around = node.parentNode.childNodes;
    return around[around.indexOf(node) + 1] ?? null;
  },
  attributeOf: (node, name) => node.attrs.find((one) => one.name === name)?.value ?? null,
};
/** Return the root element of a page. Templates have no children, also those of shadow trees. */
export const rootOf = (html) => parse(html).childNodes.find((node) => node.tagName === "html");
