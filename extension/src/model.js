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
    const [weights, entries] = await Promise.all([
      fetch(addressOf("model/model.onnx")).then((response) => response.arrayBuffer()),
      fetch(addressOf("model/vocabulary.json")).then((response) => response.json()),
    ]);
    const session = await ort.InferenceSession.create(weights, { executionProviders: ["wasm"] });
    return new Model(session, new Vocabulary(entries));
  }

  constructor(session, vocabulary) {
    this.session = session;
    this.vocabulary = vocabulary;
  }

  /** Return the probabilities of the leaves of one page; see Vocabulary.encode. */
  async judge(page) {
    const n = page.texts.length;
    if (!n) return [];
    const shape = [n, this.vocabulary.nColumns];
    const rows = new ort.Tensor("float32", this.vocabulary.encode(page), shape);
    const { [OUTPUT]: output } = await this.session.run({ [INPUT]: rows });
    const probabilities = Array.from(output.data);
    output.dispose();
    return probabilities;
  }
}
