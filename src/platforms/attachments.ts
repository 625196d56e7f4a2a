/** Prepares the attachments of a reply, and reads files that people send. */
import { SECOND, type Clock } from '../base/clock.js';
import { within } from '../base/deadline.js';
import type { Log } from '../base/log.js';
import { alternativeText, type Picture, type Pictures, type Theme } from '../chat/chart.js';
import { LARGEST_FILE, UnreadableFile } from '../chat/inbound.js';
import type { Reply } from '../chat/reply.js';

export interface Upload {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface Attached {
  readonly reply: Reply;
  readonly picture?: Picture | undefined;
  readonly files: readonly Upload[];
}

export interface Prepared {
  readonly reply: Reply;
  readonly files: readonly Upload[];
  /** Never rejects. Resolves with undefined if there is no picture. */
  readonly picture: Promise<Picture | undefined>;
  /** True before the process has drawn a picture; the first one takes seconds. */
  readonly isCold?: boolean;
}

export const textOnly = (reply: Reply): Prepared => ({ reply, files: [], picture: Promise.resolve(undefined) });

/** The limits are in bytes. `together` includes the picture. */
export interface UploadLimits {
  readonly picture: number;
  readonly together: number;
  readonly count: number;
}

export interface AttachDeps {
  readonly pictures: Pictures | undefined;
  readonly theme: Theme;
  readonly room: UploadLimits;
  readonly clock: Clock;
  readonly log: Log;
}

const DRAWN_WITHIN = 10 * SECOND;
/** The bytes that are reserved for the picture: several times a chart's size. */
const PICTURE_ROOM = 1024 * 1024;

export function prepare(reply: Reply, deps: AttachDeps): Prepared {
  const drawing = reply.chart !== undefined && deps.pictures !== undefined;
  let left = deps.room.together - (drawing ? PICTURE_ROOM : 0);
  const files: Upload[] = [];
  const tooLarge: Upload[] = [];
  for (const [index, { name, type, text }] of reply.files.entries()) {
    const file = { name: safeName(name, index), type, bytes: new TextEncoder().encode(text) };
    const fits = file.bytes.length <= left && files.length + (drawing ? 1 : 0) < deps.room.count;
    if (fits) left -= file.bytes.length;
    (fits ? files : tooLarge).push(file);
  }
  const sentences = tooLarge.map(({ name, bytes: content }) =>
    content.length > deps.room.together
      ? `${name} is too large to be sent here: it has ${inMegabytes(content.length)}, and ${inMegabytes(deps.room.together)} is the most. Ask for a shorter range.`
      : `${name} has no room left beside the other files. Ask for it alone.`,
  );
  const taken = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const most = Math.min(deps.room.picture, deps.room.together - taken);
  const isCold = drawing && deps.pictures?.isCold?.() === true;
  return { reply: said(reply, sentences), files, picture: drawn(reply, most, deps), isCold };
}

const said = (reply: Reply, sentences: readonly string[]): Reply =>
  sentences.length === 0
    ? reply
    : { ...reply, blocks: [...reply.blocks, ...sentences.map((sentence) => ({ kind: 'line' as const, line: [`⚠ ${sentence}`] }))] };

export const wordsOnly = ({ reply, files }: Attached): Attached => ({
  reply: said(
    reply,
    files.map(
      ({ name }) => `${name} could not be sent here. Ask again in a minute. If it keeps failing, I may not be allowed to attach files.`,
    ),
  ),
  files: [],
});

async function drawn({ chart }: Reply, most: number, { pictures, theme, clock, log }: AttachDeps): Promise<Picture | undefined> {
  if (chart === undefined || pictures === undefined) return undefined;
  try {
    const bytes = await within(clock, DRAWN_WITHIN, pictures.png(chart, theme));
    if (bytes === undefined) throw new Error(`no picture within ${DRAWN_WITHIN / SECOND} s`);
    if (bytes.length <= most) return { bytes, title: alternativeText(chart) };
    log.warn('platforms.picture-too-large', { title: chart.title, bytes: bytes.length });
  } catch (error) {
    log.warn('platforms.picture-not-drawn', { title: chart.title, error });
  }
  return undefined;
}

const MAX_NAME = 80;

export function safeName(name: string, index: number): string {
  const safe = name
    .replace(/[^\w.-]+/gu, '-')
    .replace(/^[.-]+/u, '')
    .slice(-MAX_NAME);
  return safe === '' ? `file-${index + 1}.txt` : safe;
}

const MEGABYTE = 1024 * 1024;
const inMegabytes = (bytes: number): string => `${(Math.ceil((bytes / MEGABYTE) * 10) / 10).toLocaleString('en-US')} MB`;

const KILOBYTE = 1024;

export const tooLargeSays = (name: string, size: number): string | undefined =>
  size <= LARGEST_FILE
    ? undefined
    : `${name} is too large: it has ${Math.ceil(size / KILOBYTE).toLocaleString('en-US')} KB, and ${LARGEST_FILE / KILOBYTE} KB is the most. Split it and send the parts one after another.`;

/** Decodes a file without its byte order mark. Throws an `UnreadableFile`. */
export function textOfFile(name: string, bytes: Uint8Array): string {
  const says = tooLargeSays(name, bytes.byteLength);
  if (says !== undefined) throw new UnreadableFile(says);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\u0000')) return text;
  } catch {
    // Text that is not UTF-8 gets the same sentence as any other file that is not text.
  }
  throw new UnreadableFile(`${name} isn't plain text in UTF-8. Save it as such and send it again.`);
}
