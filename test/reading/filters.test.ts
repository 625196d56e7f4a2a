/** Negated conditions of a screen are the opposite of what they name, or no filter. */
import { expect, test } from 'vitest';
import { filterIn } from '../../src/reading/filters.js';
import { hear } from '../../src/reading/heard.js';
import { PHRASE_WORLD } from './phrase-score.js';

const filterOf = (text: string): string | undefined => filterIn(hear(text, PHRASE_WORLD, undefined));

test.each([
  ['which coins are not overvalued', 'premium<0'],
  ["coins that aren't expensive", 'premium<0'],
  ['projects that are not undervalued', 'premium>0'],
  ['coins that are not cheap', 'premium>0'],
  ['tokens not trading at a premium', 'premium<0'],
  ['tokens not at a discount', 'premium>0'],
  ['coins not at a discount of 10%', 'discount<10'],
  ['coins not at a discount of more than 10%', 'discount<10'],
  ['not more than 20% above nav', 'premium<20'],
  ['at most 20% above nav', 'premium<20'],
  ['less than 20% above nav', 'premium<20'],
  ['projects with a runway of not less than 12 months', 'runway>12'],
  ['coins with no more than 5m market cap', 'cap<5m'],
  ['coins not under 6 months of runway', 'runway>6'],
  ['projects without live proposals', 'live<1'],
  ['cheap coins with no open votes', 'live<1 premium<0'],
])('"%s" filters %s', (text, filter) => {
  expect(filterOf(text)).toBe(filter);
});

test('a condition that is negated in another way becomes no filter', () => {
  expect(filterOf('projects without a runway over 12 months')).toBeUndefined();
});
