/** Rules for projects that the chat does not watch. */
import { expect, test } from 'vitest';
import { CHAT, openAppHarness } from '../../support/app-harness.js';

const alerting = async (line: string) => {
  const harness = await openAppHarness();
  const { text } = await harness.say(line);
  const entry = harness.watchlists.read(CHAT).entries[0];
  return { ...harness, text, entry };
};

test('a rule for a project that is not watched offers to watch it with the rule or with the rule alone, typed and in plain words', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const line of ['/alerts tide premium<-10', 'tell me when tide drops below -10']) {
    const { reply } = await say(line);
    const labels = reply.actions.map(({ label, line: pressed }) => [label, pressed]);
    expect(labels).toContainEqual(['Only this rule', expect.stringMatching(/^\/alerts tide watch-only premium/u)]);
    expect(await deadButtons(reply)).toEqual([]);
  }
});

test('with the rule alone nothing else of the project alerts, and Undo unwatches it', async () => {
  const { text, entry, say, watchlists } = await alerting('/alerts tide watch-only premium<-10');
  expect(text).toContain('Only this rule alerts. Everything else is left to the /digest.');
  expect(text).toContain('Undo: /unwatch tide');
  expect(entry).toMatchObject({ preset: 'digest', rules: { premium: { thresholds: [{ threshold: '-10' }] } } });
  expect(Object.keys(entry?.rules ?? {})).toEqual(['premium']);
  await say('/unwatch tide');
  expect(watchlists.read(CHAT).entries).toEqual([]);
});

test('a rule alone for a project that is watched is not set, because the other alerts would go on', async () => {
  const { say, watchlists, deadButtons } = await openAppHarness();
  await say('/watch tide');
  const before = watchlists.read(CHAT);
  const { text, reply } = await say('/alerts tide watch-only premium<-10');
  expect(text).toContain('Tidewater is watched here already, with the preset Important.');
  expect(reply.actions.map(({ label }) => label)).toEqual(['Set this rule', 'Digest only']);
  expect(watchlists.read(CHAT)).toEqual(before);
  expect(await deadButtons(reply)).toEqual([]);
});

test.each([
  '/alerts watch-only',
  '/alerts tide watch-only',
  '/alerts nothing-like-it watch-only premium<-10',
  '/alerts tide watch-only blah',
])('%s is refused, and nothing is watched', async (line) => {
  const { text, entry } = await alerting(line);
  expect([text, entry]).toEqual([text, undefined]);
});

test('a chat whose new entries are in the digest only is not offered the same twice', async () => {
  const { say } = await openAppHarness();
  await say('/settings alerts digest');
  expect((await say('/alerts tide premium<-10')).reply.actions.map(({ label }) => label)).not.toContain('Only this rule');
});

test('a rule in plain words that the chat has already is not offered again, and says by what it is alerted', async () => {
  const { say, deadButtons } = await openAppHarness();
  await say('/watch tide');
  const { text, reply } = await say('tell me when tide drops below nav');
  expect(text).toContain('Already set: Tidewater, premium: below 0%');
  expect(text).toContain('This chat is alerted of it by the preset Important.');
  expect(await deadButtons(reply)).toEqual([]);
  await say('/alerts tide premium only below -10');
  expect((await say('tell me when tide drops below -10')).text).toContain('by its own rules of premium');
  expect((await say('tell me when tide drops below nav')).text).toContain('Set this alert?');
  await say('/alerts tide premium off');
  expect((await say('tell me when tide drops below -10')).text).toContain('Set this alert?');
});

test('a rule that only the entry for all projects has is already set for each, except for one that differs', async () => {
  const { say } = await openAppHarness();
  await say('/watch all');
  expect((await say('tell me when tide drops below nav')).text).toContain('by the preset Important of /watch all.');
  await say('/alerts tide premium off');
  expect((await say('tell me when tide drops below nav')).text).toContain('Set this alert?');
});
