// Build of the extension: node build.mjs [--model FOLDER] [--out FOLDER]
//
// Writes OUT/chromium and OUT/firefox, each complete: our code bundled, the runtime from the pinned
// package, and the model of a folder that structce.extraction.boilernet wrote.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const PAGES = ["popup.html", "popup.css", "highlight.css"];
const MODEL_FILES = ["boilernet.json", "model.onnx", "vocabulary.json"];
const CARD = "README.md"; // of the model, where it has one
const RUNTIME = join(HERE, "node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm");
const PACKAGES = ["onnxruntime-web", "onnxruntime-common"]; // whose code is in the result

const TARGETS = {
  chromium: {
    judge: "judge_offscreen.js",
    entries: { background: "esm", popup: "esm", offscreen: "esm", model_worker: "esm", content: "iife" },
    pages: [...PAGES, "offscreen.html"],
    manifest: {
      minimum_chrome_version: "120",
      background: { service_worker: "background.js", type: "module" },
    },
    permissions: ["offscreen"],
  },
  firefox: {
    judge: "judge_here.js",
    entries: { background: "esm", popup: "esm", model_worker: "esm", content: "iife" },
    pages: PAGES,
    manifest: {
      background: { scripts: ["background.js"], type: "module" },
      browser_specific_settings: {
        gecko: {
          id: "structce@structce.invalid",
          strict_min_version: "140.0",
          data_collection_permissions: { required: ["none"] },
        },
      },
    },
    permissions: [],
  },
};

async function bundle(target, define, out) {
  for (const [name, format] of Object.entries(target.entries)) {
    await build({
      entryPoints: [join(HERE, "src", `${name}.js`)],
      outfile: join(out, `${name}.js`),
      alias: { "structce-judge": join(HERE, "src", target.judge) },
      define,
      bundle: true,
      format,
      target: ["chrome120", "firefox140"],
      logLevel: "warning",
    });
  }
}

async function copyFiles(target, model, out) {
  await cp(RUNTIME, join(out, "ort-wasm-simd-threaded.wasm"));
  await cp(join(HERE, "icons"), join(out, "icons"), { recursive: true });
  for (const page of target.pages) await cp(join(HERE, "src", page), join(out, page));
  for (const file of MODEL_FILES) await cp(join(model, file), join(out, "model", file));
  if (existsSync(join(model, CARD))) await cp(join(model, CARD), join(out, "model", CARD));
}

async function writeManifest(target, out) {
  const manifest = JSON.parse(await readFile(join(HERE, "manifest.json"), "utf8"));
  manifest.permissions.push(...target.permissions);
  await writeFile(join(out, "manifest.json"), `${JSON.stringify({ ...manifest, ...target.manifest }, null, 2)}\n`);
}

async function writeNotices(out) {
  const lines = ["Parts of others in this extension:", ""];
  for (const name of PACKAGES) {
    const path = join(HERE, "node_modules", name, "package.json");
    const { version, license, author } = JSON.parse(await readFile(path, "utf8"));
    lines.push(`${name} ${version}, ${license} licence, ${author?.name ?? author}`);
  }
  await writeFile(join(out, "NOTICES.txt"), `${lines.join("\n")}\n`);
}

const { values } = parseArgs({
  options: {
    model: { type: "string", default: join(HERE, "../structce/models/boilernet") },
    out: { type: "string", default: join(HERE, "dist") },
  },
});
const model = resolve(values.model);
const missing = MODEL_FILES.find((file) => !existsSync(join(model, file)));
if (missing) throw new Error(`${model}: no ${missing}; give the folder of a BoilerNet: --model FOLDER`);
const { threshold } = JSON.parse(await readFile(join(model, "boilernet.json"), "utf8"));
const digest = createHash("sha256").update(await readFile(join(model, "model.onnx"))).digest("hex");
const define = { MODEL: JSON.stringify(digest.slice(0, 12)), THRESHOLD: String(threshold) };
for (const [name, target] of Object.entries(TARGETS)) {
  const out = resolve(values.out, name);
  await rm(out, { recursive: true, force: true });
  await mkdir(join(out, "model"), { recursive: true });
  await bundle(target, define, out);
  await copyFiles(target, model, out);
  await writeManifest(target, out);
  await writeNotices(out);
  console.log(out);
}
