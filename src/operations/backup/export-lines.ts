/** An export as a stream. */
import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { yieldToEventLoop } from '../../base/yield.js';
import type { Instant } from '../../domain/scalars.js';
import { FORMAT } from '../../store/format.js';
import type { Store } from '../../store/store.js';
import { APPLICATION, EXPORT_FORMAT, type ExportHeader } from './export-format.js';

/** Characters made into bytes at once. */
const CHUNK = 256 * 1024;
/** More costs much time: large documents are compressed already. */
const LEVEL = 3;

/** Gzip. Rejects before the first byte if another export is being made. */
export async function exportStream({ copies }: Pick<Store, 'copies'>, now: Instant): Promise<Readable> {
  const pages = copies.snapshot()[Symbol.asyncIterator]();
  const first = await pages.next();
  const gzip = createGzip({ level: LEVEL });
  // An error reaches the reader, which `pipeline` destroys with it.
  return pipeline(Readable.from(lines({ first, pages }, now), { objectMode: false }), gzip, () => undefined);
}

/** Of a file; sorts by time. */
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
