import { describe, expect, test } from 'vitest';
import { openWatchlists } from '../../src/alerts/watchlist/watchlists.js';
import { silentLog } from '../../src/base/log.js';
import { address, type Address } from '../../src/chat/address.js';
import type { Outcome, DeliveryRequest } from '../../src/chat/notifier.js';
import { plainText } from '../../src/chat/plain-text.js';
import type { Access } from '../../src/dispatch/access.js';
import { createGreeter, welcome } from '../../src/dispatch/welcome.js';
import { httpsUrl } from '../../src/domain/links.js';
import { slug } from '../../src/domain/scalars.js';
import { greetingHints } from '../../src/platforms/index.js';
import { openStore } from '../../src/store/open.js';
import { handClock } from '../support/clock.js';
import { openAppHarness } from '../support/app-harness.js';

const OPEN: Access = { open: true, listed: [], operators: [] };
const GROUP = address('telegram', '-100123');

async function openGreeter(
  access: Access = OPEN,
  formerNames: (circle: string) => readonly string[] = () => [],
  refused: readonly Address[] = [],
) {
  const clock = handClock();
  const store = await openStore('memory://');
  const watchlists = await openWatchlists(store);
  const said: { readonly to: Address; readonly delivery: DeliveryRequest; readonly text: string }[] = [];
  const deliver = async (to: Address, delivery: DeliveryRequest): Promise<Outcome> => {
    said.push({ to, delivery, text: plainText(delivery.reply, clock.now()) });
    return refused.includes(to) ? { kind: 'not-permitted', because: 'never wrote to it' } : { kind: 'sent', messageId: '1' };
  };
  const open = async () =>
    createGreeter({ watchlists: await openWatchlists(store), access, formerNames, hints: greetingHints, deliver, clock, log: silentLog });
  return {
    take: createGreeter({ watchlists, access, formerNames, hints: greetingHints, deliver, clock, log: silentLog }),
    open,
    said,
    watchlists,
    clock,
  };
}

test('a chat that adds the bot gets three commands to type', async () => {
  const { take, said } = await openGreeter();
  await take({ kind: 'joined', chat: GROUP });
  expect(said.map(({ to }) => to)).toEqual([GROUP]);
  const [lines = []] = said.map(({ text }) => text.split('\n'));
  expect(lines[0]).toContain('I send alerts about ownership coins');
  expect(lines.filter((line) => line.startsWith('/')).map((line) => line.split(':')[0])).toEqual(['/watch', '/overview', '/help']);
  expect(lines.join('\n')).toContain('Administrators set the alerts of this chat');
});

test('each thing to type is a command, and its button is the same line', async () => {
  const { deadButtons } = await openAppHarness();
  for (const platform of ['discord', 'telegram', 'console'])
    expect(await deadButtons(welcome(greetingHints(address(platform, '1'))))).toEqual([]);
});

test('what is peculiar to a platform is said there only', () => {
  const text = (chat: Address): string => plainText(welcome(greetingHints(chat)), handClock().now());
  expect(text(address('discord', '5'))).toContain('Type / to see every command.');
  expect(text(address('telegram', '5'))).toContain('The menu beside the text field lists every command.');
  expect(text(address('console', 'main'))).not.toMatch(/slash|menu/u);
});

test('a chat is greeted once, however often it is added, at once or after a restart', async () => {
  const { take, open, said } = await openGreeter();
  await Promise.all([take({ kind: 'joined', chat: GROUP }), take({ kind: 'joined', chat: GROUP })]);
  await (
    await open()
  )({ kind: 'joined', chat: GROUP });
  expect(said).toHaveLength(1);
});

test('nothing else that becomes of a chat is greeted', async () => {
  const { take, said } = await openGreeter();
  await take({ kind: 'back', chat: GROUP });
  await take({ kind: 'gone', chat: GROUP, because: 'removed' });
  await take({ kind: 'moved', from: address('telegram', '-1'), to: GROUP });
  expect(said).toEqual([]);
});

