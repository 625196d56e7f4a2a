/** `/watch all` with exceptions, as people make them: mutes, exclusions, kinds and rules of single projects. */
import { expect, test } from 'vitest';
import { MAX_EXCEPTIONS, withExcluded } from '../../../src/alerts/watchlist/exceptions.js';
import { HOUR, later } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import { CHAT, GUEST, openAppHarness } from '../../support/app-harness.js';

async function open() {
  const harness = await openAppHarness({ answers: {} });
  await harness.say('/watch all');
  const exceptions = () => harness.watchlists.read(CHAT).entries[0]?.exceptions;
  return { ...harness, exceptions };
}

test('a project is muted and unmuted like an entry of its own', async () => {
  const { say, exceptions, clock } = await open();
  const { text, reply } = await say('/mute tide 2h');
  expect(text).toContain('Tidewater is muted');
  expect(exceptions()).toEqual({ tide: { mutedUntil: later(clock.now(), 2 * HOUR) } });
  expect(reply.actions.map(({ line }) => line)).toContain('/unmute tide');
  expect((await say('/watchlist')).text).toContain('1 exception: tide (muted, alerts resume');
  expect((await say('/mute tide off')).text).toContain('Tidewater is unmuted');
  expect((await say('/watchlist')).text).not.toContain('exception');
  await say('/mute tide supply 3d');
  expect(exceptions()?.['tide']?.mutedKinds).toEqual({ supply: later(clock.now(), 72 * HOUR) });
  expect((await say('/mute tide supply')).text).toContain('/mute all supply');
});

test('a kind or a rule differs for one project, is undone and redone, and follows the entry again', async () => {
  const { say, exceptions } = await open();
  const set = await say('/alerts tide premium<-10');
  expect(set.text).toContain('Tidewater, premium: below −10%');
  expect(exceptions()?.['tide']?.rules?.['premium']?.thresholds).toHaveLength(4);
  await say('/alerts tide off supply');
  expect(exceptions()?.['tide']?.modes).toEqual({ supply: 'off' });
  await say('/alerts tide undo');
  expect(exceptions()?.['tide']?.modes).toBeUndefined();
  await say('/alerts tide undo');
  expect(exceptions()?.['tide']?.modes).toEqual({ supply: 'off' });
  await say('/alerts all supply usd>50000');
  expect((await say('/alerts tide supply')).text).toContain('When on: $50K or 0.5% and up.');
  await say('/alerts tide supply usual');
  await say('/alerts tide premium usual');
  expect([exceptions()?.['tide']?.modes, exceptions()?.['tide']?.rules]).toEqual([undefined, undefined]);
});

test('a rule before the name of a covered project is for that project', async () => {
  const { say, exceptions } = await open();
  await say('/alerts supply usd>50000 tide');
  expect(Object.keys(exceptions() ?? {})).toEqual(['tide']);
  expect((await say('/alerts premium<-10 tide')).text).toContain('Tidewater, premium: below −10%');
});

test('what cannot differ for one project is refused with the way to an entry of its own', async () => {
  const { say, exceptions } = await open();
  for (const line of ['/alerts tide most', '/alerts tide age 7d']) {
    const { text, reply } = await say(line);
    expect(text).toContain('Tidewater follows /watch all. Only its kinds and rules can differ');
    expect(reply.actions.map((action) => action.line)).toContain('/watch tide');
  }
  expect(exceptions()).toBeUndefined();
});

test('a fifty-first exception is refused with what to do instead', async () => {
  const { say, watchlists, clock, exceptions } = await open();
  const names = Array.from({ length: MAX_EXCEPTIONS }, (_, index) => slug(`p${index}`));
  await watchlists.change(CHAT, (chat) => names.reduce((all, project) => withExcluded(all, { project, now: clock.now() }), chat));
  for (const line of ['/unwatch tide', '/mute tide 2h', '/alerts tide off supply']) {
    const { text, reply } = await say(line);
    expect(text).toContain(
      '/watch all has 50 exceptions already. Watch some of those projects separately, or mute a kind of alert for all.',
    );
    expect(reply.actions.map((action) => action.line)).toContain('/watch tide');
  }
  expect(Object.keys(exceptions() ?? {})).toHaveLength(MAX_EXCEPTIONS);
});

test('only people who manage the chat make exceptions', async () => {
  const { ask, exceptions } = await open();
  for (const line of ['/mute tide 2h', '/unwatch tide', '/alerts tide off supply']) await ask({ from: GUEST, ask: { line } });
  expect(exceptions()).toBeUndefined();
});

test('stored data counts exceptions, and the reason for silence names them', async () => {
  const { say } = await open();
  await say('/unwatch tide');
  expect((await say('/privacy')).text).toContain('Watchlist: 1 entry with 1 exception');
  const { text, reply } = await say('/why tide premium');
  expect(text).toContain('No alert: excluded from /watch all');
  expect(reply.actions.map(({ line }) => line)).toContain('/watch tide');
  await say('/watch tide');
  await say('/alerts tide off premium');
  const off = await say('/why tide premium');
  expect(off.text).toContain('premium alerts are off for tide');
  expect(off.reply.actions.map(({ line }) => line)).toContain('/alerts tide premium on');
});
