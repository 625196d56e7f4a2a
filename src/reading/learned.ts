/** Phrases that people wrote, each with the template that it meant; made from the labelled sets of the tests by `npm run generate`. */
import { readFile } from 'node:fs/promises';
import type { Learned } from './reader.js';

export async function readLearned(): Promise<readonly Learned[]> {
  const text = await readFile(new URL('./learned.tsv', import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => {
    const [template, phrase] = line.split('\t');
    return template === undefined || phrase === undefined ? [] : [{ template, phrase }];
  });
}
