import { expect, test } from 'vitest';
import { labelFault } from '../../../src/dispatch/watchlists/targets.js';

test.each(['all', 'Launches', 'supply', 'WALLET', '24h', '2 days', 'off', 'tomorrow 9:00', '18:00', 'everything', 'test'])(
  '"%s" means something else, so nothing is labelled so',
  (label) => {
    expect(labelFault(label, [])).toBe(`"${label}" can't be a label: it already has a meaning in commands. Choose another one.`);
  },
);

test.each(['evil\u{202E}dlog', 'zero\u{200B}width', 'two\u{2028}lines', 'two\nlines', 'a\ttab'])(
  '%j holds what cannot be seen',
  (label) => {
    expect(labelFault(label, [])).toMatch(/^A label is .+ Choose another one\.$/u);
  },
);

test.each(['fund-1', 'cold storage', 'supply fund', '24h desk', '👩‍🚀 crew', 'Ж'])('"%s" is a label', (label) => {
  expect(labelFault(label, [])).toBeUndefined();
});
