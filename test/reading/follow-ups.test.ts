import { expect, test } from 'vitest';
import { followUp, type LastQuestion } from '../../src/reading/follow-ups.js';
import { hear, vocabularyOf } from '../../src/reading/heard.js';
import { PHRASE_WORLD } from './phrase-score.js';

const premium: LastQuestion = {
  command: 'premium',
  values: { project: 'tide' },
  choices: { project: undefined, range: ['1D', '1W', '1M', '3M', 'ALL'], at: undefined },
};
const holders: LastQuestion = {
  command: 'holders',
  values: { project: 'tide', view: 'ranking' },
  choices: { project: undefined, view: ['ranking', 'distribution'], page: undefined },
};

const VOCABULARY = vocabularyOf(['time', 'live', 'project']);

const after = (last: LastQuestion, text: string) => followUp(hear(text, PHRASE_WORLD, VOCABULARY), last);

test.each(['more', 'next page'])('"%s" shows the next page of a list, and nothing after its last', (text) => {
  const next = '/holders tide ranking 2';
  expect(after({ ...holders, next }, text)).toEqual({ kind: 'next', line: next });
  expect(after(holders, text)).toBeUndefined();
});

test.each([
  ['and alder?', premium, { project: 'alder' }],
  ['what about kelp garden', premium, { project: 'kelp-garden' }],
  ['1 month', premium, { project: 'tide', range: '1M' }],
  ['all time', premium, { project: 'tide', range: 'ALL' }],
  ['as a chart', premium, { project: 'tide' }],
])('"%s" asks the last question with another option', (text, last, values) => {
  expect(after(last, text)).toEqual({ kind: 'change', command: last.command, values });
});

test.each(['why?', 'where does that come from', 'where from?', 'source?', 'who says that', 'are you sure?', 'how old is this data'])(
  '"%s" after an answer with figures shows where they are from',
  (words) => {
    const sources = { kind: 'change', command: 'sources', values: { key: 'Xk3_a9QmTz' } };
    expect(after({ ...premium, sources: 'Xk3_a9QmTz' }, words)).toEqual(sources);
  },
);

test('"why?" asks about what the last question was about', () => {
  expect(after(premium, 'why?')).toEqual({ kind: 'change', command: 'why', values: { topic: 'tide' } });
});

test.each([
  ['its runway', 'its runway tide', true],
  ['what about its runway', 'its runway tide', true],
  ['and what about its treasury?', 'its treasury? tide', true],
  ['and who owns it', 'who owns it tide', true],
  ['the treasury?', 'the treasury? tide', true],
  ['top discounts', 'top discounts tide', false],
])('"%s" is read as "%s" with the last project behind it; its words refer to it: %s', (text, about, refers) => {
  expect(after(premium, text)).toEqual({ kind: 'about', text: about, refers });
});

const screen: LastQuestion = {
  command: 'screen',
  values: { filter: 'sort:premium:lowest' },
  choices: { filter: undefined, page: undefined },
  rows: ['heron', 'alder', undefined, 'kelp-garden'],
};

test.each([
  ['the second one', 'alder'],
  ['#2', 'alder'],
  ['the first', 'heron'],
  ['number 4', 'kelp-garden'],
  ['tell me more about the last one', 'kelp-garden'],
])('"%s" behind a list is the project in that row', (text, project) => {
  expect(after(screen, text)).toEqual({ kind: 'change', command: 'project', values: { project } });
});

test.each([
  ['runway of #2', 'runway of alder'],
  ['watch the second one', 'watch alder'],
  ['is the first one cheap?', 'is heron cheap'],
])('"%s" behind a list is read as "%s"', (text, meant) => {
  expect(after(screen, text)).toEqual({ kind: 'about', text: meant, refers: true });
});

test.each(['more', 'next page', 'show me more', 'the rest please'])('"%s" shows the next page of the answer, if it has one', (text) => {
  const next = '/screen sort:premium:lowest page:2';
  expect(after({ ...screen, next }, text)).toEqual({ kind: 'next', line: next });
  expect(after({ ...premium, next: undefined }, text)?.kind).toBe('change');
});

test.each(['the third one', '#9', 'the first time', 'last week'])('"%s" names no row of the list', (text) => {
  expect(after(screen, text)?.kind).not.toBe('change');
});

test('"and heron" behind a comparison of two compares three', () => {
  const compared: LastQuestion = { command: 'compare', values: { projects: 'tide and alder' }, choices: { projects: undefined } };
  expect(after(compared, 'and heron')).toEqual({ kind: 'change', command: 'compare', values: { projects: 'tide alder heron' } });
});

test('"more" about a project, of which there is no next page, shows the project', () => {
  expect(after(premium, 'more')).toEqual({ kind: 'change', command: 'project', values: { project: 'tide' } });
});

test.each([
  'projects that are not cheap',
  'coins without live proposals',
  'which token has that',
  'premium of alder',
  'which projects have a live proposal and a discount over ten percent',
  'compare alder and heron',
  'price of sol',
  'price of eth',
  'what about btc',
  'and bitcoin?',
])('"%s" stands alone', (text) => {
  expect(after(premium, text)).toBeUndefined();
});

test.each(['keep me posted on that vote', 'follow it', 'please follow just this one', 'let me know how it ends'])(
  '"%s" after a proposal follows that proposal',
  (words) => {
    const proposal = { command: 'proposal', choices: { project: undefined, words: undefined } };
    expect(after({ ...proposal, values: { project: 'tide', words: 'second audit' } }, words)).toEqual({
      ...{ kind: 'change', command: 'watch' },
      values: { target: 'proposal tide second audit' },
    });
    expect(after(premium, words)).not.toMatchObject({ command: 'watch' });
  },
);
