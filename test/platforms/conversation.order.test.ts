import { expect, test } from 'vitest';
import { MessageOrder } from '../../src/platforms/conversation.js';

/** Notes what was shown. */
function board() {
  const shown: string[] = [];
  const show = (what: string) => async (): Promise<void> => void shown.push(what);
  return { shown, show };
}

test('what was asked later stays, whichever is shown first', async () => {
  const turns = new MessageOrder();
  const { shown, show } = board();
  const early = turns.take('message');
  const late = turns.take('message');
  expect(await late.run(show('late'))).toBe(true);
  expect(await early.run(show('early'))).toBe(false);
  expect(await late.run(show('its picture'))).toBe(true);
  expect(shown).toEqual(['late', 'its picture']);
});

test('an answer whose message is known only once it is posted is as old as its question', async () => {
  const turns = new MessageOrder();
  const { shown, show } = board();
  const asked = turns.take();
  expect(await asked.run(show('text'))).toBe(true);
  const pressed = turns.take('message');
  expect(await pressed.run(show('press'))).toBe(true);
  expect(await asked.on('message').run(show('picture'))).toBe(false);
  expect(shown).toEqual(['text', 'press']);
});

test('changes of one message wait for each other, those of two do not', async () => {
  const turns = new MessageOrder();
  const { shown, show } = board();
  let finish: () => void = () => undefined;
  const first = turns.take('one').run(async () => new Promise((resolve) => (finish = resolve)));
  const second = turns.take('one').run(show('second'));
  await turns.take('other').run(show('other'));
  expect(shown).toEqual(['other']);
  finish();
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(shown).toEqual(['other', 'second']);
});

test('a change that fails leaves the next one alone', async () => {
  const turns = new MessageOrder();
  await expect(turns.take('message').run(async () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(await turns.take('message').run(async () => undefined)).toBe(true);
});

test('what is pending on a message that was forgotten is too old', async () => {
  const turns = new MessageOrder();
  const pending = turns.take('message');
  await pending.run(async () => undefined);
  for (let other = 0; other < 1_000; other += 1) await turns.take(`other ${other}`).run(async () => undefined);
  expect(await pending.run(async () => undefined)).toBe(false);
});
