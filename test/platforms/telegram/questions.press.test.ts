import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECOND } from '../../../src/base/clock.js';
import { reply } from '../../../src/chat/reply.js';
import type { SeenMessage } from '../../stand-ins/telegram/control.js';
import { at, openHarness, warning, type TelegramHarness } from './harness.js';

let harness: TelegramHarness;
let telegram: TelegramHarness['telegram'];
beforeEach(async () => {
  harness = await openHarness();
  ({ telegram } = harness);
  await harness.listen();
});
afterEach(async () => harness.close());

describe('a press', () => {
  /** A message with these buttons in a chat where Anna is. */
  async function asked(chat: number, anna: ReturnType<typeof telegram.person>, actions: { label: string; line: string }[]) {
    harness.answers(() => reply({ finding: ['the answer'], actions }));
    telegram.say({ chat, from: anna, text: '/premium' });
    return (await harness.posts(chat))[0]!;
  }

  test('changes the message it was under, and stops spinning', async () => {
    const { anna, chat } = harness.privately();
    const message = await asked(chat, anna, [{ label: '1W', line: '/premium tide 1W' }]);
    harness.answers(() => reply({ finding: ['a week'] }));
    const press = telegram.press({ message, button: '1W', from: anna });
    expect(await press.answered).toEqual({ text: undefined, alert: false, url: undefined });
    await telegram.waitFor(() => telegram.edits(chat).length === 1);
    expect(telegram.posted(chat)).toMatchObject([{ id: message.id, text: 'a week', buttons: [] }]);
    expect(harness.lines()).toEqual(['/premium', '/premium tide 1W']);
  });

  test('in a menu of several pages keeps the page where it was', async () => {
    const { anna, chat } = harness.privately();
    const options = (on: number) =>
      Array.from({ length: 12 }, (_, index) => ({ label: `level ${index}`, line: `/alerts tide ${index}`, on: index === on }));
    const page = (on: number) =>
      reply({
        finding: [`level ${on}`],
        fields: [
          { kind: 'menu', label: 'Level', options: options(on) },
          { kind: 'menu', label: 'Age', options: [{ label: '1 d', line: '/alerts tide age 1d' }] },
        ],
      });
    harness.answers(() => page(0));
    telegram.say({ chat, from: anna, text: '/alerts tide' });
    await harness.posts(chat);
    const press = async (button: string): Promise<void> => {
      const message = telegram.posted(chat)[0]!;
      await telegram.press({ message, button, from: anna }).answered;
      await harness.done();
    };
    await press('Level…');
    await press('More ›');
    harness.answers(() => page(9));
    await press('level 9');
    const [after] = telegram.posted(chat);
    expect(after?.text).toBe('level 9');
    expect(after?.buttons.flat().map(({ text }) => text)).toEqual(expect.arrayContaining(['level 8', '✓ level 9', '‹ Back']));
    expect(after?.buttons.flat().map(({ text }) => text)).not.toContain('Level…');
  });

  test('that changes nothing is answered quietly', async () => {
    const { anna, chat } = harness.privately();
    const message = await asked(chat, anna, [{ label: 'Same', line: '/premium' }]);
    expect(await telegram.press({ message, button: 'Same', from: anna }).answered).toMatchObject({ text: undefined });
    await harness.done();
    expect(harness.log.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
    expect(telegram.posted(chat)).toHaveLength(1);
  });

  test('carries a command line of any length', async () => {
    const { anna, chat } = harness.privately();
    const line = `/premium ${'ü'.repeat(200)}`;
    const message = await asked(chat, anna, [{ label: 'Long', line }]);
    expect(Buffer.byteLength(message.buttons[0]?.[0]?.data ?? '')).toBeLessThanOrEqual(64);
    telegram.press({ message, button: 'Long', from: anna });
    await telegram.waitFor(() => harness.lines().includes(line));
  });

  test('on a button whose line is no longer kept says so to the one who pressed', async () => {
    const { anna, chat } = harness.privately();
    const message = await asked(chat, anna, [{ label: 'Go', line: '/premium' }]);
    telegram.push({ callback_query: { ...telegram.press({ message, button: 'Go', from: anna }).query, data: '#unknown' } });
    await telegram.waitFor(() => telegram.calls('answerCallbackQuery').length === 2);
    expect(telegram.calls('answerCallbackQuery').map(({ params }) => params['text'])).toContainEqual(expect.stringMatching(/expired/u));
  });

  test('under an alert leaves the alert as it is; the answer follows it', async () => {
    const { anna, chat } = harness.privately();
    const alert = { id: 'd-1', reply: reply({ finding: ['a mint'], actions: [{ label: 'Why?', line: '/why d-1' }] }) };
    await harness.platform.notifier.deliver(at(chat), alert);
    const [message] = telegram.posted(chat);
    harness.answers(() => reply({ finding: ['because'] }));
    telegram.press({ message: message!, button: 'Why?', from: anna });
    expect((await harness.posts(chat, 2))[1]).toMatchObject({ text: 'because', replyTo: message!.id });
    expect(telegram.edits(chat)).toEqual([]);
    expect(harness.lines()).toEqual(['/why d-1']);
  });

  test('that only the presser should hear of is a notice, cut to what one holds', async () => {
    const anna = telegram.person();
    const chat = telegram.supergroup({ members: [anna] });
    const message = await asked(chat, anna, [{ label: 'Go', line: '/watch tide' }]);
    harness.answers(() => warning(`Only people who manage this chat can do that. ${'😀'.repeat(150)}`, [{ label: 'Help', line: '/help' }]));
    const { text, alert } = await telegram.press({ message, button: 'Go', from: anna }).answered;
    expect(alert).toBe(true);
    expect(text).toMatch(/^⚠ Only people who manage this chat can do that\. /u);
    expect(text!.length).toBeLessThanOrEqual(200);
    expect(text).not.toMatch(/\p{Cs}/u);
    expect(telegram.posted(chat)).toHaveLength(1);
  });

  test('alone with the bot, a warning with buttons is a message, and the answer under which it was pressed stays', async () => {
    const { anna, chat } = harness.privately();
    const message = await asked(chat, anna, [{ label: 'Go', line: '/premium x' }]);
    harness.answers(() => warning('Did you mean tide?', [{ label: 'tide', line: '/premium tide' }]));
    telegram.press({ message, button: 'Go', from: anna });
    expect((await harness.posts(chat, 2))[1]).toMatchObject({ text: '⚠ Did you mean tide?', buttons: [[{ text: 'tide' }]] });
    expect(telegram.edits(chat)).toEqual([]);
  });

  test('that takes long stops spinning after a few seconds; a warning then follows as a reply for that person', async () => {
    const anna = telegram.person();
    const chat = telegram.supergroup({ members: [anna] });
    const message = await asked(chat, anna, [{ label: 'Go', line: '/premium' }]);
    let finish: () => void = () => undefined;
    harness.answers(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return warning('The service is not answering.');
    });
    const press = telegram.press({ message, button: 'Go', from: anna });
    await telegram.waitFor(() => harness.inbounds.length === 2);
    await harness.clock.advance(5 * SECOND);
    expect(await press.answered).toMatchObject({ text: undefined, alert: false });
    finish();
    expect(await telegram.waitFor(() => telegram.ephemeral(chat)[0])).toMatchObject({
      replyTo: message.id,
      text: '⚠ The service is not answering.',
    });
  });

  test('under a message that was deleted is answered with a new one', async () => {
    const { anna, chat } = harness.privately();
    const message = await asked(chat, anna, [{ label: 'Go', line: '/premium' }]);
    harness.answers(() => {
      telegram.remove(message);
      return reply({ finding: ['still here'] });
    });
    await telegram.press({ message, button: 'Go', from: anna }).answered;
    await telegram.waitFor(() => telegram.posted(chat).length === 1);
    expect(telegram.posted(chat)).toMatchObject([{ text: 'still here' }]);
  });

  test('that comes too late to be answered is done all the same', async () => {
    const { anna, chat } = harness.privately();
    const message = await asked(chat, anna, [{ label: 'Go', line: '/premium' }]);
    harness.answers(() => reply({ finding: ['done'] }));
    telegram.push({ callback_query: { ...telegram.press({ message, button: 'Go', from: anna }).query, id: 'long ago' } });
    await telegram.waitFor(() => telegram.posted(chat)[0]?.text === 'done' && telegram.calls('answerCallbackQuery').length === 2);
    expect(harness.log.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  });
});

describe('a press that a client made up', () => {
  const forged = async (
    message: SeenMessage,
    from: ReturnType<typeof telegram.person>,
    { shown, data }: { readonly shown: string; readonly data: string },
  ) => {
    const before = telegram.calls('answerCallbackQuery').length;
    telegram.push({ callback_query: { ...telegram.press({ message, button: shown, from }).query, data } });
    await telegram.waitFor(() => telegram.calls('answerCallbackQuery').length >= before + 2);
    await harness.done();
  };

  test('does not replace an alert: the answer follows it', async () => {
    const { anna, chat } = harness.privately();
    const alert = { id: 'd-1', reply: reply({ finding: ['a mint'], actions: [{ label: 'Why?', line: '/why d-1' }] }) };
    await harness.platform.notifier.deliver(at(chat), alert);
    harness.answers(({ ask }) => reply({ finding: ['line' in ask ? ask.line : ''] }));
    await forged(telegram.posted(chat)[0]!, anna, { shown: 'Why?', data: '/premium' });
    expect(telegram.edits(chat)).toEqual([]);
    expect(telegram.posted(chat).map(({ text }) => text)).toEqual(['a mint', '/why d-1', '/premium']);
  });

  test('does not show the pages of another keyboard', async () => {
    const { anna, chat } = harness.privately();
    const page = (label: string) =>
      reply({
        finding: [label],
        actions: Array.from({ length: 12 }, (_, index) => ({ label: `${label} ${index}`, line: `/alerts ${index}` })),
      });
    harness.answers(() => page('ours'));
    telegram.say({ chat, from: anna, text: '/alerts' });
    const [ours] = await harness.posts(chat);
    harness.answers(() => page('theirs'));
    telegram.say({ chat, from: anna, text: '/alerts' });
    const [, theirs] = await harness.posts(chat, 2);
    harness.answers(() => page('ours'));
    const turn = theirs!.buttons.flat().find(({ text }) => text === 'More ›');
    await forged(ours!, anna, { shown: 'ours 0', data: turn!.data ?? '' });
    expect(
      telegram
        .posted(chat)[0]
        ?.buttons.flat()
        .map(({ text }) => text)
        .join(),
    ).not.toContain('theirs');
  });
});

describe('a press in a channel', () => {
  test('by somebody who does not manage it shows the answer to nobody else', async () => {
    const reader = telegram.person();
    const editor = telegram.person();
    const chat = telegram.channel();
    telegram.setMember(chat, reader, 'member');
    telegram.setMember(chat, editor, 'administrator');
    harness.answers(() => reply({ finding: ['the answer'], actions: [{ label: '1W', line: '/premium 1W' }] }));
    telegram.say({ chat, text: '/premium' });
    const message = (await harness.posts(chat))[0]!;
    harness.answers(() => reply({ finding: ['a week of it'] }));
    expect(await telegram.press({ message, button: '1W', from: reader }).answered).toEqual({
      text: 'a week of it',
      alert: true,
      url: undefined,
    });
    expect(telegram.posted(chat)).toMatchObject([{ text: 'the answer' }]);
    telegram.press({ message, button: '1W', from: editor });
    await telegram.waitFor(() => telegram.edits(chat).length === 1);
    expect(telegram.posted(chat)).toMatchObject([{ text: 'a week of it' }]);
  });
});
