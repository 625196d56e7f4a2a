/** A watchlist is imported on Discord from a file that is added to a form, with the preview and the buttons of every import. */
import { expect, test } from 'vitest';
import { LARGEST_FILE } from '../../src/chat/inbound.js';
import { labels, openConnectedBot, read } from './connected-bot.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const opened = async () => {
  const bot = await openConnectedBot();
  const { controls } = bot.discord;
  const open = async (user = bot.anna) => controls.slash({ channel: bot.channel, user, command: 'watchlist', options: { view: 'import' } });
  /** What a person sees who adds these files or pastes this text. */
  const send = async (values: { readonly file?: readonly string[]; readonly typed?: string }) => {
    const opening = await open();
    await opening.form();
    return controls.submit({ opened: opening, values }).reply();
  };
  const add = (text: string, more: Partial<Parameters<typeof controls.addFile>[0]> = {}) =>
    controls.addFile({ name: 'list.txt', bytes: bytesOf(text), ...more });
  return { ...bot, controls, open, send, add };
};

test('/watchlist import opens a form for a file or text; a file is previewed, imported by a press and exported again', async () => {
  const bot = await opened();
  const form = await (await bot.open()).form();
  expect(form.raw).toMatchObject({
    components: [{ component: { type: 19, required: false, max_values: 1 } }, { component: { type: 4, style: 2, required: false } }],
  });
  const preview = await bot.send({ file: [bot.add('tide\nheron')] });
  expect(read(preview)).toContain('Import this list? It will add 2 entries');
  const done = await bot.controls.press({ message: preview.id, user: bot.anna, button: 'Import' }).reply();
  expect(read(done)).toContain('Imported: added 2 entries');
  expect(labels(done)).toContain('Watchlist');
  const pasted = await bot.send({ typed: 'tide\nspindrift' });
  expect(read(pasted)).toContain('It will add 1 entry');
  expect(bot.discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
});

test('what is too large, gone or no text is refused with the reason, and nothing is imported', async () => {
  const bot = await opened();
  for (const [file, says] of [
    [bot.add('tide', { size: LARGEST_FILE + 1 }), 'is too large'],
    [bot.add('x'.repeat(LARGEST_FILE + 1), { size: 10 }), 'is too large'],
    [bot.add('tide', { trouble: 'gone' }), 'is not there any more'],
    [bot.controls.addFile({ name: 'picture.png', bytes: new Uint8Array([0xff, 0xd8, 0]) }), "isn't plain text"],
  ] as const)
    expect(read(await bot.send({ file: [file] }))).toContain(says);
  expect(read(await bot.send({}))).toContain('Choose a file or paste its text.');
  expect(read(await bot.send({ file: [bot.add('tide')], typed: 'heron' }))).toContain('not both');
  expect(read(await bot.slash('watchlist'))).not.toMatch(/Tidewater|heron/iu);
});

test('the option for a file still works, and who manages nothing gets no form', async () => {
  const bot = await opened();
  const preview = await bot.slash('watchlist', { view: 'import', file: bot.add('tide') });
  expect(read(preview)).toContain('It will add 1 entry');
  const refused = await (await bot.open(bot.ben)).reply();
  expect(read(refused)).toContain('Only people who can manage this channel');
});

test('where Discord takes no such form the command says how to send a list', async () => {
  const bot = await opened();
  bot.controls.faults.next({ kind: 'refused', status: 400, code: 50_035 }, { method: 'POST', path: '/callback' });
  const answer = await (await bot.open()).reply();
  expect(read(answer)).toContain('Send a list to import');
  expect(labels(answer)).toContain('Import a list');
});
