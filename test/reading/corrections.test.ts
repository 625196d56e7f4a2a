import { expect, test } from 'vitest';
import { afterCard } from '../../src/reading/corrections.js';
import { hear, vocabularyOf } from '../../src/reading/heard.js';
import { PHRASE_WORLD } from './phrase-score.js';

const VOCABULARY = vocabularyOf(['time', 'live', 'project', 'make', 'instead', 'sure']);
const RULE = '/alerts tide premium<-10';

const after = (card: string, text: string) => afterCard(hear(text, PHRASE_WORLD, VOCABULARY), [card]);

test.each(['yes', 'ok do it', 'yes please', 'go ahead', 'confirm', 'both'])(
  '"%s" behind a change shows it again: only a press makes it',
  (text) => {
    expect(after(RULE, text)).toEqual({ kind: 'again' });
  },
);

test.each(['no', 'nvm', 'cancel', 'no thanks', 'forget it'])('"%s" behind a change drops it', (text) => {
  expect(after(RULE, text)).toEqual({ kind: 'dropped' });
});

test.each([
  [RULE, 'no, -15', '/alerts tide premium<-15'],
  [RULE, 'make it 12%', '/alerts tide premium<-12'],
  [RULE, '-20', '/alerts tide premium<-20'],
  [RULE, 'for alder instead', '/alerts alder premium<-10'],
  [RULE, 'no, above 5%', '/alerts tide premium>5'],
  [RULE, 'for alder at -5', '/alerts alder premium<-5'],
  ['/alerts tide treasury runway<6', 'make it 9 months', '/alerts tide treasury runway<9'],
  ['/alerts tide treasury runway<6', 'make it a year', '/alerts tide treasury runway<12'],
  ['/alerts tide premium move 5', 'no, 8%', '/alerts tide premium move 8'],
  ['/mute tide 2026-11-27', 'no, 2 hours', '/mute tide 2h'],
  ['/mute tide 2h', 'until monday instead', '/mute tide 2026-11-23'],
  ['/mute 2h', 'make it 3 days', '/mute 3d'],
  ['/watch tide', 'i meant heron', '/watch heron'],
  ['/digest daily 09:00', 'make it 8:30', '/digest daily 08:30'],
  ['/settings quiet 22:00-07:00', 'no, 23:00-06:00', '/settings quiet 23:00-06:00'],
])('behind "%s", "%s" means "%s"', (card, text, line) => {
  expect(after(card, text)).toEqual({ kind: 'corrected', lines: [line] });
});

test.each(['premium of alder', 'top discounts', 'is heron cheap', 'make it 9 months', 'who owns tide'])(
  '"%s" is no word on a premium rule',
  (text) => {
    expect(after(RULE, text)).toBeUndefined();
  },
);
