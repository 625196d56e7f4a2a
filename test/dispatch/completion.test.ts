import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/base/clock.js';
import { CHAT, openAppHarness } from '../support/app-harness.js';

async function completing() {
  const harness = await openAppHarness();
  await harness.directory.all();
  const complete = async (line: string, limit = 8) => harness.registry.catalogue.complete(line, CHAT, limit);
  return {
    ...harness,
    complete,
    inserts: async (line: string, limit?: number) => (await complete(line, limit)).map(({ insert }) => insert),
  };
}

test('a half-typed command becomes the commands that begin so, with what they answer', async () => {
  const { complete, inserts } = await completing();
  expect(await complete('/pre')).toEqual([{ insert: '/premium ', label: '/premium', hint: 'Premium or discount to NAV, with its range' }]);
  expect(await inserts('wat')).toEqual(['/watch ', '/watchlist ']);
  expect(await inserts('/premuim')).toContain('/premium ');
  expect(await inserts('/', 3)).toHaveLength(3);
});

test('projects and choices follow a command, and used ones are not offered again', async () => {
  const { inserts, complete } = await completing();
  expect(await inserts('/premium ti')).toContain('/premium tide ');
  expect(await complete('/premium Heron F')).toContainEqual({ insert: '/premium heron ', label: 'Heron Flats (HERN)', hint: 'heron' });
  expect(await inserts('/premium tide 1')).toEqual(expect.arrayContaining(['/premium tide 1D ', '/premium tide 1W ', '/premium tide 1M ']));
  expect(await inserts('/treasury tide hol')).toContain('/treasury tide holdings ');
  expect(await inserts('/treasury tide view:ru')).toEqual(['/treasury tide view:runway ']);
  expect(await inserts('/treasury tide holdings ')).not.toContain('/treasury tide holdings runway ');
  expect(await inserts('/help proposals')).toEqual(['/help proposals ']);
});

test('a whole rule is offered its backtest first, and an entry alone is not', async () => {
  const { inserts } = await completing();
  expect((await inserts('/alerts tide premium below -10 '))[0]).toBe('/alerts tide premium below -10 backtest ');
  expect((await inserts('/alerts tide premium<-10 b'))[0]).toBe('/alerts tide premium<-10 backtest ');
  expect((await inserts('/alerts tide '))[0]).not.toContain('backtest');
});

test('all projects and launches are offered where they can be watched, and nowhere else', async () => {
  const { inserts } = await completing();
  expect(await inserts('/watch ', 3)).toEqual(['/watch all ', '/watch launches ', expect.stringMatching(/^\/watch /u)]);
  expect((await inserts('/watch al'))[0]).toBe('/watch all ');
  expect(await inserts('/why la')).toContain('/why launches ');
  expect(await inserts('/premium al')).not.toContain('/premium all ');
});

test('what this chat watches is offered where it can be changed', async () => {
  const { inserts, say } = await completing();
  expect(await inserts('/unwatch ')).toEqual([]);
  await say('/watch tide');
  await say('/watch launches');
  expect(await inserts('/unwatch ')).toEqual(['/unwatch tide ', '/unwatch launches ']);
  expect(await inserts('/alerts tide gr')).toEqual(['/alerts tide growth ']);
});

test('live proposals are offered by words of their titles, and metrics and filters by their names', async () => {
  const { clock, complete, sim, say } = await completing();
  await sim({ kind: 'proposal', project: 'tide', title: 'Fund the second audit', draftSeconds: 1, liveSeconds: 36_000 });
  await clock.advance(2 * SECOND);
  const offered = await complete('/proposal second');
  expect(offered).toMatchObject([{ label: expect.stringContaining('Fund the second audit'), hint: 'live proposal' }]);
  expect((await say(offered[0]?.insert ?? '')).text).toContain('Fund the second audit');
  expect((await complete('/proposal ti')).map(({ hint }) => hint)).toContain('tide');
  for (const [line, about] of [
    ['/growth tide metric:fe', 'fees'],
    ['/screen runw', 'runway'],
  ] as const) {
    const [first] = await complete(line);
    expect(first?.insert).toContain(about);
    expect((await say(first?.insert ?? '')).reply.tone, line).not.toBe('warning');
  }
});

test('projects are offered from the first letter after the first start', async () => {
  const harness = await openAppHarness();
  const found = await harness.registry.catalogue.completeOption({ command: 'premium', option: 'project', partial: '', chat: CHAT }, 25);
  expect(found.length).toBeGreaterThan(3);
});

test('live proposals are kept for a minute, however many letters are typed, and a service that is down leaves the projects', async () => {
  const { clock, complete, sim } = await completing();
  await complete('/proposal f');
  await sim({ kind: 'proposal', project: 'tide', title: 'Fund the second audit', draftSeconds: 1, liveSeconds: 36_000 });
  await clock.advance(2 * SECOND);
  expect((await complete('/proposal second')).map(({ hint }) => hint)).not.toContain('live proposal');
  await clock.advance(MINUTE);
  await expect.poll(async () => (await complete('/proposal second')).map(({ hint }) => hint)).toContain('live proposal');
  await sim({ kind: 'down' });
  expect((await complete('/proposal ti')).map(({ hint }) => hint)).toContain('tide');
});

test('every suggestion can be sent unchanged or continued', async () => {
  const { inserts, say } = await completing();
  for (const line of ['/premium ', '/treasury tide ', '/supply heron ', '/growth glass-pier ', '/launches ']) {
    for (const insert of await inserts(line)) expect((await say(insert)).reply.tone, insert).not.toBe('warning');
  }
});

test('without data, behind an open quote, and behind an unknown command it suggests nothing and never fails', async () => {
  const harness = await openAppHarness();
  await harness.sim({ kind: 'down' });
  const complete = async (line: string) => harness.registry.catalogue.complete(line, CHAT, 8);
  expect(await complete('/watch ti')).toEqual([]);
  expect(await complete('/premium "Heron')).toEqual([]);
  expect(await complete('/nothing x')).toEqual([]);
  expect((await complete('/premium ')).map(({ label }) => label)).toEqual(['1D', '1W', '1M', '3M', 'ALL']);
});
