import { expect, test } from 'vitest';
import { z } from 'zod';
import { DAY, HOUR } from '../../src/base/clock.js';
import { openActions, sweepActions } from '../../src/platforms/button-payloads.js';
import { openStore } from '../../src/store/open.js';
import { handClock } from '../support/clock.js';

const LONG = `/alerts ${'x'.repeat(200)} off`;

async function kept() {
  const store = await openStore('memory://');
  const clock = handClock();
  return { store, clock, actions: openActions(store, clock) };
}

test('a line that fits is its own payload, and a longer one is found again by its key', async () => {
  const { actions } = await kept();
  expect(await actions.payload('/watch tide', 64)).toBe('/watch tide');
  const payload = await actions.payload(LONG, 64);
  expect(payload).toMatch(/^#.{20}$/u);
  expect(await actions.line(payload)).toBe(LONG);
  expect(await actions.payload(LONG, 64)).toBe(payload);
});

test('what no button carries is no line, so a forged press is not answered as a sentence', async () => {
  const { actions } = await kept();
  for (const forged of ['', ' ', 'unwatch tide', '\u202e/unwatch tide', '=x', '!s', '?', '\u0000', `#${'A'.repeat(20)}`])
    expect(await actions.line(forged), forged).toBeUndefined();
});

test('a button is forgotten when it was not shown for ninety days, and stays while it is shown', async () => {
  const { store, clock, actions } = await kept();
  const once = await actions.payload(LONG, 64);
  const often = await actions.payload(`${LONG}y`, 64);
  for (let day = 0; day < 120; day += 1) {
    await clock.advance(DAY);
    await actions.payload(`${LONG}y`, 64);
    await sweepActions(store, clock.now());
  }
  expect(await actions.line(once)).toBeUndefined();
  expect(await actions.line(often)).toBe(`${LONG}y`);
});

test('a list behind a button is forgotten a day after it was last shown', async () => {
  const { store, clock, actions } = await kept();
  const lists = ['import', 'replace'].map((word) => `/watchlist ${word} {"entries":[{"label":"${'x'.repeat(200)}"}]}`);
  const [once = '', again = ''] = await Promise.all(lists.map(async (line) => actions.payload(line, 64)));
  await clock.advance(HOUR);
  await actions.payload(lists[1] ?? '', 64);
  await clock.advance(DAY - HOUR);
  await sweepActions(store, clock.now());
  expect([await actions.line(once), await actions.line(again)]).toEqual([undefined, lists[1]]);
});

test('what was kept before its moment was noted begins its ninety days at the first sweep', async () => {
  const { store, clock, actions } = await kept();
  const payload = await actions.payload(LONG, 64);
  const key = payload.slice(1);
  await store.collection({ prefix: 'action', version: 1, schema: z.object({ line: z.string() }) }).set(key, { line: LONG });
  await sweepActions(store, clock.now());
  await clock.advance(89 * DAY);
  await sweepActions(store, clock.now());
  expect(await actions.line(payload)).toBe(LONG);
  await clock.advance(DAY);
  await sweepActions(store, clock.now());
  expect(await actions.line(payload)).toBeUndefined();
});
