/** The file of an export, and an export as a stream: gzip of JSON lines: header, each document as `["prefix/key", "text"]` in key order, trailer. docs/decisions/0029-export-and-import.md */
import { z } from 'zod';
import { createHash } from 'node:crypto';
import { Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { yieldToEventLoop } from '../../base/yield.js';
import type { Instant } from '../../domain/scalars.js';
import { FORMAT } from '../../store/backend.js';
import type { Store } from '../../store/store.js';

/** The format of the file, not of what it holds. */
export const EXPORT_FORMAT = 1;
const APPLICATION = 'navwatch';

export const headerSchema = z.object({
  application: z.literal(APPLICATION),
  format: z.int().positive(),
  /** The format of the documents, as in databases: src/store/format.ts. */
  storeFormat: z.int().positive(),
  /** The export began then. */
  at: z.iso.datetime(),
});
export type ExportHeader = z.infer<typeof headerSchema>;

export const trailerSchema = z.strictObject({
  documents: z.int().min(0),
  /** The hash of all lines before this one, with their ends. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
});

export const entrySchema = z.tuple([z.string(), z.string()]);

/** It is in bytes. */
export const MAX_LINE = 64 * 1024 * 1024;

export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** So many characters are made into bytes at once. */
const CHUNK = 256 * 1024;
/** A higher level costs much time: large documents are compressed already. */
const LEVEL = 3;

/** Compresses with gzip, and rejects before the first byte if another export is being made. */
export async function exportStream({ copies }: Pick<Store, 'copies'>, now: Instant): Promise<Readable> {
  const pages = copies.snapshot()[Symbol.asyncIterator]();
  const first = await pages.next();
  const gzip = createGzip({ level: LEVEL });
  // An error reaches the reader, which `pipeline` destroys with it.
  return pipeline(Readable.from(lines({ first, pages }, now), { objectMode: false }), gzip, () => undefined);
}

/** The name of the file, which sorts by time. */
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
