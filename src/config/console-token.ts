/** Keeps the operator's token that the first start makes if none is configured: a file beside the data that only its owner can read. */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fchmodSync, fstatSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, OWNER_ONLY } from '../base/owner-only.js';

/** The token, or in `because` why it cannot be read. Both are absent if it was not made yet. */
export interface StoredToken {
  readonly token?: string;
  readonly because?: string;
}

const TOKEN = /^[\w-]{32,256}$/u;
/** Refuses links and does not block, because somebody else may have put the file there. https://man7.org/linux/man-pages/man2/open.2.html */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads the token. Removes other users' rights to its file. */
export function readToken(path: string): StoredToken {
  try {
    const file = openSync(path, READ);
    try {
      const { uid, mode } = fstatSync(file);
      const me = process.getuid?.();
      // In a folder such as /tmp somebody else could have put a token that they know.
      if (me !== undefined && uid !== me && me !== 0)
        return { because: `${path} belongs to another user; remove it, or set CONSOLE_TOKEN` };
      if (uid === me && (mode & 0o077) !== 0) fchmodSync(file, OWNER_ONLY);
      const token = readFileSync(file, 'utf8').trim();
      return TOKEN.test(token) ? { token } : { because: `${path} holds no token; remove it and start the bot again, or set CONSOLE_TOKEN` };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? {} : { because: `${path} cannot be read (${codeOf(error)}); run this as the user of the bot` };
  }
}

/** Makes the token. Processes that start at the same time all get the token of the first one. */
export function makeToken(path: string): StoredToken {
  const stored = readToken(path);
  if (stored.token !== undefined || stored.because !== undefined) return stored;
  const whole = `${path}.${randomBytes(8).toString('hex')}.partial`;
  try {
    makeFolder(dirname(path));
    const file = openSync(whole, 'wx', OWNER_ONLY);
    try {
      writeSync(file, `${randomBytes(32).toString('base64url')}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // A link makes the file appear complete, and never replaces an existing one.
    linkSync(whole, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST')
      return { because: `${path} cannot be written (${codeOf(error)}); give this user write access, or set CONSOLE_TOKEN` };
  } finally {
    rmSync(whole, { force: true });
  }
  return readToken(path);
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown error');
