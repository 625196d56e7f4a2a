/** File of a message as a download. */
import { safeName } from '../attachments.js';
import type { ConsoleMessage } from './message.js';

const KNOWN = /^(text\/csv|text\/plain|application\/json)$/u;

export function download(
  found: readonly ConsoleMessage[],
  { id, place }: { readonly id: number; readonly place: number },
): Response | undefined {
  const file = found.find((message) => message.id === id)?.reply?.files[place];
  if (file === undefined) return undefined;
  return new Response(file.text, {
    headers: {
      'Content-Type': KNOWN.test(file.type) ? `${file.type}; charset=utf-8` : 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${safeName(file.name, place)}"`,
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
