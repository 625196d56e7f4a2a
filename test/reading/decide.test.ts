import { beforeAll, expect, test } from 'vitest';
import type { Registry } from '../../src/dispatch/registry.js';
import { readLearned } from '../../src/reading/learned.js';
import { createReader, type PhraseReader } from '../../src/reading/reader.js';
import { decided, loadPhraseRegistry } from './phrase-score.js';

let registry: Registry;
let reader: PhraseReader;
beforeAll(async () => {
  registry = await loadPhraseRegistry();
  reader = await createReader({ commands: registry.catalogue.commands, learned: await readLearned(), pause: async () => {} });
}, 120_000);

const decide = async (text: string) => (await decided(text, { reader, registry })).decision;

test.each([
  ['is tide cheap?', '/premium tide'],
  ['top 3 discounts', '/screen sort:premium:lowest'],
  ['compare tide and alder', '/compare tide alder'],
  ['what is nav', '/help nav'],
])('"%s" is sure', async (text, line) => {
  expect(await decide(text)).toMatchObject({ kind: 'run', line });
});

test.each([
  ['tell me when tide drops below nav', '/alerts tide premium<0'],
  ['alert me if alder price drops 10%', '/alerts alder price move 10%'],
  ['tell me if tide loses 5% in a day', '/alerts tide price24h<-5'],
  ['alert me when alder discount falls below 10%', '/alerts alder premium>-10'],
  ['mute tide until tomorrow 9am', '/mute tide 2026-11-21 09:00'],
  ['stop watching heron', '/unwatch heron'],
])('"%s" is proposed as "%s"', async (text, line) => {
  expect(await decide(text)).toMatchObject({ kind: 'propose', lines: [line] });
});

test.each(['unwatch all except alder', 'dont mute tide', 'never watch alder', 'what happens if I unwatch all', 'do not unwatch all'])(
  '"%s" proposes no change',
  async (text) => {
    const decision = await decide(text);
    expect(decision.kind).not.toBe('propose');
    const lines = 'lines' in decision ? decision.lines : [decision.line];
    expect(lines.filter((line) => /^\/(?:un)?(?:watch|mute) /u.test(line))).toEqual([]);
  },
);

test.each(['is foobar cheap?', 'premium tide nov 31', 'alert me when foobar drops below nav'])(
  '"%s" is not sure: something in it was not understood',
  async (text) => {
    expect(['offer', 'talk']).toContain((await decide(text)).kind);
  },
);

test('a question that nobody can answer leads to what is known', async () => {
  expect(await decide('will tide pump')).toMatchObject({ kind: 'talk', talk: 'unknowable', lines: ['/premium tide'] });
});
