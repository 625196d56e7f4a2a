/** Measures how many typing errors separate two words. */

/** Counts insertions, deletions, replacements and swaps of neighbours. */
export function editDistance(one: string, other: string): number {
  let [before, row]: [readonly number[], readonly number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (letter === other[j - 1] ? 0 : 1);
      const isSwapped = i > 0 && j > 1 && letter === other[j - 2] && one[i - 1] === other[j - 1];
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced, isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity));
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}

/** Returns the most similar word, if at most a third of its letters differ. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, edits: editDistance(typed.toLowerCase(), word.toLowerCase()) }))
    .toSorted((a, b) => a.edits - b.edits || a.word.length - b.word.length);
  return best !== undefined && best.edits <= Math.max(1, Math.ceil(best.word.length / 3)) ? best.word : undefined;
}
