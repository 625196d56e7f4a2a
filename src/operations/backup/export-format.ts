/** Writes an export: gzipped JSON lines with a header, each document as `["prefix/key", "text"]` in key order, and a trailer. docs/decisions/0029-export-and-import.md */
import { z } from 'zod';
import { createHash } from 'node:crypto';
import { Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { yieldToEventLoop } from '../../base/yield.js';
import type { Instant } from '../../domain/scalars.js';
import { FORMAT } from '../../store/backend.js';
import type { Store } from '../../store/store.js';

/** The version of the file format, not of the documents in it. */
export const EXPORT_FORMAT = 1;
const APPLICATION = 'navwatch';

export const headerSchema = z.object({
  application: z.literal(APPLICATION),
  format: z.int().positive(),
  /** The format of the documents, `FORMAT` in src/store/backend.ts. */
  storeFormat: z.int().positive(),
  /** When the export began. */
  at: z.iso.datetime(),
});
export type ExportHeader = z.infer<typeof headerSchema>;

export const trailerSchema = z.strictObject({
  documents: z.int().min(0),
  /** The hash of all lines before this one, with their line breaks. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
});

export const entrySchema = z.tuple([z.string(), z.string()]);

/** The value is in bytes. */
export const MAX_LINE = 64 * 1024 * 1024;

export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** How much is encoded at once, in characters. */
const CHUNK = 256 * 1024;
/** The gzip level. A higher one costs much time for little, because large documents are compressed already. */
const LEVEL = 3;

/** Streams an export. Rejects before the first byte if another export is under way. */
export async function exportStream({ copies }: Pick<Store, 'copies'>, now: Instant): Promise<Readable> {
  const pages = copies.snapshot()[Symbol.asyncIterator]();
  const first = await pages.next();
  const gzip = createGzip({ level: LEVEL });
  // The callback ignores the error, because `pipeline` destroys the stream with it and so reports it to the reader.
  return pipeline(Readable.from(lines({ first, pages }, now), { objectMode: false }), gzip, () => undefined);
}

/** Returns the name of the file. Names sort by time. */
export const exportName = (at: Instant, what = 'navwatch'): string => `${what}-${new Date(at).toISOString().replaceAll(/[:.]/gu, '-')}.gz`;

interface Begun {
  readonly first: IteratorResult<readonly (readonly [string, string])[]>;
  readonly pages: AsyncIterator<readonly (readonly [string, string])[]>;
}

async function* lines({ first, pages }: Begun, at: Instant): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    hash.update(bytes);
    return bytes;
  };
  const header: ExportHeader = { application: APPLICATION, format: EXPORT_FORMAT, storeFormat: FORMAT, at: new Date(at).toISOString() };
  let documents = 0;
  try {
    yield hashed(`${JSON.stringify(header)}\n`);
    for (let page = first; page.done !== true; page = await pages.next()) {
      let text = '';
      for (const entry of page.value) {
        documents += 1;
        text += `${JSON.stringify(entry)}\n`;
        if (text.length < CHUNK) continue;
        yield hashed(text);
        await yieldToEventLoop();
        text = '';
      }
      if (text !== '') yield hashed(text);
    }
    yield Buffer.from(`${JSON.stringify({ documents, sha256: hash.digest('hex') })}\n`);
  } finally {
    await pages.return?.();
  }
}
