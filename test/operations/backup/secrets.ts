/** Which secrets an export holds, in plain text or in a compressed document. */
import { inflateRawSync } from 'node:zlib';
import { readExport } from '../../../src/operations/backup/export-file.js';

const plain = (text: string): string => {
  const [, body] = /"z":"([^"]*)"\}$/u.exec(text) ?? [];
  return body === undefined ? text : inflateRawSync(Buffer.from(body, 'base64')).toString();
};

export async function secretsInExport(file: string, secrets: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const page of (await readExport(file)).pages())
    for (const [key, text] of page)
      for (const secret of secrets) if (key.includes(secret) || plain(text).includes(secret)) found.add(secret);
  return [...found];
}
