/** What every platform's notifier must do. A platform's test calls this with a way to open one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../src/chat/address.js';
import type { Notifier } from '../../src/chat/notifier.js';
import { reply } from '../../src/chat/reply.js';

export interface NotifierUnderTest {
  readonly notifier: Notifier;
  /** A chat that can be posted in. */
  readonly postableChat: Address;
  /** A chat that cannot. */
  readonly unpostableChat: Address;
  /** What stands in `somewhere`, oldest first. */
  posted(): Promise<readonly { readonly id: string; readonly text: string }[]>;
  /** The same platform and chats after this process was killed and started again. */
  restart(): Promise<Notifier>;
  close(): Promise<void>;
}

const delivery = (id: string, says: string) => ({ id, reply: reply({ finding: [says], asOf: Date.UTC(2026, 10, 20, 11) }) });

/** Ids are numbers, or text that the sender chose. */
const otherThan = (messageId: string): string => (/^\d+$/u.test(messageId) ? String(BigInt(messageId) + 4_000n) : `not-${messageId}`);

const UNKNOWN_REPEATS = 'the platform recognises no repeat';

const UNKNOWN_MESSAGES = 'the platform does not say which messages exist';

/** `exactlyOnce`: whether the platform can recognise a delivery that it has posted; `knowsMessages`: whether it refuses an edit of one that does not exist. */
export function notifierContract({
  platform,
  exactlyOnce,
  knowsMessages = true,
  open,
}: {
  platform: string;
  exactlyOnce: boolean;
  knowsMessages?: boolean;
  open(): Promise<NotifierUnderTest>;
}) {
  describe(`the notifier of ${platform}`, () => {
    let at: NotifierUnderTest;
    beforeEach(async () => {
      at = await open();
    });
    afterEach(async () => at.close());

    const sent = async (id: string, says: string): Promise<{ readonly messageId: string }> => {
      const outcome = await at.notifier.deliver(at.postableChat, delivery(id, says));
      if (outcome.kind !== 'sent') throw new Error(`not sent but ${outcome.kind}`);
      return outcome;
    };
    const revised = async (messageId: string, says: string) =>
      at.notifier.revise?.(at.postableChat, { id: `edit-of-${messageId}`, messageId, reply: delivery('d-1', says).reply });

    test('names its platform as its addresses do', () => {
      expect(at.notifier.platform).toBe(platform);
      expect(at.postableChat.startsWith(`${platform}/`)).toBe(true);
    });

    test('says "sent" with the id of the message that now stands in the chat', async () => {
      const outcome = await at.notifier.deliver(at.postableChat, delivery('d-1', 'one burn of TIDE'));
      const [message, ...more] = await at.posted();
      expect(outcome).toEqual({ kind: 'sent', messageId: message?.id });
      expect(message?.text).toContain('one burn of TIDE');
      expect(more).toEqual([]);
    });

    test('keeps the order in which deliveries are handed over', async () => {
      for (const number of [1, 2, 3]) await at.notifier.deliver(at.postableChat, delivery(`d-${number}`, `event number ${number}`));
      expect((await at.posted()).map(({ text }) => /event number \d/.exec(text)?.[0])).toEqual([
        'event number 1',
        'event number 2',
        'event number 3',
      ]);
    });

    test('neither throws nor claims to have sent where it cannot post', async () => {
      const outcome = await at.notifier.deliver(at.unpostableChat, delivery('d-1', 'lost'));
      expect(outcome.kind).not.toBe('sent');
      expect(await at.posted()).toEqual([]);
    });

    test('a probe finds nothing missing where it can post, says what is missing where it cannot, and posts nothing', async () => {
      expect(await at.notifier.probe(at.postableChat)).toMatchObject({ missing: [] });
      const { missing, blocked } = await at.notifier.probe(at.unpostableChat);
      expect([...missing, ...(blocked === undefined ? [] : [blocked])]).toHaveLength(1);
      expect(await at.posted()).toEqual([]);
    });

    test('a diagnosis is a few words', async () => {
      const { ok, says } = await at.notifier.diagnose();
      expect(ok).toBe(true);
      expect(says.length).toBeGreaterThan(0);
      expect(says.length).toBeLessThan(100);
    });

    test('the same delivery twice is one message, and both answers name it', async ({ skip }) => {
      skip(!exactlyOnce, UNKNOWN_REPEATS);
      const first = await at.notifier.deliver(at.postableChat, delivery('d-1', 'one burn of TIDE'));
      await at.notifier.deliver(at.postableChat, delivery('d-2', 'another'));
      expect(await at.notifier.deliver(at.postableChat, delivery('d-1', 'one burn of TIDE'))).toEqual(first);
      expect(await at.posted()).toHaveLength(2);
    });

    test('the same delivery twice at once is one message', async ({ skip }) => {
      skip(!exactlyOnce, UNKNOWN_REPEATS);
      const outcomes = await Promise.all(
        [1, 2, 3, 4].map(async () => at.notifier.deliver(at.postableChat, delivery('d-1', 'one burn of TIDE'))),
      );
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
      expect(await at.posted()).toHaveLength(1);
    });

    test('an edit changes the whole message and keeps its place; repeating it changes nothing', async () => {
      const { messageId } = await sent('d-1', 'passing by 0.4 pts');
      await sent('d-2', 'one burn of TIDE');
      for (let time = 0; time < 2; time += 1) expect(await revised(messageId, 'passing by 0.6 pts')).toEqual({ kind: 'edited' });
      const [first, second, ...more] = await at.posted();
      expect(first).toMatchObject({ id: messageId });
      expect(first?.text).toContain('passing by 0.6 pts');
      expect(first?.text).not.toContain('0.4');
      expect(second?.text).toContain('one burn of TIDE');
      expect(more).toEqual([]);
    });

    test('a message can be edited after a restart', async () => {
      const { messageId } = await sent('d-1', 'passing by 0.4 pts');
      const after = await at.restart();
      expect(await after.revise?.(at.postableChat, { id: 'e-1', messageId, reply: delivery('d-1', 'passed').reply })).toEqual({
        kind: 'edited',
      });
      expect((await at.posted()).map(({ text }) => text.includes('passed'))).toEqual([true]);
    });

    test('an edit of a message that does not exist says that it is lost, and posts nothing', async ({ skip }) => {
      skip(!knowsMessages, UNKNOWN_MESSAGES);
      const { messageId } = await sent('d-1', 'one burn of TIDE');
      const other = otherThan(messageId);
      expect(await revised(other, 'another')).toMatchObject({ kind: 'lost' });
      expect(await at.posted()).toHaveLength(1);
    });

    test('a message can follow another, and one that was deleted', async () => {
      const { messageId } = await sent('d-1', 'live');
      for (const [index, replyTo] of [messageId, otherThan(messageId)].entries())
        expect(await at.notifier.deliver(at.postableChat, { ...delivery(`d-${index + 2}`, 'ending'), replyTo })).toMatchObject({
          kind: 'sent',
        });
      expect(await at.posted()).toHaveLength(3);
    });

    test('a delivery that was posted before a kill is recognised after it', async ({ skip }) => {
      skip(!exactlyOnce, UNKNOWN_REPEATS);
      const before = await at.notifier.deliver(at.postableChat, delivery('d-1', 'one burn of TIDE'));
      const after = await at.restart();
      expect(await after.deliver(at.postableChat, delivery('d-1', 'one burn of TIDE'))).toEqual(before);
      expect(await at.posted()).toHaveLength(1);
    });
  });
}
