/** Answers with and without pictures, short and long, for the tests of Telegram's messages; and somebody who asks for them in private. */
import { reply, type Reply } from '../../../src/chat/reply.js';
import type { SeenMessage } from '../../stand-ins/telegram/control.js';
import { settled } from '../../support/clock.js';
import { bytesOf, chartOf } from '../pictures.js';
import type { TelegramHarness } from './harness.js';

export const ACTIONS = [
  { label: '1W', line: '/premium 1W' },
  { label: 'Words', line: '/premium words' },
  { label: 'Long', line: '/premium long' },
];
export const short = (title: string, more: Partial<Parameters<typeof reply>[0]> = {}): Reply =>
  reply({ finding: [{ strong: title }], chart: chartOf(title), actions: ACTIONS, ...more });
export const LINES = Array.from({ length: 60 }, (_, index) => ({ line: [`holder ${index} holds ${'x'.repeat(20)}`] }));
/** Its words are more than a caption holds. */
export const long = (title: string): Reply => short(title, { blocks: [{ kind: 'list', items: LINES }] });

/** Lets real input and output go on, without turning the clock. */
export async function until(look: () => boolean): Promise<void> {
  while (!look()) await settled();
}

/** Answers by the last word of the line. */
const ANSWERS: Readonly<Record<string, () => Reply>> = {
  first: () => short('First'),
  '1W': () => short('A week'),
  long: () => long('All of it'),
  longer: () => long('More of it'),
  words: () => reply({ finding: ['Only words'], actions: ACTIONS }),
};

export const isOf = (message: SeenMessage | undefined, title: string): boolean =>
  Buffer.from(bytesOf(chartOf(title))).equals(message?.file?.bytes ?? Buffer.alloc(0));

export function privatelyIn(harness: TelegramHarness) {
  const { telegram } = harness;
  const { anna, chat } = harness.privately();
  harness.answers(({ ask }) => (ANSWERS[('line' in ask ? ask.line : '').split(' ').at(-1) ?? ''] ?? ANSWERS['words']!)());
  return {
    chat,
    say: (what: string) => void telegram.say({ chat, from: anna, text: `/premium ${what}` }),
    ask: async (what: string, count: number) => {
      telegram.say({ chat, from: anna, text: `/premium ${what}` });
      return telegram.waitFor(() => telegram.posted(chat).length === count && telegram.posted(chat));
    },
    press: async (message: SeenMessage, button: string) => {
      await telegram.press({ message, button, from: anna }).answered;
      await harness.done();
      return telegram.posted(chat);
    },
    /** The same where the answer is so many messages. */
    pressFor: async (message: SeenMessage, button: string, count: number) => {
      await telegram.press({ message, button, from: anna }).answered;
      return telegram.waitFor(() => telegram.posted(chat).length === count && telegram.posted(chat));
    },
  };
}
