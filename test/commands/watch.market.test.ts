import { expect, test } from 'vitest';
import { MAX_MARKETS } from '../../src/alerts/watchlist/entry.js';
import { withEntry } from '../../src/alerts/watchlist/watchlists.js';
import { CHAT, openAppHarness } from '../support/app-harness.js';

const KEY = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const LAUNCH = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const live = {
  ...{ id: 1, publicKey: KEY, title: 'Fund the second audit', organizationSlug: 'tide', organizationName: 'Tidewater', status: 'live' },
  ...{ startDate: '2026-11-19T09:00:00Z', endDate: '2026-11-20T23:00:00Z', passEdge: '2.1', passedThresholdBps: 150 },
};

async function open(row: object = live) {
  const harness = await openAppHarness({ answers: { [`/v1/proposal/${KEY}`]: row } });
  return { ...harness, entries: () => harness.watchlists.read(CHAT).entries };
}

test('a proposal is followed with a press under it, and unfollowed there', async () => {
  const { say, entries, deadButtons } = await open();
  const shown = await say(`/proposal ${KEY}`);
  const follow = shown.reply.actions.find(({ label }) => label === 'Follow');
  expect(follow?.line).toBe(`/watch tide on ${KEY}`);
  const { text, reply } = await say(follow?.line ?? '');
  expect(text).toContain('Watching the proposal "Fund the second audit" in this chat');
  expect(text).toContain('It ends by itself after the result.');
  expect(await deadButtons(reply)).toEqual([]);
  expect(entries()).toMatchObject([{ target: { kind: 'market', topic: `proposals/tide/${KEY}`, title: 'Fund the second audit' } }]);
  const again = await say(`/proposal ${KEY}`);
  const unfollow = again.reply.actions.find(({ label }) => label === 'Unfollow')?.line ?? '';
  const { reply: over } = await say(unfollow);
  expect(entries()).toEqual([]);
  expect(await deadButtons(over)).toEqual([]);
});

test('its kinds, rules, reminders and mute are its own, by its key', async () => {
  const { say, entries } = await open();
  await say(`/watch proposal ${KEY}`);
  await say(`/alerts ${KEY} proposals margin<2`);
  await say(`/remind ${KEY} 1h`);
  await say(`/mute ${KEY} 1d`);
  expect(entries()).toMatchObject([
    {
      rules: { proposals: { filters: { remind: [60] }, thresholds: [{ when: 'flip' }, { measure: 'margin' }] } },
      mutedUntil: expect.any(Number),
    },
  ]);
  expect((await say('/watchlist')).text).toContain('the proposal "Fund the second audit"');
});

test('a vote of a project that is watched keeps its rules and reminders', async () => {
  const { say, entries } = await open();
  await say('/watch tide');
  await say('/alerts tide proposals margin<2');
  await say('/alerts tide proposals title:grants');
  await say('/remind tide 6h');
  const { text } = await say(`/watch tide on ${KEY}`);
  expect(text).toContain('Copied from the alerts of Tidewater: ');
  const rules = entries()[1]?.rules?.proposals;
  expect(rules?.filters).toMatchObject({ remind: [360] });
  expect(rules?.filters).not.toHaveProperty('title');
  expect(rules?.thresholds).toMatchObject([{ when: 'flip' }, { threshold: '2' }]);
  expect(entries()[0]?.rules?.proposals?.filters).toMatchObject({ title: ['grants'], remind: [360] });
});

test('a vote of a project whose proposals are off or for the digest only alerts by the usual rules', async () => {
  const { say, entries } = await open();
  await say('/watch tide');
  await say('/alerts tide digest');
  const { text } = await say(`/watch tide on ${KEY}`);
  expect(text).not.toContain('Copied');
  expect(entries()[1]).toMatchObject({ preset: 'important' });
});

test('a key that is known as a proposal is one, and an unknown key is a wallet', async () => {
  const { say, entries } = await open();
  await say(`/proposal ${KEY}`);
  await say(`/watch ${KEY}`);
  await say(`/watch ${LAUNCH}`);
  expect(entries().map(({ target }) => target.kind)).toEqual(['market', 'wallet']);
});

test('a proposal that is decided cannot be followed, nor a launch that nobody knows', async () => {
  const { say, entries } = await open({ ...live, status: 'resolved', result: 'approved' });
  expect((await say(`/watch tide on ${KEY}`)).text).toContain('decided already');
  expect((await say(`/watch launches on ${LAUNCH}`)).reply.tone).toBe('warning');
  expect(entries()).toEqual([]);
});

