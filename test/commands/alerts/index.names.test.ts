import { expect, test } from 'vitest';
import type { Reply } from '../../../src/chat/reply.js';
import { fieldLines } from '../../support/fields.js';
import { watching } from '../../support/watching.js';

test('filters on names keep the words of a phrase together, are joined with thresholds, and are taken out by name or from a menu', async () => {
  const { say, rules, deadButtons } = await watching('tide');
  await say('/alerts tide proposals title:"buy back",buyback flip stages:live');
  expect(rules()).toEqual([['proposals: stages live; title "buy back", buyback; margin flips']]);
  await say('/alerts tide proposals title:“second audit”');
  expect(rules()).toEqual([['proposals: stages live; title "second audit"; margin flips']]);
  const page = await say('/alerts tide proposals');
  expect(page.text).toContain('title: "second audit"');
  expect(await deadButtons(page.reply)).toEqual([]);
  const removal = fieldLines(page.reply).find((line) => line.includes('remove titles'));
  await say(removal ?? '');
  expect(rules()).toEqual([['proposals: stages live; margin flips']]);
  await say('/alerts tide movements only outgoing USDC category:payroll accounts:"Main vault"');
  await say('/alerts tide movements remove category account');
  expect(rules()).toEqual([['proposals: stages live; margin flips', 'movements: stages outgoing; tokens USDC']]);
});

test('the menu of tokens of a kind adds and takes out one', async () => {
  const { say, rules } = await watching('tide');
  const line = (reply: Reply, label: string) =>
    reply.fields
      .flatMap((field) => (field.kind === 'menu' && field.label === 'Which tokens' ? field.options : []))
      .find((one) => one.label === label)?.line ?? '';
  const { reply } = await say('/alerts tide movements tokens:TIDE');
  const page = await say(reply.actions[0]?.line ?? '');
  await say(line(page.reply, 'USDC'));
  expect(rules()).toEqual([['movements: tokens TIDE, USDC']]);
  await say(line((await say('/alerts tide movements')).reply, 'TIDE'));
  expect(rules()).toEqual([['movements: tokens USDC']]);
  await say(line((await say('/alerts tide movements')).reply, 'USDC'));
  expect(rules()).toEqual([[]]);
});

test('"on" before the key of a wallet switches its alerts on', async () => {
  const wallet = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
  const { say, off } = await watching(wallet);
  await say(`/alerts ${wallet} wallet off`);
  expect(off()).toEqual([['wallet']]);
  await say(`/alerts wallet on ${wallet}`);
  expect(off()).toEqual([[]]);
});
