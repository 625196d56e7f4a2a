/** What backtests can try: a kind's history has each of its measures, or says why it has not. */
import { expect, test } from 'vitest';
import { FEEDS } from '../../src/feeds/index.js';

test('the history of each kind has each measure of its rules, or says in a sentence why it is missing', () => {
  const silent = FEEDS.flatMap(({ id, alerts, history }) =>
    'unavailable' in history
      ? []
      : alerts.measures
          .filter((measure) => !history.measures.includes(measure) && !/^[A-Z].*\.$/u.test(history.lacks[measure] ?? ''))
          .map((measure) => `${id}: ${measure}`),
  );
  expect(silent).toEqual([]);
});
