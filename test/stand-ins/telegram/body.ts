/** A request's parameters, whichever of the four ways they came: query, JSON, form or multipart. */
import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { badRequest, Refusal } from './refusal.js';

export interface Upload {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Buffer;
}

/** Every value as text, as the platform treats them: a nested value is its JSON. */
export interface Fields {
  readonly values: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, Upload>;
}

const MEGABYTE = 1024 * 1024;
/** A bot may send files of so many bytes; a request that carries more is refused as a whole. */
const MOST_BYTES = 50 * MEGABYTE;

const tooLarge = () => new Refusal(413, 'Request Entity Too Large');

/** Rejects with a `Refusal` for what cannot be read. */
export async function readFields(request: IncomingMessage, query: URLSearchParams): Promise<Fields> {
  const type = (request.headers['content-type'] ?? '').toLowerCase();
  const values: Record<string, string> = Object.fromEntries(query);
  if (type.startsWith('multipart/form-data')) return readMultipart(request, values);
  const body = await readBody(request);
  if (type.startsWith('application/x-www-form-urlencoded')) Object.assign(values, Object.fromEntries(new URLSearchParams(body)));
  else if (type.startsWith('application/json')) Object.assign(values, readJson(body));
  return { values, files: new Map() };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > MOST_BYTES) throw tooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readJson(body: string): Record<string, string> {
  if (body.trim() === '') return {};
  const parsed = parseJson(body);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw badRequest("Can't parse JSON object");
  return Object.fromEntries(
    Object.entries(parsed)
      .filter(([, value]) => value !== null)
      .map(([name, value]: [string, unknown]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw badRequest("Can't parse JSON object");
  }
}

async function readMultipart(request: IncomingMessage, values: Record<string, string>): Promise<Fields> {
  const files = new Map<string, Upload>();
  const fields: Record<string, string> = { ...values };
  await new Promise<void>((resolve, reject) => {
    const parser = busboy({ headers: request.headers, defParamCharset: 'utf8', limits: { fileSize: MOST_BYTES, fieldSize: MEGABYTE } });
    const broken = (cause: unknown) => {
      request.unpipe(parser);
      reject(cause instanceof Refusal ? cause : badRequest("Can't parse multipart form data"));
    };
    parser.on('field', (name, value) => {
      fields[name] = value;
    });
    parser.on('file', (part, stream, { filename, mimeType }) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () => broken(tooLarge()));
      stream.on('error', broken);
      stream.on('end', () => files.set(part, { name: filename ?? part, mime: mimeType, bytes: Buffer.concat(chunks) }));
    });
    parser.on('close', resolve);
    parser.on('error', broken);
    request.on('aborted', () => broken(new Error('the caller went away')));
    request.pipe(parser);
  });
  return { values: fields, files };
}
