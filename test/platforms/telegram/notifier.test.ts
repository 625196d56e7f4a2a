import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR, SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import { notifierContract } from '../../contracts/notifier.js';
import { everywhere, HOSTILE } from './hostile.js';
import { at, openHarness, type TelegramHarness } from './harness.js';

notifierContract({
  platform: 'telegram',
  exactlyOnce: false,
  async open() {
    const harness = await openHarness();
    await harness.listen();
    const { telegram } = harness;
    const chat = telegram.privateChat(telegram.person());
    return {
      notifier: harness.platform.notifier,
      postableChat: at(chat),
      unpostableChat: at(-1),
      posted: async () => telegram.posted(chat).map(({ id, text }) => ({ id: String(id), text })),
      async restart() {
        const next = await harness.again();
        return next.platform.notifier;
      },
      close: async () => harness.close(),
    };
  },
});

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
let harness: TelegramHarness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(async () => harness.close());

const delivery = { id: 'd-1', reply: reply({ finding: ['a mint'], actions: [{ label: 'Why?', line: '/why d-1' }] }) };
const deliver = async (to = -1, topic?: number) => harness.platform.notifier.deliver(at(to, topic), delivery);
const newChat = () => harness.telegram.privateChat(harness.telegram.person());

describe('what stands in the way becomes the next move', () => {
  test('a wait of twelve hours is handed back at once, with its length', async () => {
    const chat = newChat();
    harness.telegram.fail({ fault: { kind: 'too-many', retryAfter: 43_837 }, method: 'sendMessage', times: 'always' });
    expect(await deliver(chat)).toEqual({ kind: 'later', because: 'rate-limited', afterMs: 43_837 * SECOND });
    expect(harness.telegram.calls('sendMessage')).toHaveLength(1);
    // The process that comes after it knows nothing of the wait: it is kept by whoever handed the delivery over.
    harness.telegram.mend();
    await harness.platform.stop();
    const next = await harness.again();
    await harness.clock.advance(13 * HOUR);
    expect(await next.platform.notifier.deliver(at(chat), delivery)).toMatchObject({ kind: 'sent' });
    expect(harness.telegram.posted(chat)).toHaveLength(1);
  });

  test('a group that became a supergroup: the outcome names it, and so does the events', async () => {
    const group = harness.telegram.group();
    const to = harness.telegram.migrate(group);
    expect(await deliver(group)).toEqual({ kind: 'moved', to: at(to) });
    expect(harness.events).toEqual([{ kind: 'moved', from: at(group), to: at(to) }]);
    expect(await deliver(to)).toMatchObject({ kind: 'sent' });
  });

  test.each([
    [
      'blocked by a person',
      () => {
        const chat = newChat();
        harness.telegram.blockBot(chat);
        return chat;
      },
      'gone',
    ],
    [
      'a deleted account',
      () => {
        const chat = newChat();
        harness.telegram.deactivate(chat);
        return chat;
      },
      'gone',
    ],
    [
      'kicked from a group',
      () => {
        const chat = harness.telegram.group();
        harness.telegram.kickBot(chat);
        return chat;
      },
      'gone',
    ],
    [
      'a deleted group',
      () => {
        const chat = harness.telegram.group();
        harness.telegram.deleteGroup(chat);
        return chat;
      },
      'gone',
    ],
    ['a chat that never was', () => -5, 'gone'],
    [
      'nobody may write',
      () => {
        const chat = harness.telegram.supergroup();
        harness.telegram.muteMembers(chat);
        return chat;
      },
      'not-permitted',
    ],
    [
      'a channel without the right',
      () => harness.telegram.channel({ bot: 'administrator', botRights: { can_post_messages: false } }),
      'not-permitted',
    ],
    ['somebody who never pressed Start', () => harness.telegram.person().id, 'not-permitted'],
  ])('%s', async (_, make, kind) => {
    expect((await deliver(make())).kind).toBe(kind);
  });

  test('a topic: open, closed, reopened, deleted; General has no number', async () => {
    const { telegram } = harness;
    const forum = telegram.supergroup({ forum: true });
    const topic = telegram.topic(forum);
    expect(await deliver(forum, topic)).toMatchObject({ kind: 'sent' });
    expect(telegram.posted(forum, topic)).toHaveLength(1);
    expect(await harness.platform.notifier.deliver(address('telegram', String(forum), '1'), delivery)).toMatchObject({ kind: 'sent' });
    expect(telegram.posted(forum, 'general')).toHaveLength(1);
    telegram.closeTopic(forum, topic);
    expect(await deliver(forum, topic)).toEqual({ kind: 'not-permitted', because: 'the topic is closed' });
    telegram.reopenTopic(forum, topic);
    expect(await deliver(forum, topic)).toMatchObject({ kind: 'sent' });
    telegram.deleteTopic(forum, topic);
    expect(await deliver(forum, topic)).toEqual({ kind: 'gone', because: 'the topic was deleted' });
  });

  test.each([
    ['cut-before', { kind: 'unclear', because: 'line-cut' }, 0],
    ['cut-after', { kind: 'unclear', because: 'line-cut' }, 1],
    ['half-answer', { kind: 'unclear', because: 'line-cut' }, 1],
    ['bad-gateway', { kind: 'later', because: 'server-error' }, 0],
  ] as const)('%s is %j, sent once and never repeated here', async (kind, outcome, standing) => {
    const chat = newChat();
    harness.telegram.fail({ fault: { kind }, method: 'sendMessage' });
    expect(await deliver(chat)).toEqual(outcome);
    expect(harness.telegram.posted(chat)).toHaveLength(standing);
    expect(harness.telegram.calls('sendMessage')).toHaveLength(1);
  });

  test('an answer that never comes is unclear when the time is over', async () => {
    const chat = newChat();
    harness.telegram.fail({ fault: { kind: 'hang-after' }, method: 'sendMessage' });
    const sent = deliver(chat);
    await harness.telegram.waitFor(() => harness.telegram.posted(chat).length === 1);
    await harness.clock.advance(20 * SECOND);
    expect(await sent).toEqual({ kind: 'unclear', because: 'timeout' });
  });

  test('nobody listens at the address: nothing was sent', async () => {
    const chat = newChat();
    await harness.telegram.close();
    expect(await deliver(chat)).toEqual({ kind: 'later', because: 'unreachable' });
  });

  test.each([
    [500, { kind: 'unclear', because: 'server-error' }],
    [504, { kind: 'unclear', because: 'server-error' }],
    [502, { kind: 'later', because: 'server-error' }],
  ] as const)('an error %i of the platform itself', async (code, outcome) => {
    harness.telegram.fail({ fault: { kind: 'refuse', code, description: 'Internal Server Error' } });
    expect(await deliver(newChat())).toEqual(outcome);
  });

  test('markup that Telegram cannot read is sent as plain words, once; what it refuses again is refused', async () => {
    const chat = newChat();
    const words = { code: 400, description: "Bad Request: can't parse entities: Unsupported start tag" };
    harness.telegram.fail({ fault: { kind: 'refuse', ...words } });
    expect(await deliver(chat)).toMatchObject({ kind: 'sent' });
    expect(harness.telegram.posted(chat)[0]).toMatchObject({ text: 'a mint', entities: [], buttons: [[{ text: 'Why?' }]] });
    harness.telegram.fail({ fault: { kind: 'refuse', ...words }, times: 2 });
    expect(await deliver(chat)).toEqual({ kind: 'refused', detail: words.description });
  });

  test('a token that is refused keeps the alert for later, and never leaves the process', async () => {
    const wrong = await harness.again({ token: '1:other-planted-secret' });
    expect(await wrong.platform.notifier.deliver(at(newChat()), delivery)).toEqual({ kind: 'later', because: 'unreachable' });
    harness.telegram.fail({ fault: { kind: 'cut-before' }, times: 'always' });
    await deliver(newChat());
    await harness.telegram.close();
    await deliver(1);
    expect(JSON.stringify([harness.log, wrong.log])).not.toMatch(/planted-secret/u);
    expect([...harness.log, ...wrong.log].length).toBeGreaterThan(2);
  });

  test('an address that is none of Telegram', async () => {
    expect(await harness.platform.notifier.deliver(address('telegram', 'general'), delivery)).toMatchObject({ kind: 'refused' });
  });
});

