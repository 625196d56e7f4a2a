import { expect, test } from 'vitest';
import { burn } from '../alerts/harness.js';
import { count } from '../alerts/delivery/delivering.js';
import { NOON } from '../feeds/reading.js';
import { later, MINUTE } from '../../src/base/clock.js';
import { slug } from '../../src/domain/scalars.js';
import { supply } from '../../src/feeds/supply.js';
import { weighed } from './planted.js';
import { countedIn, type ShownEvent } from './receipted.js';

const burned = (index: number): ShownEvent => {
  const event = burn(index, later(NOON, index * MINUTE), { project: slug(`project-${index}`) });
  return { event, content: { ...supply.content(event), headline: [`Burn ${index}.`], details: [[`Detail ${index}.`]] } };
};

const raised = (index: number): ShownEvent => {
  const { event, content } = burned(index);
  return {
    event: { ...event, feed: 'launches', stage: 'new', project: undefined, facts: {} },
    content: { ...content, about: 'Raises', headline: [`Raise ${index}.`] },
  };
};

const verdict = (texts: readonly string[], events: readonly ShownEvent[], marks: readonly string[]) => {
  const planted = marks.map((mark) => ({ order: {}, mark }));
  const { lost, doubled } = weighed({ name: 'a chat', exact: true }, { texts, beyond: countedIn(events), planted });
  return { lost, doubled };
};

test('a total beyond the tenth line names none of its events: they are only counted', () => {
  const { hidden, inFull } = countedIn([...count(10).map(burned), ...count(12).map((index) => raised(index + 20))]);
  expect(inFull).toHaveLength(10);
  expect(hidden.map((words) => words.split('\n')[0])).toEqual(count(12).map((index) => `Raise ${index + 20}.`));
});

test('a total names a few of its events and counts the others', () => {
  const { hidden, inFull } = countedIn(count(12).map(raised));
  expect(hidden).toHaveLength(9);
  expect(inFull.map((words) => words.split('\n')[1])).toEqual(['Raise 10.', 'Raise 11.', 'Raise 12.']);
});

test('a detail that is left out for length is not lost if its headline stands there, and is if the whole message is missing', () => {
  const marks = ['Burn 1.', 'Detail 1.'];
  expect(verdict(['Burn 1.\nDetail 1.'], [burned(1)], marks)).toEqual({ lost: [], doubled: [] });
  expect(verdict(['Burn 1.'], [burned(1)], marks)).toEqual({ lost: [], doubled: [] });
  expect(verdict([], [burned(1)], marks)).toEqual({ lost: marks, doubled: [] });
});

test('an example that a total leaves out for length is not lost if the total stands there', () => {
  const raises = count(12).map(raised);
  expect(verdict(['12 launches announced at Raises'], raises, ['Raise 12.', 'Raise 1.'])).toEqual({ lost: [], doubled: [] });
  expect(verdict([], raises, ['Raise 12.'])).toEqual({ lost: ['Raise 12.'], doubled: [] });
});
