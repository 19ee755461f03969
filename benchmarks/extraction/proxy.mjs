// HTTP proxy that shows the longest run of paragraphs of a page: a content extractor in another language
// than Python, for `structce benchmark --proxy` and `method = "proxy:HOST:PORT"`.
//     node benchmarks/extraction/proxy.mjs 8099
import http from "node:http";

const FEWEST_WORDS = 10; // of a paragraph that belongs to the main content

function paragraphs(html) {
  const plain = html.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, " ").replace(/<!--[\s\S]*?-->/g, " ");
  const found = plain.match(/<p\b[\s\S]*?(?=<\/p>|<p\b|<\/div>|<\/body>|$)/gi) ?? [];
  return found.filter((one) => one.replace(/<[^>]*>/g, " ").trim().split(/\s+/).length >= FEWEST_WORDS);
}

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
      const type = page.headers["content-type"] ?? "text/html";
      const body = Buffer.concat(pieces).toString("latin1"); // bytes as they are, so that none is lost
      const html = `<body>${paragraphs(body).map((one) => `${one}</p>`).join("\n")}</body>`;
      const data = Buffer.from(html, "latin1");
      answer.writeHead(page.statusCode, { "content-type": type, "content-length": data.length });
      answer.end(data);
    });
  });
  asked.on("error", (error) => answer.writeHead(502).end(String(error)));
});
server.listen(Number(process.argv[2] ?? 8099), "127.0.0.1");
