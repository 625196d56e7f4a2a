import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LARGEST_FILE, UnreadableFile } from '../../../src/chat/inbound.js';
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { reply } from '../../../src/chat/reply.js';
import type { SentDocument } from '../../stand-ins/telegram/control.js';
import { catalogueOf, COMMANDS, IMPORT, openHarness, stopped, type TelegramHarness } from './harness.js';

let harness: TelegramHarness;
let telegram: TelegramHarness['telegram'];
beforeEach(async () => {
  harness = await openHarness({ catalogue: catalogueOf([...COMMANDS, IMPORT]) });
  ({ telegram } = harness);
  await harness.listen();
});
afterEach(async () => harness.close());

const LIST: SentDocument = { name: 'watchlist.json', content: '{"entries":["tide"]}' };

/** What a command reads of the files that came with it: its text, or the sentence why not. */
const reading = () => {
  const read: string[] = [];
  harness.answers(async ({ files = [] }) => {
    for (const file of files)
      read.push(
        await file.read().catch((error: unknown) => (error instanceof UnreadableFile ? error.says : `unexpected: ${String(error)}`)),
      );
    return reply({ finding: [`${files.length} read`] });
  });
  return read;
};
/** Somebody alone with the bot sends a document with the command; resolves with what was read of it. */
async function importing(document: SentDocument): Promise<string | undefined> {
  const { anna, chat } = harness.privately();
  const read = reading();
  telegram.say({ chat, from: anna, text: '/watchlist import', document });
  await harness.turnUntil(() => telegram.posted(chat).length === 1);
  return read[0];
}
/** Nothing that a person or an operator sees holds the token, which the address of a download does. */
const spoken = () => JSON.stringify([harness.log, telegram.transcript.map(({ params }) => params)]);

describe('a document with a command', () => {
  test('as its caption comes along, with its name and size', async () => {
    expect(await importing(LIST)).toBe(LIST.content);
    expect(harness.inbounds[0]).toMatchObject({ ask: { line: '/watchlist import' }, files: [{ name: 'watchlist.json', size: 20 }] });
  });

  test('in a group needs our name in the caption, as the platform has it', async () => {
    const anna = telegram.person();
    const chat = telegram.supergroup({ members: [anna] });
    const read = reading();
    for (const text of ['my list', '/watchlist@other_bot import', '/watchlist@navwatch_bot import'])
      telegram.say({ chat, from: anna, text, document: LIST });
    await harness.posts(chat);
    await harness.done();
    expect(harness.lines()).toEqual(['/watchlist import']);
    expect(read).toEqual([LIST.content]);
  });

  test('as a reply to the document comes along too, in a group as well, whoever sent the document', async () => {
    const anna = telegram.person();
    const bert = telegram.person();
    const chat = telegram.supergroup({ members: [anna, bert] });
    const read = reading();
    const sent = telegram.say({ chat, from: bert, document: LIST });
    telegram.say({ chat, from: anna, text: '/watchlist import', replyTo: sent });
    await harness.posts(chat);
    expect(read).toEqual([LIST.content]);
    expect(harness.inbounds).toMatchObject([{ from: { id: `telegram/${anna.id}` } }]);
  });

  test('with a document of its own that answers another brings both, the older one first', async () => {
    const { anna, chat } = harness.privately();
    const read = reading();
    const sent = telegram.say({ chat, from: anna, text: 'one', document: { name: 'a.txt', content: 'first' } });
    await harness.posts(chat);
    telegram.say({ chat, from: anna, text: '/watchlist import', document: { name: 'b.txt', content: 'second' }, replyTo: sent });
    await harness.posts(chat, 2);
    expect(read.slice(1)).toEqual(['first', 'second']);
  });

  test('is read once more after a restart in the middle of it', async () => {
    const { anna, chat } = harness.privately();
    harness.answers(async () => new Promise<never>(() => undefined));
    telegram.say({ chat, from: anna, text: '/watchlist import', document: LIST });
    await telegram.waitFor(() => harness.inbounds.length === 1);
    await stopped(harness.platform, harness.clock);
    const next = await harness.again();
    next.answers(async ({ files = [] }) => reply({ finding: [await files[0]!.read()] }));
    await next.listen();
    expect((await harness.posts(chat))[0]?.text).toBe(LIST.content);
  });

  test('a command without a document has no files', async () => {
    const { anna, chat } = harness.privately();
    telegram.say({ chat, from: anna, text: '/watchlist import' });
    await harness.posts(chat);
    expect(harness.inbounds[0]).not.toHaveProperty('files');
  });
});

