import { expect, test } from 'vitest';
import { meantRule } from '../../../src/alerts/rules/meant-rule.js';
import { readRule } from '../../../src/alerts/rules/read-rule.js';

test.each([
  ['premum<-10', 'premium<-10'],
  ['discount>10', 'premium<-10'],
  ['discuont > 10%', 'premium<-10'],
  ['discount<5', 'premium>-5'],
  ['runwya<6 once', 'runway<6 once'],
])('"%s" means "%s"', (typed, meant) => {
  expect(meantRule(typed)).toBe(meant);
  expect(readRule(meant).read).toBe(true);
  expect(readRule(typed)).toMatchObject({ read: false, says: expect.stringContaining(`Did you mean "${meant}"?`) });
});

test.each(['weather>5', 'premum', '', 'tide'])('"%s" means no rule', (typed) => {
  expect(meantRule(typed)).toBeUndefined();
});
