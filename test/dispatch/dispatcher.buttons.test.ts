/** Every kind of button that a reply has, pressed by who may not, in another chat, and again: a button is a line, judged like one that is typed. */
import { expect, test } from 'vitest';
import { address } from '../../src/chat/address.js';
import type { Reply } from '../../src/chat/reply.js';
import { CHAT, GUEST, openAppHarness } from '../support/app-harness.js';

const OTHER = address('console', 'other');
const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
/** Replies of whoever manages the chat, whose buttons, menus and fields together are of every kind. */
const LINES = [
  '/start',
  '/watch',
  '/watch tide',
  `/watch ${WALLET} "our wallet"`,
  '/watchlist',
  '/alerts tide',
  '/alerts tide supply',
  '/alerts tide premium',
  '/alerts',
  '/mute',
  '/mute tide 24h',
  '/settings',
  '/digest',
  '/digest daily 09:00',
  '/privacy',
  '/unwatch',
  '/watchlist import tide\nheron',
];

/** Only of these may a chat change. */
const CHANGES = /^\/(?:start|watch|unwatch|watchlist|alerts|mute|settings|digest|privacy)\b/u;

/** What its buttons and menus say, and its fields with something typed into them. */
const linesOf = ({ actions, fields }: Reply): readonly string[] => [
  ...actions.map(({ line }) => line),
  ...fields.flatMap((field) => (field.kind === 'menu' ? field.options.map(({ line }) => line) : [field.line.replace('{}', 'heron')])),
];

async function collected() {
  // Names are known, and every figure is missing: what is pressed is about the chat.
  const harness = await openAppHarness({ answers: {} });
  const found = new Set<string>();
  for (const line of LINES) for (const button of linesOf((await harness.say(line)).reply)) if (CHANGES.test(button)) found.add(button);
  const chats = () => JSON.stringify(harness.watchlists.all());
  return { ...harness, buttons: [...found], chats };
}

test('who does not manage the chat changes nothing by any button, whoever it was shown to', async () => {
  const { say, buttons, chats } = await collected();
  expect(new Set(buttons.map((line) => line.split(' ')[0])).size).toBeGreaterThan(5);
  expect(buttons.length).toBeGreaterThan(60);
  const before = chats();
  for (const line of buttons) {
    await say(line, GUEST);
    expect([line, chats()]).toEqual([line, before]);
  }
});

test('pressed in another chat it changes that chat alone, and a list that waits to be taken over stays in its own', async () => {
  const { ask, buttons, watchlists } = await collected();
  const ours = () => JSON.stringify(watchlists.read(CHAT));
  const before = ours();
  for (const line of buttons) {
    await ask({ ask: { line }, chat: OTHER });
    expect([line, ours()]).toEqual([line, before]);
  }
});

test('pressed again each is answered, and none breaks', async () => {
  const { say, buttons, written } = await collected();
  for (const line of buttons) for (const _ of [1, 2]) expect((await say(line)).reply.finding, line).not.toEqual([]);
  expect(written.filter(({ event }) => event === 'question.broke')).toEqual([]);
});
