// Columns of a leaf: how often each listed tag stands on its path, and each listed word in it.

import { leafWords } from "./leaves.js";

export class Vocabulary {
  /** @param {{tags: string[], words: string[]}} entries */
  constructor({ tags, words }) {
    this.tags = new Map(tags.map((tag, i) => [tag, 1 + i]));
    this.words = new Map(words.map((word, i) => [word, 2 + tags.length + i]));
    this.unknownTag = 0;
    this.unknownWord = 1 + tags.length;
    this.nColumns = 2 + tags.length + words.length;
  }

  /**
   * Return the counts of each leaf, row after row.
   *
   * @param {{texts: string[], paths: string[][], pathOf: number[]}} page texts, the different
   *   paths, and the number of each text's path
   * @returns {Float32Array} of texts.length * nColumns numbers
   */
  encode({ texts, paths, pathOf }) {
    const rows = new Float32Array(texts.length * this.nColumns);
    const tagColumns = paths.map((path) => path.map((tag) => this.tags.get(tag) ?? this.unknownTag));
    texts.forEach((text, i) => {
      const start = i * this.nColumns;
      for (const column of tagColumns[pathOf[i]]) rows[start + column] += 1;
      for (const word of leafWords(text)) rows[start + (this.words.get(word) ?? this.unknownWord)] += 1;
    });
    return rows;
  }
}
