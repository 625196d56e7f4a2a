import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reply } from '../../../src/chat/reply.js';
import { behindForwarded, forwardedOf } from '../../../src/platforms/telegram/receiving.js';
import { openHarness, type TelegramHarness } from './harness.js';

let harness: TelegramHarness;

beforeEach(async () => {
  harness = await openHarness();
});
afterEach(async () => harness.close());

const says = (id: number, text: string, { chat, from }: { readonly chat: number; readonly from: object }) => ({
  update_id: id,
  message: { message_id: id, date: 1, chat: { id: chat, type: 'private' }, from, text },
});

describe('an update that another process received', () => {
  test('is answered as if it had come here, and is over when its answer is sent', async () => {
    const { anna: from, chat } = harness.privately();
    await expect(harness.platform.takeForwarded!(says(1, '/watch tide', { chat, from }))).rejects.toThrow('not connected');
    await harness.listen();
    await harness.platform.takeForwarded!(says(1, '/watch tide', { chat, from }));
    expect(telegramTexts(chat)).toEqual(['/watch tide']);
    await harness.platform.takeForwarded!(says(1, '/watch tide', { chat, from }));
    expect(harness.lines()).toEqual(['/watch tide']);
  });

  test('that was under way at a kill is awaited in the next process, which begins it again by itself', async () => {
    const { anna: from, chat } = harness.privately();
    await harness.listen();
    harness.answers(async () => new Promise(() => undefined));
    const update = says(1, '/watch tide', { chat, from });
    void harness.platform.takeForwarded!(update);
    await harness.telegram.waitFor(() => harness.inbounds.length === 1);
    const next = await harness.again();
    let finish = (): void => {};
    next.answers(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return reply({ finding: ['done'] });
    });
    await next.listen();
    await harness.telegram.waitFor(() => next.inbounds.length === 1);
    const taken = next.platform.takeForwarded!(update);
    expect(telegramTexts(chat)).toEqual([]);
    finish();
    await taken;
    expect([telegramTexts(chat), next.lines()]).toEqual([['done'], ['/watch tide']]);
  });
});

test('an update of the webhook goes behind those of its chat that wait, and no other', async () => {
  const [received, kept]: [unknown[], unknown[]] = [[], []];
  const receive = behindForwarded(async (updates) => void received.push(...updates), {
    waits: async ({ chat }) => chat === '5',
    keep: async (update) => {
      kept.push(update);
      return 'kept';
    },
  });
  const [behind, other, inline] = [
    says(1, '/premium', { chat: 5, from: {} }),
    says(2, '/premium', { chat: 6, from: {} }),
    { update_id: 3, inline_query: {} },
  ];
  await receive([behind, other, inline]);
  expect([received, kept]).toEqual([[other, inline], [{ platform: 'telegram', chat: '5', id: '1', raw: behind }]]);
});

test('updates are of the chat of their message, of their button or of their membership', () => {
  const chat = { id: -7 };
  const all = [
    { channel_post: { chat } },
    { callback_query: { message: { chat } } },
    { my_chat_member: { chat } },
    { callback_query: {} },
    { no: 'update' },
  ];
  expect(all.map((one) => forwardedOf({ update_id: 1, ...one })?.chat)).toEqual(['-7', '-7', '-7', undefined, undefined]);
});

const telegramTexts = (chat: number) => harness.telegram.posted(chat).map(({ text }) => text);
