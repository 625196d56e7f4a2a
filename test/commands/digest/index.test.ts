import { expect, test } from 'vitest';
import { instant, later, HOUR } from '../../../src/base/clock.js';
import { openArchive } from '../../../src/alerts/queue/event-archive.js';
import { openWatermarks } from '../../../src/jobs/watermarks.js';
import { burn } from '../../alerts/harness.js';
import { fieldLines } from '../../support/fields.js';
import { CHAT, GUEST, openAppHarness } from '../../support/app-harness.js';

async function open() {
  const harness = await openAppHarness({ answers: {} });
  return { ...harness, digest: () => harness.watchlists.read(CHAT).digest };
}

test('a digest is switched on, changed and switched off, and every button and menu leads on', async () => {
  const { say, digest, deadButtons, clock } = await open();
  const since = clock.now();
  for (const [line, stored] of [
    ['/digest', undefined],
    ['/digest daily 09:00', { every: 'day', at: '09:00', since }],
    ['/digest 8:30 pm', { every: 'day', at: '20:30', since }],
    ['/digest ring', { every: 'day', at: '20:30', since, rings: true }],
    ['/digest weekly', { every: 'week', weekday: 1, at: '20:30', since, rings: true }],
    ['/digest fri 7', { every: 'week', weekday: 5, at: '07:00', since, rings: true }],
    ['/digest weekly Sundays at 18.15', { every: 'week', weekday: 7, at: '18:15', since, rings: true }],
    ['/digest silent', { every: 'week', weekday: 7, at: '18:15', since }],
    ['/digest no-receipt', { every: 'week', weekday: 7, at: '18:15', since, receipt: false }],
    ['/digest receipt', { every: 'week', weekday: 7, at: '18:15', since }],
    ['/digest no-card', { every: 'week', weekday: 7, at: '18:15', since, card: false }],
    ['/digest weekly Sun 18:20', { every: 'week', weekday: 7, at: '18:20', since, card: false }],
    ['/digest sun 18:15', { every: 'week', weekday: 7, at: '18:15', since, card: false }],
    ['/digest card', { every: 'week', weekday: 7, at: '18:15', since }],
    ['/digest now', { every: 'week', weekday: 7, at: '18:15', since }],
    ['/digest off', undefined],
  ] as const) {
    const { reply } = await say(line);
    expect([line, digest(), await deadButtons(reply)]).toEqual([line, stored, []]);
    for (const field of fieldLines(reply)) expect(field).toMatch(/^\/digest /u);
  }
});

test('a change of the time keeps when it was switched on, a change of the interval does not', async () => {
  const { say, digest, clock } = await open();
  await say('/digest daily 13:00');
  const since = clock.now();
  await clock.advance(HOUR / 2);
  await say('/digest daily 12:15');
  expect(digest()?.since).toBe(since);
  await say('/digest weekly Fri 12:15');
  expect(digest()?.since).toBe(later(since, HOUR / 2));
});

test('what is no time is refused, and nothing changes', async () => {
  const { say, digest } = await open();
  await say('/digest daily 09:00');
  const before = digest();
  for (const line of [
    '/digest sometimes',
    '/digest daily 25:00',
    '/digest daily Mon 9:00',
    '/digest weekly Mon Tue 9:00',
    `/digest ${'9'.repeat(500)}`,
    '/digest off 9:00',
  ]) {
    const { reply } = await say(line);
    expect([line, digest(), reply.actions.length > 0]).toEqual([line, before, true]);
  }
});

test('sound without a digest is refused', async () => {
  const { say, digest } = await open();
  expect((await say('/digest ring')).reply.actions.map(({ line }) => line)).toContain('/digest daily 09:00');
  expect(digest()).toBeUndefined();
});

test('only who manages the chat changes it; anyone may see it and the digest now', async () => {
  const { say, digest } = await open();
  await say('/digest daily 09:00', GUEST);
  await say('/digest 10:00', GUEST);
  expect(digest()).toBeUndefined();
  expect((await say('/digest now', GUEST)).reply.actions.map(({ line }) => line)).toEqual(['/watch']);
  expect((await say('/digest', GUEST)).reply.actions.length).toBeGreaterThan(0);
});

