/** Finds variables that are no settings and were probably meant as one. It is pure. */
import { editDistance } from '../base/edit-distance.js';

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
