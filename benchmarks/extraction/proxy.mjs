// HTTP proxy in Node with the main content of a page, for `structce benchmark --method proxy:HOST:PORT` and
// `method = "proxy:HOST:PORT"`: its longest paragraphs or, by Readability.js, its article.
//     node benchmarks/extraction/proxy.mjs 8099
//     NODE_MODULES=FOLDER node benchmarks/extraction/proxy.mjs 8099 readability
// FOLDER contains the packages of `npm install @mozilla/readability jsdom`.
import http from "node:http";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const FEWEST_WORDS = 10; // of a paragraph that belongs to the main content

function paragraphs(data, type) {
  const html = data.toString("latin1"); // bytes as they are, so that none is lost
  const plain = html.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, " ").replace(/<!--[\s\S]*?-->/g, " ");
  const found = plain.match(/<p\b[\s\S]*?(?=<\/p>|<p\b|<\/div>|<\/body>|$)/gi) ?? [];
  const long = found.filter((one) => one.replace(/<[^>]*>/g, " ").trim().split(/\s+/).length >= FEWEST_WORDS);
  return [Buffer.from(`<body>${long.map((one) => `${one}</p>`).join("\n")}</body>`, "latin1"), type];
}

function readability() {
  const load = createRequire(resolve(join(process.env.NODE_MODULES ?? "node_modules", "package.cjs")));
  const { JSDOM, VirtualConsole } = load("jsdom");
  const { Readability } = load("@mozilla/readability");
  return (data, type) => {
    const url = "https://page.example/";
    const { window } = new JSDOM(data, { url, contentType: type, virtualConsole: new VirtualConsole() });
    const content = new Readability(window.document).parse()?.content ?? "";
    return [Buffer.from(content, "utf-8"), "text/html; charset=utf-8"];
  };
}

const extract = process.argv[3] === "readability" ? readability() : paragraphs;

const server = http.createServer((request, answer) => {
  let url;
  try {
    url = new URL(request.url);
  } catch {
    answer.writeHead(400).end("this is a proxy");
    return;
  }
  const asked = http.get(url, { headers: { host: url.host } }, (page) => {
    const pieces = [];
    page.on("data", (piece) => pieces.push(piece));
    page.on("end", () => {
      try {
        const [data, type] = extract(Buffer.concat(pieces), page.headers["content-type"] ?? "text/html");
        answer.writeHead(page.statusCode, { "content-type": type, "content-length": data.length });
        answer.end(data);
      } catch (error) {
        answer.writeHead(500).end(String(error));
      }
    });
  });
  asked.on("error", (error) => answer.writeHead(502).end(String(error)));
});
server.listen(Number(process.argv[2] ?? 8099), "127.0.0.1");
