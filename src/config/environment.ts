/** Reads secret settings from files (`DISCORD_TOKEN_FILE=/run/secrets/discord` instead of `DISCORD_TOKEN`), and finds misspelt settings. */
import { closeSync, openSync, readSync } from 'node:fs';
import { editDistance } from '../base/edit-distance.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Settings that contain a token, a key, a password or an address with one. */
const SECRET_SETTINGS = ['ANALYTICS_API_KEY', 'STORE_URL', 'CONSOLE_TOKEN', 'DISCORD_TOKEN', 'TELEGRAM_TOKEN', 'HEARTBEAT_URL'] as const;

const variantOf = (name: string): string => `${name}_FILE`;
export const FILE_VARIANTS: readonly string[] = SECRET_SETTINGS.map(variantOf);

/** The value is in bytes. A larger file is not a secret but a mistake. */
const MAX_SECRET = 16 * 1024;

/** Returns the content of a file, or why it cannot be read. */
export type ReadSecret = (path: string) => { readonly text: string } | { readonly because: string };

/** Returns the environment with the content of the files, and a line for each `_FILE` variable that cannot be used. */
export function withSecretFiles(env: Env, read: ReadSecret = readSecret): { readonly env: Env; readonly wrong: readonly string[] } {
  const filled: Record<string, string | undefined> = { ...env };
  const wrong: string[] = [];
  for (const name of SECRET_SETTINGS) {
    const path = env[variantOf(name)]?.trim() ?? '';
    if (path === '') continue;
    const content = read(path);
    if ((env[name]?.trim() ?? '') !== '') wrong.push(`config: ${variantOf(name)}: ${name} is set too; remove one of them`);
    else if ('because' in content) wrong.push(`config: ${variantOf(name)}: the file ${content.because}`);
    else if (content.text.trim() === '') wrong.push(`config: ${variantOf(name)}: the file is empty; write the value of ${name} into it`);
    else filled[name] = content.text.trim();
  }
  return { env: filled, wrong };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; correct the path',
  EACCES: 'may not be read by this user; change its permissions',
  EISDIR: 'is a folder; give the path of a file in it',
};

function readSecret(path: string): ReturnType<ReadSecret> {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const bytes = Buffer.alloc(MAX_SECRET + 1);
    const count = readSync(file, bytes);
    if (count > MAX_SECRET) return { because: 'has more than 16 KB; give a file that holds the value alone' };
    return { text: bytes.toString('utf8', 0, count) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { because: REASONS[code] ?? 'cannot be read; check the path and its permissions' };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export interface MisspeltSetting {
  readonly name: string;
  readonly nearest: string | undefined;
}

interface KnownNames {
  readonly settings: readonly string[];
  /** A variable with one of these prefixes, such as "DISCORD_", is meant for the bot. */
  readonly prefixes: readonly string[];
}

/** Shorter names, such as PORT and HOST, belong to other programs and are not taken for misspelt settings. */
const MIN_LENGTH = 5;
/** A variable such as WATCHLISTS_DIR begins with a whole setting. Shorter settings begin the variables of other programs too. */
const MIN_BEGINNING = 9;
const allowedEdits = (name: string): number => (name.length < 8 ? 1 : 2);

/** Returns the names of variables that resemble a setting, without their values. */
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
      const whole = settings.find((setting) => word === variantOf(setting));
      // Only secrets are read from files.
      if (whole !== undefined && whole.length >= MIN_LENGTH) return [{ name, nearest: whole }];
      const [best] = settings
        .map((setting) => ({ setting, edits: editDistance(word, setting) }))
        .toSorted((a, b) => a.edits - b.edits || a.setting.length - b.setting.length);
      const begun = settings.find((setting) => setting.length >= MIN_BEGINNING && word.startsWith(`${setting}_`));
      if (begun !== undefined && (best?.edits ?? Infinity) > allowedEdits(word)) return [{ name, nearest: begun }];
      if (best === undefined || (!isOurs && best.edits > allowedEdits(word))) return [];
      return [{ name, nearest: best.edits <= Math.max(allowedEdits(word), word.length / 3) ? best.setting : undefined }];
    });
}

export const misspeltText = ({ name, nearest }: MisspeltSetting): string =>
  `${name} is not a setting.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`;
