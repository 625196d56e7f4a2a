/** Who may ask at all. */
import { describe, expect, test } from 'vitest';
import { address } from '../../src/chat/address.js';
import type { Inbound, Person } from '../../src/chat/inbound.js';
import { inviteLinks } from '../../src/platforms/telegram/profile.js';
import { openAppHarness } from '../support/app-harness.js';

const circles = ['telegram/chat/-100200300', 'telegram/user/77'];
const ask = { line: '/premium tide' };
const chat = address('telegram', '-100200300');
const lists = (...listed: string[]) => ({ access: { open: false, listed, operators: [] } });

test('a stranger learns who can give access and causes no request', async () => {
  const harness = await openAppHarness(lists('telegram/chat/-1'));
  const { reply, text } = await harness.ask({ chat, circles, ask });
  expect(text).toMatch(/^⚠ .*operator.*\n[^\n]*\n.*ACCESS: telegram\/chat\/-100200300, telegram\/user\/77$/u);
  expect(reply.audience).toBe('asker');
  expect(harness.analytics.state().budget.used).toBe(0);
  expect(harness.active).toEqual([]);
});

test.each([
  ['the chat is listed', lists('telegram/chat/-100200300')],
  ['the person is listed', lists('telegram/user/77')],
  ['the person runs the bot', { access: { open: false, listed: [], operators: ['telegram/user/77'] } }],
  ['everyone may', { access: { open: true, listed: [], operators: [] } }],
])('a question is answered where %s', async (_, options) => {
  const harness = await openAppHarness(options);
  expect((await harness.ask({ chat, circles, ask })).text).toMatch(/^TIDE trades/u);
  expect(harness.active).toEqual([chat]);
});

test('only whoever runs the bot sees the whole status', async () => {
  const harness = await openAppHarness({ access: { open: true, listed: [], operators: ['telegram/user/1'] } });
  const status = { line: '/status' };
  expect((await harness.ask({ chat, circles, ask: status })).text).toBe(
    'No problems so far. The analytics service has not been called yet.\nUp 1 min 30 s\n[Refresh: /status]',
  );
  expect((await harness.ask({ chat, circles: ['telegram/user/1'], ask: status })).text).toContain('API requests this month');
  expect((await harness.ask({ ask: status })).text).toContain('API requests this month');
});

describe('a private chat that alerts go to from a listed server', () => {
  const GUILD = 'discord/guild/1';
  const direct = address('discord', '9');
  const circlesThere = ['discord/channel/9', 'discord/user/5'];
  const somebody: Person = { id: 'discord/5', name: 'Ada', manages: async () => false, direct: async () => direct };
  const member = (isMember: boolean): Person => ({ ...somebody, isIn: async (circle) => isMember && circle === GUILD });
  const offered = async (listed = [GUILD]) => {
    const harness = await openAppHarness(lists(...listed));
    const asked = { chat: address('discord', '2'), from: member(true), circles: [GUILD, 'discord/channel/2', 'discord/user/5'] };
    await harness.ask({ ...asked, ask: { line: '/watch tide where:dm' } });
    const there = async (more: Partial<Inbound> = {}) =>
      (await harness.ask({ chat: direct, from: member(true), circles: circlesThere, ask: { line: '/alerts tide' }, ...more })).reply.tone;
    return { harness, there };
  };

  test('answers there', async () => {
    const { harness, there } = await offered();
    expect(harness.watchlists.read(direct).entries).toHaveLength(1);
    expect(await there()).toBe('plain');
  });

  test.each([
    ['the person has left the server', { from: member(false) }],
    ['the platform cannot know', { from: somebody }],
    ['the bot is not in the chat', { outside: true }],
    ['it is the chat of somebody else', { chat: address('discord', '10') }],
  ] satisfies [string, Partial<Inbound>][])('refuses where %s', async (_, more) => {
    const { there } = await offered();
    expect(await there(more)).toBe('warning');
  });

  test('refuses when the server is listed no longer, and where it never was', async () => {
    const { harness } = await offered();
    const before = harness.watchlists.read(direct);
    const later = await openAppHarness(lists('discord/guild/7'));
    await later.watchlists.change(direct, () => before);
    const asked = { chat: direct, from: { ...member(true), isIn: async () => true }, circles: circlesThere, ask: { line: '/alerts tide' } };
    expect((await later.ask(asked)).reply.tone).toBe('warning');
    const { harness: other } = await offered(['discord/user/6']);
    expect(other.watchlists.read(direct).admittedBy).toBeUndefined();
  });
});

test('in a private chat a stranger is shown how to take the bot to a group', async () => {
  const links = inviteLinks({ username: 'navwatch_bot', can_join_groups: true });
  const harness = await openAppHarness({ ...lists('telegram/chat/-1'), inviteLinks: () => links });
  expect((await harness.ask({ chat, circles, ask })).reply.links).toEqual(links);
  expect((await harness.ask({ chat, circles, ask, outside: true })).reply.links).toEqual([]);
});
