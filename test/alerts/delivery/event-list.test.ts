import { describe, expect, test } from 'vitest';
import { clipped, listOf } from '../../../src/alerts/delivery/event-list.js';
import type { Line } from '../../../src/chat/reply.js';
import { supply } from '../../../src/feeds/supply.js';
import { NOON } from '../../feeds/reading.js';
import { burn } from '../harness.js';

describe('a line that is cut', () => {
  const cut = (line: Line, most: number) => clipped(line, NOON, most);

  test('ends in an ellipsis within its room, and stays as it is where it fits', () => {
    expect(cut(['abcdef'], 6)).toEqual(['abcdef']);
    expect(cut(['abcdef'], 5)).toEqual(['abcd…']);
    expect(cut(['abc', 'def'], 5)).toEqual(['abc', 'd…']);
  });

  test('keeps the form of the part in which it ends, and drops what follows', () => {
    expect(cut([{ strong: 'abcdef' }, 'ghi'], 4)).toEqual([{ strong: 'abc…' }]);
    expect(cut([{ code: 'abcdef' }, 'ghi'], 4)).toEqual([{ code: 'abc…' }]);
    expect(cut(['abcd', 'efg'], 4)).toEqual(['abcd']);
  });

  test('never cuts a moment, which each platform writes in its own way', () => {
    expect(cut(['ab', { at: NOON }, 'cd'], 4)).toEqual(['ab', { at: NOON }]);
  });
});

describe('the details of an event', () => {
  const event = burn(1, NOON);
  const detailOf = (...details: readonly Line[]): string | undefined => {
    const content = { ...supply.content(event), details };
    const { block } = listOf([{ event, content }], { taken: 0, links: () => [] });
    const detail = block.kind === 'list' ? block.items[0]?.detail : undefined;
    return detail?.map((span) => (typeof span === 'string' ? span : 'strong' in span ? span.strong : '')).join('');
  };

  test('stand on one line, on which a later word begins small; an abbreviation and an emphasised word do not', () => {
    expect(detailOf(['Price $0.83'], ['Supply Now'], ['per Fund'], ['NAV $1'], [{ strong: 'Fund' }, ' it'])).toBe(
      'Price $0.83 · supply Now · per Fund · NAV $1 · Fund it',
    );
  });

  test('are none where there are none', () => {
    expect(detailOf()).toBeUndefined();
  });
});
