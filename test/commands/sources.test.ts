import { expect, test } from 'vitest';
import { DAY } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import type { Reply } from '../../src/chat/reply.js';
import { GUEST, openAppHarness } from '../support/app-harness.js';

const BREAKDOWN = '/v1/dao/treasury/premium-discount-breakdown';
const answers = { [BREAKDOWN]: { spotPrice: '0.5848', navPerAdjustedShare: '0.4940', updatedAt: '2026-11-20T11:55:00Z' } };

const buttonOf = ({ actions }: Reply): string => actions.find(({ label }) => label === 'Sources')?.line ?? '';

test('the sources of a premium are its requests, their age, the exact inputs and the arithmetic', async () => {
  const { say, deadButtons } = await openAppHarness({ answers });
  const { reply } = await say('/premium tide');
  expect(reply.actions.at(-1)).toMatchObject({ label: 'Sources' });
  expect(await deadButtons(reply)).toEqual([]);
  const { reply: shown, text } = await say(buttonOf(reply));
  expect(shown).toMatchObject({ tone: 'plain', audience: 'asker' });
  expect(shown.finding).toContainEqual({ code: '/premium tide' });
  expect(text).toContain(`GET ${BREAKDOWN}?slug=tide`);
  expect(text).toContain('§4.9 · data of 11:55 UTC · fetched 12:00 UTC');
  expect(text).toContain('(0.5848 / 0.494 − 1) × 100 = 18.380');
  expect(text).toContain('0.5848 price (1) · 0.494 NAV per share (1)');
  expect(shown.actions).toMatchObject([{ label: 'Ask again', line: '/premium tide' }]);
});

test('sources show what the reply showed, not what holds now, and how to ask again once they are deleted', async () => {
  const breakdown = { ...answers[BREAKDOWN] };
  const { say, clock, sources } = await openAppHarness({ answers: { [BREAKDOWN]: breakdown } });
  const line = buttonOf((await say('/premium tide')).reply);
  breakdown.spotPrice = '0.7';
  await clock.advance(29 * DAY);
  expect((await say('/premium tide')).text).not.toContain('18.4%');
  expect((await say(line)).text).toContain('0.5848 / 0.494');
  await clock.advance(DAY);
  await sources.sweep();
  const { reply, text } = await say(line);
  expect(reply).toMatchObject({ tone: 'warning', actions: [{ label: 'Ask again', line: '/premium tide' }] });
  expect(text).not.toContain('0.5848');
});

test('the sources of a backtest have the figures of the events that it names', async () => {
  const { say } = await openAppHarness();
  const { reply, text } = await say('/alerts tide supply backtest');
  const [, rounded = ''] = /\(\+([\d.]+)% of supply/u.exec(text) ?? [];
  expect(rounded).not.toBe('');
  expect((await say(buttonOf(reply))).text).toMatch(new RegExp(`\\+${rounded.replace('.', '\\.')}%: \\d+\\.\\d{3,}`, 'u'));
});

test('a key from another chat and one that never was are refused', async () => {
  const { say, ask } = await openAppHarness({ answers });
  const line = buttonOf((await say('/premium tide')).reply);
  for (const ended of [
    await ask({ chat: address('console', 'other'), ask: { line } }),
    await say('/sources aaaaaaaaaa'),
    await say('/sources ../../etc'),
  ])
    expect(ended.reply).toMatchObject({ tone: 'warning', audience: 'asker' });
  expect((await say(line, GUEST)).reply).toMatchObject({ tone: 'plain' });
});

test('a group that moved to another address still has the sources of its replies', async () => {
  const { ask, watchlists, clock } = await openAppHarness({ answers, access: { open: true, listed: [], operators: [] } });
  const [group, supergroup] = [address('telegram', '-5'), address('telegram', '-1005')];
  const line = buttonOf((await ask({ chat: group, ask: { line: '/premium tide' } })).reply);
  expect((await ask({ chat: supergroup, ask: { line } })).reply.tone).toBe('warning');
  await watchlists.change(group, (chat) => ({ ...chat, left: { at: clock.now(), because: 'moved', movedTo: supergroup } }));
  expect((await ask({ chat: supergroup, ask: { line } })).text).toContain('0.5848 / 0.494');
});

test('a reply without the figures of the service, and one that is posted without buttons, has no sources', async () => {
  const { say, ask } = await openAppHarness({ answers });
  for (const line of ['/help', '/premium nonsense', '/settings', '/privacy']) expect(buttonOf((await say(line)).reply), line).toBe('');
  expect(buttonOf((await ask({ ask: { line: '/premium tide' }, withoutButtons: true })).reply)).toBe('');
});

test('text of the service stays text', async () => {
  const bait = '<b>[x](https://example.com)</b>';
  const { say } = await openAppHarness({ answers: { '/v1/dao/treasury': [{ symbol: bait, usdValue: '1234567.89', amount: '5' }] } });
  const { reply } = await say('/treasury tide holdings');
  const { reply: shown, text } = await say(buttonOf(reply));
  expect(text).toContain(bait);
  const spans = shown.blocks.flatMap((block) =>
    block.kind === 'list' ? block.items.flatMap(({ line, detail = [] }) => [...line, ...detail]) : [],
  );
  expect(spans.length).toBeGreaterThan(3);
  expect(spans).not.toContainEqual(expect.objectContaining({ url: expect.anything() }));
});

test('many and long formulas are pages that a platform shows whole, and what is cut is in a file', async () => {
  const { say, deadButtons } = await openAppHarness({
    answers: {
      '/v1/dao/treasury': Array.from({ length: 40 }, (_, index) => ({
        ...{ symbol: `COIN${index}`, amount: '5', usdValue: `${index + 1}1234567.1234567890123` },
      })),
    },
  });
  let line = buttonOf((await say('/treasury tide holdings')).reply);
  const seen: string[] = [];
  for (let page = 0; line !== '' && page < 50; page += 1) {
    const { reply, text } = await say(line);
    expect(text.length).toBeLessThan(4_096);
    expect(reply.files).toMatchObject([
      { type: 'text/plain', text: expect.stringContaining('401234567.1234567890123 + 391234567.1234567890123') },
    ]);
    expect(await deadButtons(reply)).toEqual([]);
    seen.push(text);
    line = reply.actions.find(({ label }) => label === 'Next page')?.line ?? '';
  }
  expect(seen.length).toBeGreaterThan(3);
  expect(seen.join()).toContain('$211M (COIN20, Value): 211234567.1234567890123');
  expect(seen.join()).toContain('…');
  // The total is written out once, and the shares refer to it.
  expect(seen.join()).toMatch(/4\.9% \(COIN39, Value\) = 401234567\.1234567890123 × 100 \/ \d+\.\d+ = .*\n.*shown as \$8\.25B/u);
});
