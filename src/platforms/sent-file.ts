/** Checks the size and encoding of a sent file. */
import { LARGEST_FILE, UnreadableFile } from '../chat/inbound.js';

const KILOBYTE = 1024;

export const tooLargeSays = (name: string, size: number): string | undefined =>
  size <= LARGEST_FILE
    ? undefined
    : `${name} is too large: it has ${Math.ceil(size / KILOBYTE).toLocaleString('en-US')} KB, and ${LARGEST_FILE / KILOBYTE} KB is the most. Split it and send the parts one after another.`;

/** Without a byte order mark. Throws an `UnreadableFile`. */
export function textOfFile(name: string, bytes: Uint8Array): string {
  const says = tooLargeSays(name, bytes.byteLength);
  if (says !== undefined) throw new UnreadableFile(says);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\u0000')) return text;
  } catch {
    // Not UTF-8: the same sentence as for any other file that is not text.
  }
  throw new UnreadableFile(`${name} isn't plain text in UTF-8. Save it as such and send it again.`);
}
