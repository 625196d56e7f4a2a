import { expect, test } from 'vitest';
import { CHAT, GUEST, openAppHarness } from '../support/app-harness.js';

async function open(...targets: readonly string[]) {
  const harness = await openAppHarness({ answers: {} });
  for (const target of targets) await harness.say(`/watch ${target}`);
  return { ...harness, chat: () => harness.watchlists.read(CHAT) };
}

test('one entry, one kind of it and the whole chat are unmuted by their names', async () => {
  const { say, chat, clock, deadButtons } = await open('tide');
  const isMuted = () => (chat().entries[0]?.mutedUntil ?? 0) > clock.now();
  await say('/mute tide 3d');
  const { text, reply } = await say('/unmute tide');
  expect(text).toContain('Tidewater is unmuted');
  expect(await deadButtons(reply)).toEqual([]);
  expect(isMuted()).toBe(false);
  await say('/mute tide supply 3d');
  await say('/unmute tide supply');
  expect(chat().entries[0]?.mutedKinds?.['supply']).toBe(clock.now());
  await say('/mute 1d');
  await say('/unmute');
  expect(chat().mutedUntil).toBe(clock.now());
});

test('a project of /watch all is unmuted alone', async () => {
  const { say, chat, clock } = await open('all');
  await say('/mute heron 3d');
  await say('/mute tide 3d');
  await say('/unmute heron');
  const { heron, tide } = chat().entries[0]?.exceptions ?? {};
  expect([heron?.mutedUntil, (tide?.mutedUntil ?? 0) > clock.now()]).toEqual([clock.now(), true]);
});

test('who may not manage the chat unmutes nothing, and an unknown name is refused', async () => {
  const { say, chat } = await open('tide');
  await say('/mute 1d');
  const before = chat();
  expect((await say('/unmute', GUEST)).reply.tone).toBe('warning');
  expect((await say('/unmute nobody')).reply.tone).toBe('warning');
  expect(chat()).toBe(before);
});

test('words that name no kind are answered with the usage of /unmute, and its buttons unmute', async () => {
  const { say, deadButtons } = await open('tide');
  await say('/mute tide 1d');
  for (const words of ['tide nonsense', 'tide 3d', '3d']) {
    const { text, reply } = await say(`/unmute ${words}`);
    expect(text).toContain(`"${words.replace('tide ', '')}" is not a kind of alert`);
    expect(text).toContain('/unmute');
    expect(text).not.toContain('/mute');
    expect(reply.actions.every(({ line }) => !line.startsWith('/mute'))).toBe(true);
    expect(await deadButtons(reply)).toEqual([]);
  }
});

test('several are unmuted in one line, as they are muted', async () => {
  const { say, chat, clock } = await open('tide', 'heron');
  await say('/mute tide heron 3d');
  const { text } = await say('/unmute tide heron');
  expect(text).toMatch(/^Tidewater and .*Heron.* are unmuted/u);
  expect(chat().entries.map(({ mutedUntil }) => mutedUntil)).toEqual([clock.now(), clock.now()]);
  expect((await say('/unmute tide heron')).text).toMatch(/are not muted/u);
});

test('an unmute of everything says what it ended, and what is still muted with a button', async () => {
  const { say, deadButtons } = await open('tide');
  await say('/mute supply 2h');
  await say('/mute tide 2h');
  const { text, reply } = await say('/unmute');
  expect(text).toMatch(/^Supply alerts are unmuted/u);
  expect(text).toContain('Tidewater: until');
  expect(reply.actions.map(({ line }) => line)).toContain('/unmute tide');
  expect(await deadButtons(reply)).toEqual([]);
});

test.each(['tide', 'all'])('where %s is watched, "unmute all" names the single projects that are still muted', async (watched) => {
  const { say } = await open(watched);
  await say('/mute tide 2h');
  const { text, reply } = await say('/unmute all');
  expect(text).toContain('Tidewater: until');
  expect(reply.actions.map(({ line }) => line)).toContain('/unmute tide');
});
