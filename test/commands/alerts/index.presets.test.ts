import { expect, test } from 'vitest';
import { PRESETS } from '../../../src/alerts/rules/presets.js';
import { instant } from '../../../src/base/clock.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { entry } from '../../alerts/harness.js';
import { CHAT } from '../../support/app-harness.js';
import { watching } from '../../support/watching.js';

const WALLET = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');

test('a preset replaces what was customized, and Undo restores the entry before', async () => {
  const { say, entries, watchlists, deadButtons } = await watching();
  await watchlists.change(CHAT, (chat) => ({ ...chat, preset: undefined }));
  await say('/watch tide');
  const choices = () =>
    entries().map(({ preset, rules = {}, modes = {}, maxAgeHours }) => ({ preset, rules: Object.keys(rules), modes, maxAgeHours }));
  await say('/alerts tide supply usd>500');
  await say('/alerts tide growth silent');
  const customized = { preset: 'important', rules: ['supply'], modes: { growth: 'silent' }, maxAgeHours: undefined };
  expect(choices()).toEqual([customized]);
  const { reply } = await say('/alerts tide most');
  expect(choices()).toEqual([{ preset: 'most', rules: [], modes: {}, maxAgeHours: undefined }]);
  expect(reply.actions.slice(0, 5)).toEqual([
    { label: 'Important', line: '/alerts tide important', on: false },
    { label: 'Most', line: '/alerts tide most', on: true },
    { label: 'Everything', line: '/alerts tide everything', on: false },
    { label: 'Digest only', line: '/alerts tide digest', on: false },
    { label: 'Undo', line: expect.stringMatching(/^\/alerts tide undo [\da-f]{6}$/u), on: false },
  ]);
  expect(await deadButtons(reply)).toEqual([]);
  await say('/alerts tide undo');
  expect(choices()).toEqual([customized]);
  await say('/alerts tide undo');
  expect(choices()).toMatchObject([{ preset: 'most' }]);
  await say('/alerts tide everything');
  await say('/alerts tide everything');
  await say('/alerts tide undo');
  expect(choices()).toMatchObject([{ preset: 'most' }]);
});

test('an entry that is named like a preset takes precedence over it, and still takes presets and rules', async () => {
  for (const label of [...PRESETS, 'most wanted', 'our digest']) {
    const { say, entries, watchlists } = await watching('tide');
    await watchlists.change(CHAT, (chat) => ({
      ...chat,
      entries: [...chat.entries, { ...entry({ kind: 'wallet', address: WALLET, label }, instant(0)), preset: 'important' }],
    }));
    const presets = () => entries().map(({ preset }) => preset);
    const { reply } = await say(`/alerts ${label}`);
    expect([label, presets(), reply.actions.some(({ line }) => line.includes(WALLET))]).toEqual([label, ['everything', 'important'], true]);
    await say(`/alerts ${label} usd>5000`);
    expect([label, entries().map(({ rules = {} }) => Object.keys(rules))]).toEqual([label, [[], ['wallet']]]);
    await say(`/alerts ${label} most`);
    expect([label, presets()]).toEqual([label, ['everything', 'most']]);
    await say('/alerts tide digest');
    expect([label, presets()]).toEqual([label, ['digest', 'most']]);
  }
});

test('a customized kind copies the rules of its preset, so "or" and the other size stay', async () => {
  const { say, rules, watchlists } = await watching();
  await watchlists.change(CHAT, (chat) => ({ ...chat, preset: undefined }));
  await say('/watch tide');
  await say('/alerts tide supply usd>500');
  expect(rules()).toEqual([['supply: at least $500 or at least 0.5%']]);
  await say('/alerts tide supply usd>500 percent>2');
  expect(rules()).toEqual([['supply: at least $500 and at least 2%']]);
  await say('/alerts tide supply usd>10000 or percent>0.5');
  expect(rules()).toEqual([[]]);
  await say('/alerts tide supply everything');
  expect(rules()).toEqual([['supply: everything']]);
  await say('/alerts tide supply usual');
  expect(rules()).toEqual([[]]);
});

test('without an earlier change there is nothing to undo', async () => {
  const { say } = await watching('tide');
  expect((await say('/alerts tide undo')).reply.tone).toBe('warning');
});

test('a threshold alerts once or until a date, by typing and by the menu, and the same threshold without an end replaces it', async () => {
  const { say, rules, deadButtons } = await watching('tide');
  await say('/alerts tide premium only below -10 once');
  expect(rules()).toEqual([[expect.stringMatching(/ once$/u)]]);
  const { reply } = await say('/alerts tide premium below -10 until Dec 1');
  expect(rules()).toEqual([[expect.stringMatching(/ until 2026-12-01$/u)]]);
  expect(await deadButtons(reply)).toEqual([]);
  const option = (await say('/alerts tide premium')).reply.fields
    .flatMap((field) => (field.kind === 'menu' ? field.options : []))
    .find(({ label }) => label.startsWith('Only once'));
  await say(option?.line ?? '');
  expect(rules()).toEqual([[expect.stringMatching(/ once until 2026-12-01$/u)]]);
  await say('/alerts tide premium below -10');
  expect(rules()).toEqual([['premium: premium below −10% (re-arms above −8%)']]);
  for (const line of ['below -10 until Nov 1 2020', 'once', 'below -10 until someday'])
    expect((await say(`/alerts tide premium ${line}`)).reply.tone, line).toBe('warning');
});

