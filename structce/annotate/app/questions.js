// Questions before a page is accepted: what is most likely a mistake.

const MOST_WORDS = 40; // characters that are quoted of a region

const MOST_PLACES = 3; // that are quoted

const quoted = (text) => `“${text.length > MOST_WORDS ? `${text.slice(0, MOST_WORDS)}…` : text}”`;

// Regions with a label, in runs: neighbours in one block are one value.
function runsOf(label, labels, blocks) {
  const runs = [];
  labels.forEach((one, i) => {
    if (one !== label) return;
    const last = runs.at(-1);
    if (last?.at(-1) === i - 1 && blocks[i] === blocks[i - 1]) last.push(i);
    else runs.push([i]);
  });
  return runs;
}

// Returns { text, regions } of each question: labels given more often than `once` on a page, and
// labels, except the background, of regions that cannot be seen.
export function questionsOf({ labels, once, background }, { blocks, texts, tags }, unseen) {
  const words = (i) => quoted(texts[i] || tags[i]);
  const questions = [];
  for (const label of once) {
    const runs = runsOf(label, labels, blocks);
    if (runs.length > 1) {
      const places = runs.slice(0, MOST_PLACES).map(([first]) => words(first)).join(", ");
      const rest = runs.length > MOST_PLACES ? ", …" : "";
      questions.push({ text: `${runs.length} × ${label}: ${places}${rest}.`, regions: runs.flat() });
    }
  }
  const hidden = [...unseen].filter((i) => labels[i] !== background);
  if (hidden.length) {
    const [first] = hidden;
    const rest = hidden.length > 1 ? ` and ${hidden.length - 1} more` : "";
    questions.push({
      text: `Cannot be seen on the page, but has a label: ${words(first)} (${labels[first]})${rest}.`,
      regions: hidden,
    });
  }
  return questions;
}
