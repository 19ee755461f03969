// Readability.js and Defuddle: one JSON request a line in, one answer a line out.
// Usage: node worker.mjs SYSTEM; the packages come from the folder in NODE_MODULES.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { join } from "node:path";

const system = process.argv[2];
const require = createRequire(join(process.env.NODE_MODULES, "worker.cjs"));

function readability() {
  const { JSDOM, VirtualConsole } = require("jsdom");
  const { Readability } = require("@mozilla/readability");
  return async (html, url) => {
    const dom = new JSDOM(html, { url, virtualConsole: new VirtualConsole() });
    const found = new Readability(dom.window.document).parse();
    dom.window.close();
    return found
      ? { title: found.title, byline: found.byline, date: found.publishedTime, html: found.content }
      : {};
  };
}

async function defuddle() {
  const { parseHTML } = require("linkedom");
  const { Defuddle } = await import(join(process.env.NODE_MODULES, "defuddle/dist/node.js"));
  return async (html, url) => {
    const { document } = parseHTML(html);
    const found = await Defuddle(document, url, { useAsync: false });
    return { title: found.title, byline: found.author, date: found.published, html: found.content };
  };
}

const extract = await { "readability.js": readability, defuddle }[system]();

async function answer(request) {
  const start = process.cpuUsage();
  let found;
  try {
    found = await extract(request.html, request.url || "https://page.example/");
  } catch (error) {
    found = { error: `${error.name}: ${error.message}`.slice(0, 300) };
  }
  const used = process.cpuUsage(start);
  return { ...found, ms: (used.user + used.system) / 1000 };
}

for (const name of ["log", "info", "warn", "error", "debug"]) console[name] = () => {};
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  process.stdout.write(JSON.stringify(await answer(JSON.parse(line))) + "\n");
}
