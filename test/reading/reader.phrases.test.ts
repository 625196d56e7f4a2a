import { readFileSync, readdirSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { Registry } from '../../src/dispatch/registry.js';
import type { PhraseReader } from '../../src/reading/reader.js';
import { judge, learnedReader, loadPhraseRegistry, phrasesIn, type Judged, type Verdict } from './phrase-score.js';

let registry: Registry;
let reader: PhraseReader;
beforeAll(async () => {
  registry = await loadPhraseRegistry();
  reader = await learnedReader(registry);
});

const judgedOnce = new Map<string, Promise<readonly Judged[]>>();
const judged = async (folder: string): Promise<readonly Judged[]> => {
  const known = judgedOnce.get(folder) ?? judgedIn(folder);
  judgedOnce.set(folder, known);
  return known;
};

const judgedIn = async (folder: string): Promise<readonly Judged[]> => {
  const from = new URL(`./${folder}/`, import.meta.url);
  const phrases = readdirSync(from).flatMap((file) => phrasesIn(readFileSync(new URL(file, from), 'utf8')));
  return Promise.all(phrases.map(async (phrase) => judge(phrase, { reader, registry })));
};

const partOf = (all: readonly Judged[], ...verdicts: readonly Verdict[]): number =>
  all.filter(({ verdict }) => verdicts.includes(verdict)).length / all.length;

test.each([
  ['phrases', { first: 0.94, offered: 0.96, wrong: 0.03 }],
  ['unseen', { first: 0.85, offered: 0.92, wrong: 0.02 }],
  ['fresh', { first: 0.82, offered: 0.88, wrong: 0.02 }],
])('of the %s most are right at first try, more with the buttons, and few are answered wrongly', async (folder, least) => {
  const all = await judged(folder);
  expect(partOf(all, 'first')).toBeGreaterThan(least.first);
  expect(partOf(all, 'first', 'offered')).toBeGreaterThan(least.offered);
  expect(partOf(all, 'wrong')).toBeLessThan(least.wrong);
});

test('no phrase of any hand is answered by a line that changes something', async () => {
  for (const { text, ran } of [...(await judged('phrases')), ...(await judged('unseen')), ...(await judged('fresh'))])
    expect([text, ran]).toEqual([text, 'nothing changed']);
});
