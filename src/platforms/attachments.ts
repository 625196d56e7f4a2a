/** What a reply carries beside its text, as bytes: its files measured and its picture drawn. The text never depends on it. */
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

/** A PNG; `title` says what it shows to who cannot see it. */
export interface Picture {
  readonly bytes: Uint8Array;
  readonly title: string;
}

export interface Attached {
  /** With a sentence for every file that is left out. */
  readonly reply: Reply;
  readonly picture?: Picture | undefined;
  readonly files: readonly Upload[];
}

/** An answer whose text and files are ready and whose picture is being drawn. */
export interface Prepared {
  readonly reply: Reply;
  readonly files: readonly Upload[];
  /** Never rejects. Undefined: there is none. */
  readonly picture: Promise<Picture | undefined>;
  /** Nothing has been drawn yet, so that the first picture takes longer than anybody waits. */
  readonly isCold?: boolean;
}

/** An answer that carries nothing beside its text. */
export const textOnly = (reply: Reply): Prepared => ({ reply, files: [], picture: Promise.resolve(undefined) });

/** What a platform takes, in bytes. `together`: the files of one answer, the picture included. */
export interface UploadLimits {
  readonly picture: number;
  readonly together: number;
  readonly count: number;
}

export interface AttachDeps {
  /** Absent: words and files only. */
  readonly pictures: Pictures | undefined;
  readonly look: Look;
  readonly room: UploadLimits;
  readonly clock: Clock;
  readonly log: Log;
}

/** A picture that takes longer is no answer any more; its words are. */
const DRAWN_WITHIN = 10 * SECOND;
/** Kept free for a picture, in bytes: several times what a chart takes. */
const PICTURE_ROOM = 1024 * 1024;

/** Begins to draw and measures the files, with room left for the picture. A picture that cannot be drawn in time is left out and logged. */
export function prepare(reply: Reply, needs: AttachDeps): Prepared {
  const drawing = reply.chart !== undefined && needs.pictures !== undefined;
  let left = needs.room.together - (drawing ? PICTURE_ROOM : 0);
  const files: Upload[] = [];
  const tooLarge: Upload[] = [];
  for (const [index, { name, type, text }] of reply.files.entries()) {
    const file = { name: safeName(name, index), type, bytes: new TextEncoder().encode(text) };
    const fits = file.bytes.length <= left && files.length + (drawing ? 1 : 0) < needs.room.count;
    if (fits) left -= file.bytes.length;
    (fits ? files : tooLarge).push(file);
  }
  const sentences = tooLarge.map(({ name, bytes: content }) =>
    content.length > needs.room.together
      ? `${name} is too large to be sent here: it has ${inMegabytes(content.length)}, and ${inMegabytes(needs.room.together)} is the most. Ask for a shorter range.`
      : `${name} has no room left beside the other files. Ask for it alone.`,
  );
  const taken = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const most = Math.min(needs.room.picture, needs.room.together - taken);
  const isCold = drawing && needs.pictures?.isCold?.() === true;
  return { reply: said(reply, sentences), files, picture: drawn(reply, most, needs), isCold };
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

async function drawn({ chart }: Reply, most: number, { pictures, look, clock, log }: AttachDeps): Promise<Picture | undefined> {
  if (chart === undefined || pictures === undefined) return undefined;
  const done = new AbortController();
  const late = clock.sleep(DRAWN_WITHIN, done.signal).then(
    () => Promise.reject(new Error(`no picture within ${DRAWN_WITHIN / SECOND} s`)),
    () => undefined,
  );
  try {
    const bytes = await Promise.race([pictures.png(chart, look), late]);
    if (bytes === undefined) return undefined;
    if (bytes.length <= most) return { bytes, title: chart.title };
    log.warn('platforms.picture-too-large', { title: chart.title, bytes: bytes.length });
  } catch (error) {
    log.warn('platforms.picture-not-drawn', { title: chart.title, error });
  } finally {
    done.abort(new Error('drawn'));
  }
  return undefined;
}

const MAX_NAME = 80;

/** A file's name in letters that every file system takes. Pure. */
export function safeName(name: string, index: number): string {
  const safe = name
    .replace(/[^\w.-]+/gu, '-')
    .replace(/^[.-]+/u, '')
    .slice(-MAX_NAME);
  return safe === '' ? `file-${index + 1}.txt` : safe;
}

const MEGABYTE = 1024 * 1024;
const inMegabytes = (bytes: number): string => `${(Math.ceil((bytes / MEGABYTE) * 10) / 10).toLocaleString('en-US')} MB`;
