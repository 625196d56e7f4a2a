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

const UNKNOWN_REPEATS = 'the platform recognises no repeat';

/** `exactlyOnce`: whether the platform can recognise a delivery that it has posted. */
export function notifierContract({
  platform,
  exactlyOnce,
  open,
}: {
  platform: string;
  exactlyOnce: boolean;
  open(): Promise<NotifierUnderTest>;
}) {
  describe(`the notifier of ${platform}`, () => {
    let at: NotifierUnderTest;
    beforeEach(async () => {
      at = await open();
    });
    afterEach(async () => at.close());

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
      expect(await at.notifier.probe(at.postableChat)).toEqual({ missing: [] });
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

    test('a delivery that was posted before a kill is recognised after it', async ({ skip }) => {
      skip(!exactlyOnce, UNKNOWN_REPEATS);
      const before = await at.notifier.deliver(at.postableChat, delivery('d-1', 'one burn of TIDE'));
      const after = await at.restart();
      expect(await after.deliver(at.postableChat, delivery('d-1', 'one burn of TIDE'))).toEqual(before);
      expect(await at.posted()).toHaveLength(1);
    });
  });
}