test('Undo is offered as Redo after it, says what it brings back, and setting what is set already is no step of it', async () => {
  const { say } = await watching('tide');
  const last = ({ reply }: Awaited<ReturnType<typeof say>>) =>
    reply.actions.find(({ line }) => line.startsWith('/alerts tide undo '))?.label;
  expect(last(await say('/alerts tide supply usd>500'))).toBe('Undo');
  const undone = await say('/alerts tide undo');
  expect([last(undone), undone.text.split('\n')[0]]).toEqual(['Redo', expect.stringContaining('undone. Now: supply')]);
  expect(undone.text).toContain('Only the last change is kept: undo once more to redo it.');
  const redone = await say('/alerts tide undo');
  expect(redone.text).not.toContain('Only the last change is kept');
  expect([last(redone), redone.text.split('\n')[0]]).toEqual(['Undo', expect.stringMatching(/redone\. Now: supply .*\$500/u)]);
  for (const line of ['/alerts tide supply usd>500', '/alerts tide everything', '/alerts tide age 3d']) {
    await say(line);
    const again = await say(line);
    expect(again.text).toMatch(/^Already set: Tidewater/u);
    // Its Undo would take back an earlier change.
    expect(last(again)).toBeUndefined();
  }
  expect((await say('/alerts tide undo')).text).toContain('undone');
  expect(last(await say('/alerts tide growth silent'))).toBe('Undo');
});

test("the Undo of an earlier change takes back no later one, which may be somebody else's", async () => {
  for (const watched of ['tide', 'all']) {
    const { say, entries, deadButtons } = await watching(watched);
    const rules = () => entries().map(({ rules: own, exceptions }) => [own, exceptions?.['tide']?.rules]);
    const undoOf = ({ reply }: Awaited<ReturnType<typeof say>>) =>
      reply.actions.find(({ label }) => label === 'Undo' || label === 'Redo')?.line ?? '';
    const first = undoOf(await say('/alerts tide supply usd>500'));
    const second = undoOf(await say('/alerts tide supply usd>700'));
    const standing = rules();
    const refused = await say(first);
    expect(refused.text).toContain('Nothing was undone: the alerts of Tidewater were changed since.');
    expect(await deadButtons(refused.reply)).toEqual([]);
    expect(rules()).toEqual(standing);
    const redo = undoOf(await say(second));
    const undone = rules();
    expect(undone).not.toEqual(standing);
    // A second press of the same button does not redo.
    expect((await say(second)).reply.tone).toBe('warning');
    expect(rules()).toEqual(undone);
    await say(redo);
    expect(rules()).toEqual(standing);
  }
});

test('a rule among others is no change when it is set again, wherever it stands', async () => {
  const { say, entries } = await watching('tide');
  for (const rule of ['below -10', 'above 20', 'move 5']) await say(`/alerts tide premium ${rule}`);
  const before = entries();
  expect((await say('/alerts tide premium below -10')).text).toMatch(/^Already set: /u);
  expect(entries()).toEqual(before);
});

test.each(['proposals margin<2', 'proposals remind 1d'])(
  'the rule "%s" on a digest-only entry alerts by itself, and the reply offers to let the events alert too',
  async (typed) => {
    const { say, entries, deadButtons } = await watching('tide');
    await say('/alerts tide digest');
    const { text, reply } = await say(`/alerts tide ${typed}`);
    expect(text).toContain('All events of proposals stay in the digest only.');
    expect(reply.actions).toContainEqual({ label: 'Alert on events too', line: '/alerts tide proposals on', on: false });
    expect(await deadButtons(reply)).toEqual([]);
    expect((await say('/alerts tide')).text).toContain('its events in the digest only');
    expect((await say('/alerts tide proposals on')).text).not.toContain('in the digest only');
    expect(entries()[0]).toMatchObject({ preset: 'digest', modes: { proposals: 'on' }, rules: { proposals: {} } });
  },
);

test('everything on a digest-only entry lets every event alert', async () => {
  const { say, entries } = await watching('tide');
  await say('/alerts tide digest');
  expect((await say('/alerts tide proposals everything')).text).not.toContain('in the digest only');
  expect(entries()[0]?.modes).toEqual({ proposals: 'on' });
});

test('a filter on events and a rule on a kind without events leave nothing of the kind in the digest only', async () => {
  const { say } = await watching('tide');
  await say('/alerts tide digest');
  for (const typed of ['supply usd>5000', 'premium<-10', 'proposals stages:live'])
    expect((await say(`/alerts tide ${typed}`)).text).not.toContain('in the digest only');
});