describe('a document that cannot be read is a sentence', () => {
  const tooLarge = /^watchlist\.json is too large: it has 257 KB, and 256 KB is the most\./u;

  test('too large by what Telegram tells: nothing is fetched', async () => {
    expect(await importing({ ...LIST, content: 'x'.repeat(LARGEST_FILE + 1) })).toMatch(tooLarge);
    expect(telegram.calls('getFile')).toEqual([]);
  });

  test('too large although Telegram tells less, or nothing: it is counted while it comes', async () => {
    const content = 'x'.repeat(4 * LARGEST_FILE);
    expect(await importing({ ...LIST, content, alerted: 10 })).toMatch(tooLarge);
    // No more of it is waited for than it takes to know.
    telegram.fail({ fault: { kind: 'half-answer' }, method: 'file' });
    expect(await importing({ ...LIST, content: content.repeat(8), alerted: 10 })).toMatch(tooLarge);
    expect(await importing({ ...LIST, content, alerted: null })).toMatch(tooLarge);
    expect(await importing({ ...LIST, content: 'x'.repeat(21 * 1024 * 1024), alerted: null })).toMatch(
      /^watchlist\.json is too large for a bot to fetch\./u,
    );
  });

  test.each([
    ['another encoding', Buffer.from('caf\u00e9', 'latin1')],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0])],
  ])('%s', async (_what, content) => {
    expect(await importing({ ...LIST, content })).toBe("watchlist.json isn't plain text in UTF-8. Save it as such and send it again.");
  });

  test.each([
    ['the line is cut', { kind: 'cut-before' }, 'file'],
    ['half of it arrives', { kind: 'half-answer' }, 'file'],
    ['a proxy is in trouble', { kind: 'bad-gateway' }, 'file'],
    ['it never comes', { kind: 'hang' }, 'file'],
    ['Telegram does not say where it is', { kind: 'bad-gateway' }, 'getFile'],
  ] as const)('%s', async (_what, fault, method) => {
    telegram.fail({ fault, method });
    expect(await importing(LIST)).toBe('watchlist.json could not be fetched from Telegram. Try again in a minute.');
    expect(harness.log.map(({ event }) => event)).toContain('telegram.file-not-read');
    expect(spoken()).not.toContain('planted-secret');
  });

  test('one that Telegram no longer has', async () => {
    telegram.fail({
      fault: { kind: 'refuse', code: 400, description: 'Bad Request: wrong file_id or the file is temporarily unavailable' },
      method: 'getFile',
    });
    expect(await importing(LIST)).toBe('watchlist.json cannot be had from Telegram any more. Send it again.');
  });

  test('a name that turns the text around is shown as what it is', async () => {
    expect(await importing({ name: 'a\u202etxt.exe\n', content: Buffer.from([0xff]) })).toMatch(/^atxt\.exe isn't plain text/u);
  });
});

test('a read that is not wanted any more ends with the platform', async () => {
  const { anna, chat } = harness.privately();
  const read = reading();
  telegram.fail({ fault: { kind: 'hang' }, method: 'file' });
  telegram.say({ chat, from: anna, text: '/watchlist import', document: LIST });
  await telegram.waitFor(() => telegram.calls('file').length === 1);
  await stopped(harness.platform, harness.clock);
  expect(read).toEqual(['watchlist.json could not be fetched from Telegram. Try again in a minute.']);
});

describe('a document without a word', () => {
  test('alone with the bot gets a hint, once for an album and again later', async () => {
    const { anna, chat } = harness.privately();
    const [first] = ['a.txt', 'b.txt', 'c.txt'].map((name) => telegram.say({ chat, from: anna, document: { ...LIST, name } }));
    const [hint] = await harness.posts(chat);
    expect(hint).toMatchObject({
      text: '⚠ What should I do with this file? Send it with a command as its caption, or reply to it with one: /watchlist.',
      replyTo: first!.id,
    });
    await harness.done();
    await harness.clock.advance(11 * MINUTE);
    const later = telegram.say({ chat, from: anna, document: LIST });
    expect((await harness.posts(chat, 2)).map(({ replyTo }) => replyTo)).toEqual([first!.id, later.id]);
    expect(harness.inbounds).toEqual([]);
  });

  test('in a group means nothing to the bot, nor where no command takes one', async () => {
    const anna = telegram.person();
    const group = telegram.group({ bot: 'administrator', members: [anna] });
    telegram.say({ chat: group, from: anna, document: LIST });
    await harness.done();
    await stopped(harness.platform, harness.clock);
    const plain = await harness.again({ catalogue: catalogueOf(COMMANDS) });
    await plain.listen();
    const chat = telegram.privateChat(anna);
    telegram.say({ chat, from: anna, document: LIST });
    await harness.done();
    await harness.clock.advance(SECOND);
    expect([...telegram.posted(group), ...telegram.posted(chat), ...plain.inbounds]).toEqual([]);
  });
});