test('the figures of the digest now have their sources, also at the second time', async () => {
  const { say, watchlists, clock, store } = await open();
  const [archive, watermarks] = [openArchive(store), openWatermarks(store)];
  await say('/watch tide');
  await watchlists.change(CHAT, (chat) => ({
    ...chat,
    entries: chat.entries.map((one) => ({ ...one, since: instant(0), preset: 'everything' })),
  }));
  const now = clock.now();
  await archive.keep(burn(1_234_567.8912, later(now, -HOUR)));
  const [before, last] = [
    { gap: '-3.04321', nav: '5000000', at: later(now, -23 * HOUR) },
    { gap: '-9.12345', nav: '5766000', at: later(now, -HOUR) },
  ];
  await watermarks.set('premium/tide', { source: '', pending: [], watermark: { past: [before], last } });
  await watermarks.flush('premium/tide');
  for (let time = 0; time < 2; time += 1) {
    const { reply } = await say('/digest now');
    const { text } = await say(reply.actions.find(({ label }) => label === 'Sources')?.line ?? '');
    expect(text).toContain('check premium/tide');
    expect(text).toContain('9.12345');
    expect(text).toContain('3.04321');
    expect(text).toContain('1234567.8912');
  }
});

test('where the bot may not post, it says so instead', async () => {
  const harness = await openAppHarness({ answers: {}, probe: { missing: ['Embed Links'] } });
  expect((await harness.say('/digest daily 09:00')).text).toContain('Embed Links');
  expect(harness.watchlists.read(CHAT).digest).toBeUndefined();
});

test('it leads to the timezone while the chat has none, and to /watch while nothing is watched', async () => {
  const { say } = await open();
  const lines = async (): Promise<readonly string[]> => (await say('/digest daily 09:00')).reply.actions.map(({ line }) => line);
  expect(await lines()).toEqual(expect.arrayContaining(['/settings', '/watch']));
  await say('/settings timezone Berlin');
  await say('/watch tide');
  for (const line of ['/settings', '/watch']) expect(await lines()).not.toContain(line);
});

test('Digest only in a chat without a digest offers one, with a digest it does not', async () => {
  const { say, watchlists } = await open();
  await say('/watch tide');
  const offered = async (): Promise<boolean> =>
    (await say('/alerts tide digest')).reply.actions.some(({ line }) => line === '/digest daily 09:00');
  expect(await offered()).toBe(true);
  expect(watchlists.read(CHAT).entries.map(({ preset }) => preset)).toEqual(['digest']);
  await say('/digest daily 09:00');
  expect(await offered()).toBe(false);
});

test('a kind of a Digest only entry alerts again as chosen, and returns to the digest', async () => {
  const { say, watchlists } = await open();
  const entry = () => {
    const [one] = watchlists.read(CHAT).entries;
    return { rules: one?.rules, modes: one?.modes };
  };
  await say('/watch tide');
  await say('/alerts tide digest');
  await say('/alerts tide supply on');
  expect(entry()).toEqual({ rules: undefined, modes: { supply: 'on' } });
  await say('/alerts tide supply usual');
  await say('/alerts tide supply everything');
  expect(entry()).toEqual({ rules: undefined, modes: { supply: 'on' } });
  await say('/alerts tide supply usual');
  await say('/alerts tide supply off');
  await say('/alerts tide supply on');
  expect(entry()).toEqual({ rules: undefined, modes: { supply: 'on' } });
  await say('/alerts tide supply usual');
  expect(entry()).toEqual({ rules: undefined, modes: undefined });
});

test('the record of a digest, and why it was skipped, can be read back', async () => {
  const { say, queues, clock } = await open();
  await say('/watch tide');
  const id = 'abcdefghijklmnopqrstuv';
  const receipt = { id, members: [], endedAt: clock.now(), attempts: 0, summary: 'Daily digest' };
  await queues.change(CHAT, (queue) => ({ ...queue, receipts: [{ ...receipt, end: 'dropped', because: 'this chat was muted' }] }));
  expect((await say('/history')).text).toContain('Daily digest');
  expect((await say(`/history ${id}`)).text).toContain('this chat was muted');
  expect((await say(`/why ${id}`)).text).toContain('this chat was muted');
});

test('a platform that can choose offers it to managers alone, as it does /mute and /settings', async () => {
  const { registry } = await open();
  const { commands } = registry.catalogue;
  expect(commands.filter(({ managersOnly }) => managersOnly === true).map(({ name }) => name)).toEqual([
    'board',
    'digest',
    'feeds',
    'mute',
    'settings',
    'unmute',
  ]);
});