test('a chat that is gone and was only greeted leaves no trace; one with a list keeps it', async () => {
  const { take, watchlists, clock } = await openGreeter();
  await take({ kind: 'joined', chat: GROUP });
  await take({ kind: 'gone', chat: GROUP, because: 'removed' });
  expect(watchlists.read(GROUP)).toEqual({ address: GROUP, entries: [] });
  await take({ kind: 'joined', chat: GROUP });
  await watchlists.change(GROUP, (chat) => ({
    ...chat,
    entries: [{ target: { kind: 'project', slug: slug('tide') }, since: clock.now(), by: 'Ada', preset: 'everything' }],
  }));
  await take({ kind: 'gone', chat: GROUP, because: 'removed' });
  expect(watchlists.read(GROUP).entries).toHaveLength(1);
});

describe('a channel that somebody adds the bot to', () => {
  const ADA = address('telegram', '7');
  const joined = {
    kind: 'joined',
    chat: GROUP,
    adder: { chat: ADA, circle: 'telegram/user/7', channel: '-100123', name: 'Harbour news' },
  } as const;

  test('is set up from the private chat of whoever added it, and nothing is posted in it', async () => {
    const { take, said } = await openGreeter();
    await take(joined);
    expect(said.map(({ to, delivery }) => [to, delivery.reply.actions.map(({ line }) => line)])).toEqual([[ADA, ['/manage -100123']]]);
  });

  test('is greeted itself where the bot may not write to whoever added it', async () => {
    const { take, said } = await openGreeter(OPEN, undefined, [ADA]);
    await take(joined);
    expect(said.map(({ to }) => to)).toEqual([ADA, GROUP]);
  });

  test('is named to them with its id where neither it nor they are listed', async () => {
    const { take, said } = await openGreeter({ open: false, listed: ['telegram/chat/-9'], operators: [] });
    await take(joined);
    expect(said.map(({ to, text }) => [to, text.includes('telegram/chat/-100123')])).toEqual([[ADA, true]]);
    const known = await openGreeter({ open: false, listed: ['telegram/user/7'], operators: [] });
    await known.take(joined);
    expect(known.said[0]?.delivery.reply.tone).toBe('plain');
  });
});

describe('where only listed chats are answered', () => {
  const listed = (...names: readonly string[]): Access => ({ open: false, listed: names, operators: [] });

  test('a stranger is shown who must list it, with the ids', async () => {
    const { take, said } = await openGreeter(listed('discord/guild/9'));
    const circles = ['discord/guild/7', 'discord/channel/8'];
    await take({ kind: 'joined', chat: address('discord', '8'), circles });
    expect(said[0]?.text).toMatch(/^⚠ .*operator.*\n.*ACCESS: discord\/guild\/7, discord\/channel\/8$/u);
    await take({ kind: 'joined', chat: GROUP });
    expect(said[1]?.text).toContain('telegram/chat/-100123');
  });

  test('a listed server, chat, or one that was listed under its former name is welcome', async () => {
    const { take, said } = await openGreeter(listed('discord/guild/7', 'telegram/chat/-1'), (circle) =>
      circle === 'telegram/chat/-100123' ? ['telegram/chat/-1'] : [],
    );
    await take({ kind: 'joined', chat: address('discord', '8'), circles: ['discord/guild/7', 'discord/channel/8'] });
    await take({ kind: 'joined', chat: GROUP });
    expect(said.every(({ text }) => text.includes('/watch: '))).toBe(true);
  });
});

test('the welcome has the links that add the bot elsewhere, and none where there are none', () => {
  const url = httpsUrl('https://t.me/navwatch_bot?startgroup')!;
  expect(welcome([], [{ label: 'Add to a group', url }]).links.map((link) => link.url)).toEqual([url]);
  expect(welcome([]).links).toEqual([]);
});
