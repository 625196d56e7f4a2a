/**
 * A Telegram Bot API of our own on loopback, strict about what the real one refuses. Tests point grammY's `apiRoot` at its `url`.
 *
 * Left out: business accounts, payments, stories, rich messages, albums, the Markdown modes (refused as an unsupported parse
 * mode), and fetching files from addresses (refused as unreachable).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { User, UserFromGetMe } from 'grammy/types';
import { systemClock } from '../../../src/base/clock.js';
import type { Telegram, TelegramOptions } from './control.js';
import { createFaults } from './faults.js';
import { serve, type ServerContext, type Recorded } from './http.js';
import { menuFor } from './methods/commands.js';
import * as people from './people.js';
import * as chats from './chats.js';
import { createRates } from './rates.js';
import { changeMembership } from './membership.js';
import { createUpdates } from './updates.js';
import { deliverToWebhook } from './webhook.js';
import { isEphemeral, seen } from './views.js';
import { createWatchers } from './long-poll.js';
import { chatOf, storedAt, type World } from './world.js';

/** Resolves when it listens, on a free port of this machine. */
export async function startTelegram({
  token,
  username = 'navwatch_bot',
  clock = systemClock,
  rates: limited = false,
  privacyMode = true,
  inlineMode = false,
  localServer = false,
  lacks = [],
}: TelegramOptions): Promise<Telegram> {
  const watchers = createWatchers();
  const me = { ...botNamed(username, privacyMode), supports_inline_queries: inlineMode };
  const world: World = {
    token,
    me,
    clock,
    updates: createUpdates(clock, watchers.changed),
    localServer,
    lacks: new Set(lacks),
    webhook: undefined,
    people: new Map<number, User>([[me.id, me]]),
    chats: new Map(),
    files: new Map(),
    presses: new Map(),
    inlineQueries: new Map(),
    menus: new Map(),
    profile: { description: '', short: '', menuButton: 'default' },
    edits: [],
    deleted: [],
    sharedId: 0,
    lastSerial: 0,
    changed: watchers.changed,
  };
  const transcript: Recorded[] = [];
  const closing = new AbortController();
  const context: ServerContext = { world, faults: createFaults(), rates: createRates(clock, limited), transcript, closing: closing.signal };
  const delivering = deliverToWebhook(context);
  const server = createServer((request, response) => void serve(context, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const stop = async (): Promise<void> => {
    const done = once(server, 'close');
    server.close();
    closing.abort(new Error('telegram stand-in: it closes'));
    server.closeAllConnections();
    await Promise.all([done, delivering]);
    const last = transcript
      .slice(-5)
      .map(({ method, answer }) => `${method} ${answer === undefined ? 'unanswered' : answer.ok ? 'ok' : answer.description}`);
    watchers.close(() => new Error(`telegram stand-in: it closed while somebody waited; the last calls: ${last.join(', ') || 'none'}`));
  };
  let stopped: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    me,
    close: async () => (stopped ??= stop()),
    ...controls(context, privacyMode),
    waitFor: watchers.until,
    get pending() {
      return world.updates.pending;
    },
    get polling() {
      return world.updates.polling;
    },
  };
}

function botNamed(username: string, privacyMode: boolean): UserFromGetMe {
  return {
    id: 7_100_000_001,
    is_bot: true,
    first_name: 'Navwatch',
    username,
    can_join_groups: true,
    can_read_all_group_messages: !privacyMode,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  };
}

function controls(
  { world, faults, rates, transcript }: ServerContext,
  privacyMode: boolean,
): Omit<Telegram, 'url' | 'me' | 'close' | 'waitFor' | 'pending' | 'polling'> {
  const listed: Telegram['messages'] = (chat, thread) =>
    [...chatOf(world, chat).messages.values()].filter((stored) => !isEphemeral(stored) && people.standsIn(stored, thread)).map(seen);
  const setMember: Telegram['setMember'] = (id, user, standing, how = {}) => {
    const chat = chatOf(world, id);
    if (user.id === world.me.id) throw new Error('telegram stand-in: the bot itself is moved with setBot');
    changeMembership(world, { chat, user, status: standing, by: chats.ownerOf(chat), ...how });
  };
  const end = (id: number, fate: 'deleted' | 'deactivated') => {
    chatOf(world, id).fate = fate;
  };
  return {
    person: (names = {}) => chats.newPerson(world, names),
    privateChat: (person) => chats.newPrivateChat(world, person),
    group: (chat) => chats.newPublicChat(world, 'group', chat),
    createGroup: (chat) => chats.createGroup(world, chat),
    supergroup: (chat) => chats.newPublicChat(world, 'supergroup', chat),
    channel: (chat) => chats.newPublicChat(world, 'channel', chat),
    topic: (chat, name) => chats.newTopic(world, chat, name),
    say: (what) => people.say(world, { privacyMode }, what),
    rewrite: (message, text) => people.rewrite(world, { privacyMode }, message, text),
    remove(message) {
      storedAt(world, message);
      chatOf(world, message.chat).messages.delete(message.id);
    },
    press: (what) => people.press(world, what),
    pick: (what) => chats.pick(world, what),
    inline: async (what) => people.typeInline(world, what),
    setMember,
    makeAdmin: (chat, person, how) => setMember(chat, person, 'administrator', how),
    setBot: (chat, standing, rights) => chats.moveBot(world, chat, standing, rights),
    addBot: (chat) => chats.moveBot(world, chat, chatOf(world, chat).kind === 'channel' ? 'administrator' : 'member'),
    kickBot: (chat) => chats.moveBot(world, chat, 'banned'),
    blockBot: (chat) => chats.moveBot(world, chat, 'banned'),
    unblockBot: (chat) => chats.moveBot(world, chat, 'member'),
    muteMembers(chat, muted = true) {
      chatOf(world, chat).muted = muted;
    },
    deactivate: (chat) => end(chat, 'deactivated'),
    deleteGroup: (chat) => end(chat, 'deleted'),
    migrate: (chat) => chats.migrate(world, chat),
    closeTopic: (chat, thread) => chats.setTopicClosed(world, chat, thread, true),
    reopenTopic: (chat, thread) => chats.setTopicClosed(world, chat, thread, false),
    deleteTopic: (chat, thread) => chats.removeTopic(world, chat, thread),
    push: (update) => world.updates.force(update),
    hookElsewhere(url) {
      world.webhook = { url, secret: undefined, error: undefined };
      world.updates.toWebhook(true);
    },
    fail: faults.plan,
    mend: faults.mend,
    limitRates(on) {
      rates.on = on;
    },
    messages: listed,
    posted: (chat, thread) => listed(chat, thread).filter(({ by }) => by === 'bot'),
    ephemeral: (chat) =>
      [...chatOf(world, chat).messages.values()].filter((stored) => stored.by === 'bot' && isEphemeral(stored)).map(seen),
    edits: (chat) => world.edits.filter((edit) => chat === undefined || edit.chat === chat),
    deleted: (chat) => world.deleted.filter((at) => chat === undefined || at.chat === chat),
    transcript,
    calls: (method) => transcript.filter((call) => call.method === method),
    menu: (chat, person) => menuFor(world, chatOf(world, chat), person),
  };
}
