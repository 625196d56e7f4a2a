/** Reads and saves export files. A file is readable by its owner only, and gets its name after it was read back. Errors are sentences for people. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { pipeline as piped } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import { OWNER_ONLY } from '../../base/owner-only.js';
import { byBytes, FORMAT } from '../../store/backend.js';
import { isKey, isDocument } from '../../store/document.js';
import { type StoredText, StoreError } from '../../store/store.js';
import { BackupError, EXPORT_FORMAT, entrySchema, headerSchema, MAX_LINE, trailerSchema, type ExportHeader } from './export-format.js';

interface ExportFile {
  readonly header: ExportHeader;
  readonly documents: number;
  /** The number of documents that were unreadable in the store too. */
  readonly unreadable: number;
  /** Reads and checks the file again. */
  pages(): AsyncIterable<readonly StoredText[]>;
}

const PAGE = 500;
/** The value is in characters. */
const MAX_PAGE = 4 * 1024 * 1024;

/** Reads and checks the whole file. Rejects with a `BackupError`. */
export async function readExport(path: string): Promise<ExportFile> {
  const reading = entriesOf(path);
  let unreadable = 0;
  for (let next = await reading.next(); ; next = await reading.next()) {
    if (next.done === true) return { ...next.value, unreadable, pages: () => pagesOf(path) };
    if (!isDocument(next.value[1])) unreadable += 1;
  }
}

async function* pagesOf(path: string): AsyncGenerator<readonly StoredText[]> {
  let page: StoredText[] = [];
  let characters = 0;
  for await (const entry of entriesOf(path)) {
    page.push(entry);
    characters += entry[1].length;
    if (page.length < PAGE && characters < MAX_PAGE) continue;
    yield page;
    page = [];
    characters = 0;
  }
  if (page.length > 0) yield page;
}

/** Yields the documents, and returns what header and trailer state. */
async function* entriesOf(path: string): AsyncGenerator<StoredText, Pick<ExportFile, 'header' | 'documents'>> {
  const refuse = (because: string): BackupError => new BackupError(`${path} ${because}`);
  const hash = createHash('sha256');
  let header: ExportHeader | undefined;
  let trailer: z.infer<typeof trailerSchema> | undefined;
  let documents = 0;
  let last = '';
  for await (const line of linesOf(path, refuse)) {
    if (trailer !== undefined) throw refuse('goes on after its end; it was altered');
    const read = parsedJson(line);
    if (header === undefined) {
      header = headerOf(read, refuse);
    } else if (Array.isArray(read)) {
      const [key, text] = entrySchema.safeParse(read).data ?? [];
      if (key === undefined || text === undefined || !isKey(key)) throw refuse(`has no document in line ${documents + 2}; it was altered`);
      if (byBytes(last, key) >= 0) throw refuse(`has its documents in the wrong order in line ${documents + 2}; it was altered`);
      yield [key, text];
      last = key;
      documents += 1;
    } else {
      trailer = trailerSchema.safeParse(read).data;
      if (trailer === undefined) throw refuse(`cannot be read in line ${documents + 2}; it was altered`);
    }
    if (trailer === undefined) hash.update(line).update('\n');
  }
  if (header === undefined) throw refuse('is empty');
  if (trailer === undefined) throw refuse('is cut off; make or copy the export again');
  if (trailer.documents !== documents || trailer.sha256 !== hash.digest('hex'))
    throw refuse('does not match its own checksum; it was damaged or altered');
  return { header, documents };
}

function headerOf(read: unknown, refuse: (because: string) => BackupError): ExportHeader {
  const header = headerSchema.safeParse(read).data;
  if (header === undefined) throw refuse('is no export of Navwatch');
  if (header.format > EXPORT_FORMAT || header.storeFormat > FORMAT)
    throw refuse(
      `was written by a newer Navwatch (format ${header.format}, format of documents ${header.storeFormat}; this one knows ${EXPORT_FORMAT} and ${FORMAT}); import it with that one`,
    );
  return header;
}

const NEW_LINE = 10;

/** Reads the lines in bounded memory, whatever size the file unpacks to. */
async function* linesOf(path: string, refuse: (because: string) => BackupError): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of unpacked(path)) {
      let start = 0;
      for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, start)) {
        yield Buffer.concat([...parts, chunk.subarray(start, end)]);
        start = end + 1;
        parts = [];
        length = 0;
      }
      parts.push(chunk.subarray(start));
      length += chunk.length - start;
      if (length > MAX_LINE) throw refuse('has a line that no export has; it was altered');
    }
  } catch (cause) {
    if (cause instanceof BackupError) throw cause;
    throw new BackupError(`${path} ${becauseOf(cause)}`, { cause });
  }
  if (length > 0) throw refuse('is cut off; make or copy the export again');
}

async function* unpacked(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  pipeline(createReadStream(path), gunzip, () => undefined);
  for await (const chunk of gunzip) if (Buffer.isBuffer(chunk)) yield chunk;
}

const becauseOf = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'Z_BUF_ERROR') return 'is cut off; make or copy the export again';
  if (code.startsWith('Z_')) return 'is no export of Navwatch, or damaged';
  return `cannot be read (${code === '' ? 'unknown error' : code}); check the path and the permissions of the file`;
};

function parsedJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined; // The line is not JSON; the caller reports its number.
  }
}

/** Saves an export. Rejects with a `BackupError`, and then leaves no file. */
export async function saveExport(from: Readable, path: string): Promise<Omit<ExportFile, 'pages'>> {
  const partial = `${path}.partial`;
  let isOurs = false;
  try {
    if (existsSync(path)) throw new BackupError(thereAlready(path));
    const to = createWriteStream(partial, { mode: OWNER_ONLY, flags: 'wx', flush: true });
    to.once('open', () => (isOurs = true));
    await piped(from, to);
    const saved = await readExport(partial);
    if (existsSync(path)) throw new BackupError(thereAlready(path));
    await rename(partial, path);
    await syncFolder(dirname(path));
    return saved;
  } catch (cause) {
    if (cause instanceof BackupError) throw cause;
    throw new BackupError(notSaved(path, cause), { cause });
  } finally {
    from.destroy();
    if (isOurs) await rm(partial, { force: true });
  }
}

const thereAlready = (path: string): string => `${path} or ${path}.partial is there already; name another file, or remove it`;

/** Syncs the folder, so that the file's name survives a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function notSaved(path: string, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'EEXIST') return thereAlready(path);
  if (code === 'ENOSPC') return `no room is left for ${path}; free some space on its disk`;
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'].includes(code))
    return `${path} cannot be written (${code}); name a file in a folder that this user may write to`;
  const because =
    cause instanceof StoreError ? cause.message : `${code === '' ? 'the connection to the bot was cut' : code}; make it again`;
  return `the export ended before it was complete: ${because}`;
}