test.each(HOSTILE.map((name) => [name.slice(0, 24), name]))('the hostile name %j arrives as one harmless message', async (_, name) => {
  const chat = newChat();
  expect(await harness.platform.notifier.deliver(at(chat), { id: 'd-1', reply: everywhere(name) })).toMatchObject({ kind: 'sent' });
  const [message, ...more] = harness.telegram.posted(chat);
  expect(message).toMatchObject({ pings: [], preview: undefined });
  expect(message?.raw.link_preview_options).toEqual({ is_disabled: true });
  expect(more).toEqual([]);
});

test('an alert waits for its slot before it is delivered, and what only reads needs none', async () => {
  const limited = await harness.again({ limits: { token: { max: 100, per: 1_000 }, chat: () => [{ max: 1, per: 1_000_000 }] } });
  const { notifier } = limited.platform;
  const chat = newChat();
  const stopping = new AbortController();
  const wanted = { kind: 'ringing', since: harness.clock.now() } as const;
  const first = await notifier.slot?.(at(chat), wanted, stopping.signal);
  expect(await notifier.deliver(at(chat), delivery)).toMatchObject({ kind: 'sent' });
  first?.answered();
  const second = notifier.slot?.(at(chat, 7), wanted, stopping.signal);
  expect(await notifier.slot?.(at(newChat()), wanted, stopping.signal)).toBeDefined();
  expect(await notifier.probe(at(chat))).toMatchObject({ missing: [] });
  stopping.abort();
  expect(await second).toBeUndefined();
});

