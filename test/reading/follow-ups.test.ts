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

test.each([
  ['and alder?', premium, { project: 'alder' }],
  ['what about kelp garden', premium, { project: 'kelp-garden' }],
  ['1 month', premium, { project: 'tide', range: '1M' }],
  ['all time', premium, { project: 'tide', range: 'ALL' }],
  ['as a chart', premium, { project: 'tide' }],
  ['more', holders, { project: 'tide', view: 'ranking', page: '2' }],
  ['next page', { ...holders, values: { ...holders.values, page: '2' } }, { project: 'tide', view: 'ranking', page: '3' }],
])('"%s" asks the last question with another option', (text, last, values) => {
  expect(after(last, text)).toEqual({ kind: 'change', command: last.command, values });
});

test('"why?" asks about what the last question was about', () => {
  expect(after(premium, 'why?')).toEqual({ kind: 'change', command: 'why', values: { topic: 'tide' } });
});

test.each([
  ['its runway', true],
  ['and who owns it', true],
  ['the treasury?', true],
  ['top discounts', false],
])('"%s" is read with the last project behind it; its words refer to it: %s', (text, refers) => {
  expect(after(premium, text)).toEqual({ kind: 'about', text: `${text} tide`, refers });
});

test.each(['premium of alder', 'which projects have a live proposal and a discount over ten percent', 'compare alder and heron'])(
  '"%s" stands alone',
  (text) => {
    expect(after(premium, text)).toBeUndefined();
  },
);
