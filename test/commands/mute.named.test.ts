/** One line mutes several projects, or one proposal by the words of its title. */
import { expect, test } from 'vitest';
import { DAY, HOUR, later } from '../../src/base/clock.js';
import { CHAT, openAppHarness } from '../support/app-harness.js';

async function open(...targets: readonly string[]) {
  const harness = await openAppHarness({ answers: {} });
  for (const target of targets) await harness.say(`/watch ${target}`);
  const muted = () =>
    Object.fromEntries(
      harness.watchlists
        .read(CHAT)
        .entries.flatMap(({ target, mutedUntil }) =>
          target.kind === 'project' && mutedUntil !== undefined ? [[target.slug, mutedUntil - harness.clock.now()]] : [],
        ),
    );
  return { ...harness, muted };
}

test.each(['/mute tide and heron 2h', '/mute tide, heron 2h', '/mute tide heron for 2h', '/mute 2h tide & heron'])(
  '"%s" mutes both until the same time',
  async (line) => {
    const { say, muted, deadButtons } = await open('tide', 'heron', 'alder');
    const { text, reply } = await say(line);
    expect(text).toContain('Tidewater and Heron Flats are muted. Alerts resume 14:00 UTC');
    expect(muted()).toEqual({ tide: 2 * HOUR, heron: 2 * HOUR });
    expect(reply.actions.map((action) => action.line)).toEqual(expect.arrayContaining(['/unmute tide', '/unmute heron']));
    expect(await deadButtons(reply)).toEqual([]);
  },
);

test('a kind is muted for each of several projects', async () => {
  const { say, watchlists, clock } = await open('tide', 'heron');
  expect((await say('/mute tide and heron supply 1d')).text).toContain(
    'Tidewater supply alerts and Heron Flats supply alerts are muted. Alerts resume Nov 21, 12:00 UTC',
  );
  expect(watchlists.read(CHAT).entries).toMatchObject([
    { mutedKinds: { supply: clock.now() + DAY } },
    { mutedKinds: { supply: clock.now() + DAY } },
  ]);
});

test('none of several is muted if one of them is not watched', async () => {
  const { say, muted } = await open('tide');
  expect((await say('/mute tide and heron 2h')).text).toContain('does not watch Heron Flats');
  expect(muted()).toEqual({});
});

test('several without a time get a button each', async () => {
  const { say, deadButtons } = await open('tide', 'heron');
  const asked = await say('/mute tide and heron');
  expect(asked.reply.actions.map(({ line }) => line)).toEqual(expect.arrayContaining(['/mute tide', '/mute heron']));
  expect(await deadButtons(asked.reply)).toEqual([]);
});

const AUDIT = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const HIRING = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const proposal = (publicKey: string, title: string) => ({
  ...{ id: publicKey.slice(0, 2), publicKey, title, organizationSlug: 'tide', organizationName: 'Tidewater', status: 'live' },
  ...{ startDate: '2026-11-19T09:00:00Z', endDate: '2026-11-20T23:00:00Z', passEdge: '2.1', passedThresholdBps: 150 },
});

async function openWithProposals(...all: readonly ReturnType<typeof proposal>[]) {
  const harness = await openAppHarness({
    answers: {
      '/v1/proposal': { data: all, total: all.length },
      ...Object.fromEntries(all.map((one) => [`/v1/proposal/${one.publicKey}`, one])),
    },
  });
  await harness.say('/watch tide');
  const muted = () => Object.keys(harness.watchlists.read(CHAT).mutedTopics ?? {});
  return { ...harness, muted };
}

test('one vote is muted by the words of its title, and unmuted so', async () => {
  const { say, muted, clock, watchlists, deadButtons } = await openWithProposals(
    proposal(AUDIT, 'Fund the second audit'),
    proposal(HIRING, 'Hire a designer'),
  );
  const { text, reply } = await say('/mute proposal tide second audit 1d');
  expect(text).toContain('The proposal "Fund the second audit" of Tidewater is muted. Alerts resume Nov 21, 12:00 UTC');
  expect(muted()).toEqual([`proposals/tide/${AUDIT}`]);
  expect(await deadButtons(reply)).toEqual([]);
  await say('/unmute proposal tide second audit');
  expect(watchlists.read(CHAT).mutedTopics?.[`proposals/tide/${AUDIT}`]).toBe(clock.now());
});