test('a proposal is not followed under the name of another project', async () => {
  const { say, entries, deadButtons } = await open();
  const { text, reply } = await say(`/watch heron on ${KEY}`);
  expect(text).toContain('That proposal is of Tidewater, not of ');
  expect(reply.actions[0]?.line).toBe(`/watch tide on ${KEY}`);
  expect(await deadButtons(reply)).toEqual([]);
  expect(entries()).toEqual([]);
});

test('words of a title mean the open one before those that are decided', async () => {
  const over = { ...live, id: 2, publicKey: LAUNCH, title: 'Fund the first audit', status: 'resolved', result: 'approved' };
  const { say, watchlists } = await openAppHarness({
    answers: { [`/v1/proposal/${KEY}`]: live, '/v1/proposal': { data: [live, over], total: 2 } },
  });
  await say('/watch proposal tide audit');
  expect(watchlists.read(CHAT).entries).toMatchObject([{ target: { topic: `proposals/tide/${KEY}` } }]);
});

test('a chat follows at most twenty, and one that is over makes room', async () => {
  const { say, entries, watchlists, clock } = await open();
  await watchlists.change(CHAT, (chat) =>
    Array.from({ length: MAX_MARKETS }, (_, at) => at).reduce(
      (one, at) =>
        withEntry(one, { target: { kind: 'market', topic: `proposals/tide/${at}` }, since: clock.now(), by: 'Ana', preset: 'important' }),
      chat,
    ),
  );
  expect((await say(`/watch tide on ${KEY}`)).text).toContain(`follows ${MAX_MARKETS} single proposals`);
  await watchlists.change(CHAT, (chat) => ({
    ...chat,
    entries: chat.entries.map((entry, at) =>
      at === 0 && entry.target.kind === 'market' ? { ...entry, target: { ...entry.target, endedAt: clock.now() } } : entry,
    ),
  }));
  await say(`/watch tide on ${KEY}`);
  expect(entries()).toHaveLength(MAX_MARKETS + 1);
});

test('it is unfollowed by the words that follow it, and not under the name of another project', async () => {
  const { say, entries } = await open();
  await say(`/watch tide on ${KEY}`);
  expect((await say(`/unwatch launches on ${KEY}`)).text).toContain('is a proposal of Tidewater.');
  expect((await say(`/unwatch launches on ${LAUNCH}`)).text).toContain('does not follow 7Hq2…x9Pd alone.');
  expect(entries()).toHaveLength(1);
  expect((await say(`/unwatch tide on ${KEY}`)).text).toContain('Stopped');
  expect(entries()).toEqual([]);
});

test('what is followed alone is named by words of its title, and one of several is chosen', async () => {
  const { say, entries, watchlists, clock, deadButtons } = await open();
  await say(`/watch proposal ${KEY}`);
  await watchlists.change(CHAT, (chat) =>
    withEntry(chat, {
      ...{ since: clock.now(), by: 'Ana', preset: 'important' },
      target: { kind: 'market', topic: `proposals/heron/${LAUNCH}`, title: 'Audit the payments' },
    }),
  );
  const unknown = await say('/unwatch proposal buyback');
  expect(unknown.text).toContain('You follow no proposal with the words "buyback"');
  expect(await deadButtons(unknown.reply)).toEqual([]);
  expect((await say('/unwatch proposal audit')).text).toContain('You follow 2 proposals like that.');
  expect(entries()).toHaveLength(2);
  await say('/unwatch proposal tide audit');
  expect(entries().map(({ target }) => target.kind === 'market' && target.title)).toEqual(['Audit the payments']);
  expect((await say('/unwatch launch audit')).text).toContain('You follow no launch');
  await say('/unwatch proposal audit');
  expect(entries()).toEqual([]);
});

test('a launch that is over is not followed, because nothing would end that', async () => {
  const launch = (state: string) => ({ launchAddr: LAUNCH, title: 'Heron Flats', organizationSlug: 'heron', state });
  const following = async (state: string): Promise<readonly unknown[]> => {
    const answers = { '/v1/global-dashboard/recent-launches': { data: [launch(state)], meta: { totalItems: 1 } } };
    const { say, watchlists } = await openAppHarness({ answers });
    const { text } = await say(`/watch launches on ${LAUNCH}`);
    return [text.includes('This launch is over already'), watchlists.read(CHAT).entries.length];
  };
  expect(await Promise.all(['Live', 'Closed', 'Complete', 'Refunding'].map(following))).toEqual([
    [false, 1],
    [false, 1],
    [true, 0],
    [true, 0],
  ]);
});