test('an alert that Telegram refuses for its pace is not tried again by the library', async () => {
  const chat = newChat();
  harness.telegram.fail({ fault: { kind: 'too-many', retryAfter: 1 } });
  expect(await deliver(chat)).toEqual({ kind: 'later', because: 'rate-limited', afterMs: 1_000 });
  expect(harness.telegram.posted(chat)).toEqual([]);
});

test('an answer that is none of Telegram is no success', async () => {
  harness.telegram.fail({ fault: { kind: 'refuse', code: 418, description: 7 as never } });
  expect(await deliver(newChat())).toEqual({ kind: 'later', because: 'unreachable' });
});

describe('the probe names what is missing', () => {
  const probe = async (chat: number, topic?: number) => {
    const { missing, blocked } = await harness.platform.notifier.probe(at(chat, topic));
    return blocked ?? missing.join();
  };

  test('where nothing is missing it posts nothing', async () => {
    const { telegram } = harness;
    const forum = telegram.supergroup({ forum: true });
    const topic = telegram.topic(forum);
    const chats = [newChat(), telegram.group(), telegram.supergroup(), telegram.channel()];
    for (const chat of chats) expect(await probe(chat)).toBe('');
    expect(await probe(forum, topic)).toBe('');
    for (const chat of [...chats, forum]) expect(telegram.posted(chat)).toEqual([]);
  });

  test('rights, membership, blocks, topics, and a Telegram that does not answer', async () => {
    const { telegram } = harness;
    expect(await probe(telegram.channel({ bot: 'administrator', botRights: { can_post_messages: false } }))).toMatch(/Post Messages/u);
    const mute = telegram.supergroup();
    telegram.muteMembers(mute);
    expect(await probe(mute)).toMatch(/Send Messages.*administrators/u);
    telegram.setBot(mute, 'administrator');
    expect(await probe(mute)).toBe('');
    const kicked = telegram.supergroup({ username: 'public_place' });
    telegram.setBot(kicked, 'left');
    expect(await probe(kicked)).toBe("I can't post here: I'm not a member of this chat. Add me, then try again.");
    const blocked = newChat();
    telegram.blockBot(blocked);
    expect(await probe(blocked)).toMatch(/blocked/u);
    const forum = telegram.supergroup({ forum: true });
    expect(await probe(forum, 77)).toMatch(/topic.*deleted/u);
    telegram.fail({ fault: { kind: 'bad-gateway' } });
    expect(await probe(newChat())).toBe("Telegram isn't responding, so I can't check my permissions here. Try again in a minute.");
  });
});

test('only a silent alert is sent without a notification, also as bare text', async () => {
  const chat = newChat();
  await harness.platform.notifier.deliver(at(chat), { ...delivery, silent: true });
  await deliver(chat);
  expect(harness.telegram.posted(chat).map(({ silent }) => silent)).toEqual([true, false]);
});

test('an edit of an alert with a picture changes its caption and keeps the picture', async () => {
  const chat = newChat();
  const picture = { bytes: PIXEL, title: 'a chart' };
  const sent = await harness.platform.notifier.deliver(at(chat), { ...delivery, picture });
  const messageId = sent.kind === 'sent' ? sent.messageId : '';
  const corrected = reply({ finding: ['a mint, corrected'] });
  for (let time = 0; time < 2; time += 1)
    expect(await harness.platform.notifier.revise?.(at(chat), { id: 'e-1', messageId, reply: corrected })).toEqual({ kind: 'edited' });
  expect(harness.telegram.posted(chat)).toMatchObject([{ id: Number(messageId), text: expect.stringContaining('corrected') }]);
  expect(harness.telegram.calls('editMessageCaption')).toHaveLength(2);
});