test('the only open vote of a project needs no words', async () => {
  const { say, muted } = await openWithProposals(proposal(AUDIT, 'Fund the second audit'));
  expect((await say('/mute proposal tide')).text).toContain(
    'The proposal "Fund the second audit" of Tidewater is not muted. Mute for how long?',
  );
  await say('/mute proposal tide 2h');
  expect(muted()).toEqual([`proposals/tide/${AUDIT}`]);
});

test('of several open votes, each has a button that keeps the time', async () => {
  const { say, muted, deadButtons } = await openWithProposals(
    proposal(AUDIT, 'Fund the second audit'),
    proposal(HIRING, 'Hire a designer'),
  );
  const { reply } = await say('/mute proposal tide 2h');
  expect(muted()).toEqual([]);
  expect(reply.actions.map(({ line }) => line)).toEqual(
    expect.arrayContaining([`/mute proposal ${AUDIT} 2h`, `/mute proposal ${HIRING} 2h`]),
  );
  expect(await deadButtons(reply)).toEqual([]);
});

test('of votes that share a title, the one that the chat follows is muted, and the muted one is unmuted', async () => {
  const { say, muted, watchlists, clock } = await openWithProposals(proposal(AUDIT, 'Fund the audit'), proposal(HIRING, 'Fund the audit'));
  await say(`/watch proposal ${HIRING}`);
  await say('/mute proposal tide audit 2h');
  expect(muted()).toEqual([`proposals/tide/${HIRING}`]);
  await say('/unmute proposal tide audit');
  expect(watchlists.read(CHAT).mutedTopics?.[`proposals/tide/${HIRING}`]).toBe(clock.now());
});

test('a mute of a project mutes the vote that is followed by itself, and its unmute ends both', async () => {
  const { say, watchlists, clock } = await openWithProposals(proposal(AUDIT, 'Fund the second audit'));
  await say(`/watch proposal ${AUDIT}`);
  const topic = `proposals/tide/${AUDIT}`;
  const until = () => watchlists.read(CHAT).mutedTopics?.[topic] ?? 0;
  await say('/mute tide supply 2h');
  expect(until()).toBe(0);
  expect((await say('/mute tide 2h')).text).toContain('Muted too: the proposal "Fund the second audit"');
  expect(until()).toBe(later(clock.now(), 2 * HOUR));
  await say('/unmute tide');
  expect(until()).toBe(clock.now());
});

test('a title of proposals in several projects means the live one, and asks with a date where several are', async () => {
  const open = async (...live: readonly string[]) => {
    const all = [AUDIT, HIRING].map((key) => ({
      ...proposal(key, 'Move reserves to short bills'),
      ...(live.includes(key) ? {} : { status: 'passed', endDate: '2026-11-01T09:00:00Z' }),
    }));
    const harness = await openAppHarness({
      answers: {
        '/v1/global-dashboard/search': {
          proposals: all.map(({ publicKey, title }) => ({ proposalPublicKey: publicKey, proposalTitle: title, organizationSlug: 'tide' })),
        },
        ...Object.fromEntries(all.map((one) => [`/v1/proposal/${one.publicKey}`, one])),
      },
    });
    await harness.directory.refresh();
    return harness;
  };
  const one = await open(HIRING);
  await one.say('/watch proposal short bills');
  expect(one.watchlists.read(CHAT).entries.map(({ target }) => target.kind === 'market' && target.topic)).toEqual([
    `proposals/tide/${HIRING}`,
  ]);
  const both = await open(AUDIT, HIRING);
  const { text, reply } = await both.say('/watch proposal short bills');
  expect(text).toContain('2 open proposals match "short bills". Which one?');
  expect(reply.actions.map(({ label }) => label)).toEqual([expect.stringContaining('Nov 20'), expect.stringContaining('Nov 20')]);
});
