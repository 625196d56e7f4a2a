/** Finds variables that are no settings and were probably meant as one. It is pure. */

export interface MisspeltSetting {
  readonly name: string;
  readonly nearest: string | undefined;
}

interface KnownNames {
  readonly settings: readonly string[];
  /** "DISCORD_": what begins so is meant for the bot. */
  readonly prefixes: readonly string[];
}

/** A name of this length can have a typing error or two. Shorter names, such as PORT and HOST, are those of other programs. */
const MIN_LENGTH = 5;
const allowedEdits = (name: string): number => (name.length < 8 ? 1 : 2);

/** Names that resemble a setting, without their values. Names of other programs, such as PATH, resemble none. */
export function misspeltSettings(
  env: Readonly<Record<string, string | undefined>>,
  { settings, prefixes }: KnownNames,
): readonly MisspeltSetting[] {
  const known = new Set(settings);
  return Object.keys(env)
    .filter((name) => !known.has(name))
    .flatMap((name): readonly MisspeltSetting[] => {
      const word = name.toUpperCase();
      const isOurs = prefixes.some((prefix) => word.startsWith(prefix));
      if (!isOurs && word.length < MIN_LENGTH) return [];
      const [best] = settings
        .map((setting) => ({ setting, edits: editDistance(word, setting) }))
        .toSorted((a, b) => a.edits - b.edits || a.setting.length - b.setting.length);
      if (best === undefined || (!isOurs && best.edits > allowedEdits(word))) return [];
      return [{ name, nearest: best.edits <= Math.max(allowedEdits(word), word.length / 3) ? best.setting : undefined }];
    });
}

export const misspeltText = ({ name, nearest }: MisspeltSetting): string =>
  `${name} is not a setting.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`;

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(one: string, other: string): number {
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
