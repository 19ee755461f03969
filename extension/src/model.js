// BoilerNet by ONNX Runtime: the probability of each leaf that it is main content.

import * as ort from "onnxruntime-web/wasm";

import { Vocabulary } from "./vocabulary.js";

const INPUT = "rows";
const OUTPUT = "probabilities";

export class Model {
  /**
   * Load the model of the extension.
   *
   * @param {(path: string) => string} addressOf address of a file of the extension
   */
  static async load(addressOf) {
    ort.env.wasm.numThreads = 1; // more need a shared memory that extensions do not have
    ort.env.wasm.proxy = false;
    ort.env.wasm.wasmPaths = { wasm: addressOf("ort-wasm-simd-threaded.wasm") };
    const read = (name) => fetch(addressOf(`model/${name}`));
    const [weights, entries, { piece }] = await Promise.all([
      read("model.onnx").then((response) => response.arrayBuffer()),
      read("vocabulary.json").then((response) => response.json()),
      read("boilernet.json").then((response) => response.json()),
    ]);
    const session = await ort.InferenceSession.create(weights, { executionProviders: ["wasm"] });
    return new Model(session, new Vocabulary(entries), piece);
  }

  /** @param {number} piece leaves that are judged together; a longer page is read in pieces */
  constructor(session, vocabulary, piece) {
    this.session = session;
    this.vocabulary = vocabulary;
    this.piece = piece;
  }

  /** Return the probabilities of the leaves of one page; see Vocabulary.encode. */
  async judge({ texts, paths, pathOf }) {
    const probabilities = [];
    for (let start = 0; start < texts.length; start += this.piece) {
      const cut = (column) => column.slice(start, start + this.piece);
      probabilities.push(...await this.judgePiece({ texts: cut(texts), paths, pathOf: cut(pathOf) }));
    }
    return probabilities;
  }

  async judgePiece(piece) {
    const shape = [piece.texts.length, this.vocabulary.nColumns];
    const rows = new ort.Tensor("float32", this.vocabulary.encode(piece), shape);
    const { [OUTPUT]: output } = await this.session.run({ [INPUT]: rows });
    return Array.from(output.data);
  }
}
