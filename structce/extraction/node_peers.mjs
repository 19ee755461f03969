// Readability.js and Defuddle: HTML on standard input, HTML of the main content on standard output.
// Usage: node node_peers.mjs NAME; NODE_MODULES is the folder of the packages, PAGE_URL the address.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.env.NODE_MODULES;
const load = createRequire(join(folder, "package.cjs"));
const url = process.env.PAGE_URL || "https://page.example/";

const systems = {
  "readability-js": (html) => {
    const { JSDOM, VirtualConsole } = load("jsdom");
    const { Readability } = load("@mozilla/readability");
    const { window } = new JSDOM(html, { url, virtualConsole: new VirtualConsole() });
    return new Readability(window.document).parse()?.content;
  },
  defuddle: async (html) => {
    const { parseHTML } = load("linkedom");
    const { Defuddle } = await import(pathToFileURL(join(folder, "defuddle/dist/node.js")));
    return (await Defuddle(parseHTML(html).document, url, { useAsync: false })).content;
  },
};

for (const name of ["log", "info", "debug", "warn"]) console[name] = () => {};
const content = await systems[process.argv[2]](readFileSync(0, "utf-8"));
process.stdout.write(content ?? "");
