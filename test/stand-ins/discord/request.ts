/** A request's body as it comes over the line: JSON, or a form with `payload_json` and `files[n]`. */
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import busboy from 'busboy';
import { refusal } from './refusal.js';

export interface Upload {
  /** The name of the part, `files[0]`. */
  readonly field: string;
  /** The number in it, as attachments refer to it. */
  readonly index: string;
  readonly name: string;
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
}

export interface Payload {
  readonly body: unknown;
  readonly uploads: readonly Upload[];
  /** The size on the line, in bytes. */
  readonly size: number;
}

/** Reads it to the end; throws 50109 for a body that is no JSON. */
export async function readPayload(incoming: IncomingMessage): Promise<Payload> {
  const bytes = await buffer(incoming);
  const type = incoming.headers['content-type'] ?? '';
  if (bytes.length === 0) return { body: undefined, uploads: [], size: 0 };
  if (type.startsWith('multipart/form-data')) {
    const { json, uploads } = await readForm(bytes, type);
    return { body: json === undefined ? {} : parseJson(json), uploads, size: bytes.length };
  }
  return { body: parseJson(bytes.toString()), uploads: [], size: bytes.length };
}

async function readForm(bytes: Buffer, type: string): Promise<{ readonly json: string | undefined; readonly uploads: readonly Upload[] }> {
  const parts = busboy({ headers: { 'content-type': type } });
  const uploads: Upload[] = [];
  let json: string | undefined;
  return new Promise((resolve, reject) => {
    parts.on('field', (name, value) => {
      if (name === 'payload_json') json = value;
    });
    parts.on('file', (field, stream, { filename, mimeType }: { readonly filename?: string; readonly mimeType?: string }) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const index = /^files?\[(\d+)\]$/.exec(field)?.[1] ?? String(uploads.length);
        uploads.push({ field, index, name: filename ?? 'unknown', contentType: mimeType, bytes: Buffer.concat(chunks) });
      });
    });
    parts.on('close', () => resolve({ json, uploads }));
    parts.on('error', reject);
    parts.end(bytes);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refusal('badJson');
  }
}
