import { expect, test } from 'vitest';
import { targetName } from '../../../src/alerts/watchlist/entry.js';
import { CHAT } from '../../support/app-harness.js';
import { watching } from '../../support/watching.js';
import { fieldLines } from '../../support/fields.js';
import { walletAddress } from '../../../src/domain/wallet.js';

const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';

test('every one of many entries can be chosen', async () => {
  const { say, watchlists, entries } = await watching('tide');
  const [first] = entries();
  const more = Array.from({ length: 49 }, (_, at) => `7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRw${String(at + 11)}d`.replaceAll('0', 'z'));
  await watchlists.change(CHAT, (chat) => ({
    ...chat,
    entries: [
      ...chat.entries,
      ...more.map((address) => ({ ...first!, target: { kind: 'wallet' as const, address: walletAddress(address) } })),
    ],
  }));
  const { reply } = await say('/alerts');
  expect(reply.fields.map(({ label }) => label)).toEqual(['Choose an entry, 1–25', 'Choose an entry, 26–50']);
  expect(fieldLines(reply)).toEqual(entries().map(({ target }) => `/alerts ${targetName(target)}`));
});

test('every choice of every menu works, and marks the current value', async () => {
  const { say, deadButtons, entries } = await watching('tide', `${WALLET} fund-1`);
  for (const { target } of entries())
    for (const { line: page } of (await say(`/alerts ${targetName(target)}`)).reply.fields.flatMap((field) =>
      field.kind === 'menu' && field.label === 'Edit a kind' ? field.options : [],
    )) {
      const { reply } = await say(page);
      expect(reply.fields.at(-1)).toMatchObject({ kind: 'text', line: `${page} {}` });
      // A backtest changes nothing, and needs history.
      for (const line of fieldLines(reply).filter((one) => !one.endsWith(' backtest'))) {
        const { reply: after, text } = await say(line);
        expect({ line, tone: after.tone, dead: await deadButtons(after) }, text).toEqual({ line, tone: 'plain', dead: [] });
        const marked = (await say(page)).reply.fields.some((field) => field.kind === 'menu' && field.options.some(({ on }) => on));
        expect(marked || line.includes('remove'), line).toBe(true);
        await say(`${page} usual`);
      }
    }
});

test('the menu of stages adds and takes out one at a time', async () => {
  const { say, rules } = await watching('tide');
  const choose = async (label: string) => {
    const { reply } = await say('/alerts tide supply');
    expect(new Set(fieldLines(reply)).size).toBe(fieldLines(reply).length);
    const option = reply.fields.flatMap((field) => (field.kind === 'menu' ? field.options : [])).find((one) => one.label === label);
    await say(option?.line ?? '');
  };
  await choose('mint');
  expect(rules()).toEqual([['supply: stages mint']]);
  await choose('burn');
  await choose('mint');
  expect(rules()).toEqual([['supply: stages burn']]);
  await choose('burn');
  expect(rules()).toEqual([[]]);
});

test('what is too old for an entry is chosen, named, and usual again', async () => {
  const { say, entries } = await watching('tide');
  await say('/alerts tide age 12h');
  expect(entries()).toMatchObject([{ maxAgeHours: 12 }]);
  await say('/alerts age 1w');
  expect(entries()).toMatchObject([{ maxAgeHours: 168 }]);
  expect((await say('/alerts tide age 31d')).text).toContain('It can be from 1 h to 30 d');
  await say('/alerts tide age usual');
  expect(entries()[0]?.maxAgeHours).toBeUndefined();
});

test('the menu "When an alert is over" is there for a kind with rules', async () => {
  const { say } = await watching('tide');
  await say('/alerts tide premium below -10');
  for (const [kind, way] of [
    ['premium', 'message'],
    ['treasury', 'off'],
    ['proposals', 'message'],
  ] as const) {
    const { reply } = await say(`/alerts tide ${kind}`);
    expect(fieldLines(reply)).toContain(`/alerts tide ${kind} back:${way}`);
  }
});
