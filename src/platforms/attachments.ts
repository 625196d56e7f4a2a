/** What a reply carries beside its words, as bytes: its picture drawn and its files measured. The words never depend on it. */
import { SECOND, type Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Look, Pictures } from '../chat/pictures.js';
import type { Reply } from '../chat/reply.js';

export interface Upload {
  /** Letters that every file system takes. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface Attached {
  /** With a sentence for every file that is left out. */
  readonly reply: Reply;
  /** A PNG; `title` says what it shows to who cannot see it. */
  readonly picture?: { readonly bytes: Uint8Array; readonly title: string } | undefined;
  readonly files: readonly Upload[];
}

/** What a platform takes, in bytes. `together`: the files of one answer, the picture included. */
export interface Room {
  readonly picture: number;
  readonly together: number;
  readonly count: number;
}

export interface AttachNeeds {
  /** Absent: words and files only. */
  readonly pictures: Pictures | undefined;
  readonly look: Look;
  readonly room: Room;
  readonly clock: Clock;
  readonly log: Log;
}

/** A picture that takes longer is no answer any more; its words are. */
const DRAWN_WITHIN = 10 * SECOND;

/** Never rejects: a picture that cannot be drawn in time is left out, and the log says why. */
export async function attach(reply: Reply, needs: AttachNeeds): Promise<Attached> {
  const bytes = await drawn(reply, needs);
  const picture = bytes === undefined ? undefined : { bytes, title: reply.chart?.title ?? '' };
  let left = needs.room.together - (bytes?.length ?? 0);
  const files: Upload[] = [];
  const tooLarge: Upload[] = [];
  for (const [index, { name, type, text }] of reply.files.entries()) {
    const file = { name: safeName(name, index), type, bytes: new TextEncoder().encode(text) };
    const fits = file.bytes.length <= left && files.length + (picture === undefined ? 0 : 1) < needs.room.count;
    if (fits) left -= file.bytes.length;
    (fits ? files : tooLarge).push(file);
  }
  const sentences = tooLarge.map(({ name, bytes: content }) =>
    content.length > needs.room.together
      ? `${name} is too large to be sent here: it has ${inMegabytes(content.length)}, and ${inMegabytes(needs.room.together)} is the most. Ask for a shorter range.`
      : `${name} has no room left beside the other files. Ask for it alone.`,
  );
  return { reply: said(reply, sentences), picture, files };
}

/** The reply with these sentences below its words. */
const said = (reply: Reply, sentences: readonly string[]): Reply =>
  sentences.length === 0
    ? reply
    : { ...reply, blocks: [...reply.blocks, ...sentences.map((sentence) => ({ kind: 'line' as const, line: [`⚠ ${sentence}`] }))] };

/** The reply without anything beside its words, which say that the files are missing. */
export const wordsOnly = ({ reply, files }: Attached): Attached => ({
  reply: said(
    reply,
    files.map(({ name }) => `${name} could not be sent here. Ask again in a minute; if it stays so, I may lack the right to attach files.`),
  ),
  files: [],
});

async function drawn({ chart }: Reply, { pictures, look, room, clock, log }: AttachNeeds): Promise<Uint8Array | undefined> {
  if (chart === undefined || pictures === undefined) return undefined;
  const done = new AbortController();
  const late = clock.sleep(DRAWN_WITHIN, done.signal).then(
    () => Promise.reject(new Error(`no picture within ${DRAWN_WITHIN / SECOND} s`)),
    () => undefined,
  );
  try {
    const bytes = await Promise.race([pictures.png(chart, look), late]);
    if (bytes === undefined || bytes.length <= room.picture) return bytes;
    log.warn('platforms.picture-too-large', { title: chart.title, bytes: bytes.length });
  } catch (error) {
    log.warn('platforms.picture-not-drawn', { title: chart.title, error });
  } finally {
    done.abort(new Error('drawn'));
  }
  return undefined;
}

const MOST_NAME = 80;

/** A file's name in letters that every file system takes. Pure. */
export function safeName(name: string, index: number): string {
  const safe = name
    .replace(/[^\w.-]+/gu, '-')
    .replace(/^[.-]+/u, '')
    .slice(-MOST_NAME);
  return safe === '' ? `file-${index + 1}.txt` : safe;
}

const MEGABYTE = 1024 * 1024;
const inMegabytes = (bytes: number): string => `${(Math.ceil((bytes / MEGABYTE) * 10) / 10).toLocaleString('en-US')} MB`;
