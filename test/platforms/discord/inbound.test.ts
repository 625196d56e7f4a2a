import { afterEach, describe, expect, test } from 'vitest';
import { SECOND } from '../../../src/base/clock.js';
import { LARGEST_FILE, UnreadableFile } from '../../../src/chat/inbound.js';
import { reply } from '../../../src/chat/reply.js';
import type { Controls } from '../../stand-ins/discord/types.js';
import { openHarness, textOf, type DiscordHarness } from './harness.js';

let harness: DiscordHarness;
afterEach(async () => harness.close());

const bytes = (text: string) => new TextEncoder().encode(text);

/** What the command got that anna sent this file with. */
async function send(file: Parameters<Controls['addFile']>[0]) {
  harness = await openHarness();
  await harness.connect();
  const { controls } = harness.discord;
  const options = { how: 'look', file: controls.addFile(file) };
  await controls.slash({ channel: harness.channel, user: harness.anna, command: 'import', options }).reply();
  const { files = [], ask } = harness.inbounds[0]!;
  return { file: files[0]!, count: files.length, ask };
}

describe('an option that takes a file', () => {
  test('is a field for a file, with the words beside it, and what is required comes first', async () => {
    harness = await openHarness();
    await harness.connect();
    const command = harness.discord.controls.commands().find(({ name }) => name === 'import');
    expect(command?.raw['options']).toMatchObject([
      { type: 3, name: 'how', required: true },
      { type: 11, name: 'file', description: 'a list of wallets' },
      { type: 3, name: 'list', description: 'Instead of a file: a list of wallets' },
    ]);
  });

  test('reaches the command with its text, and is none of the options', async () => {
    const { file, count, ask } = await send({ name: 'list.txt', bytes: bytes('\ufeff0xabc\n0xdef ✓') });
    expect(count).toBe(1);
    expect(file).toMatchObject({ name: 'list.txt', size: 18 });
    expect(await file.read()).toBe('0xabc\n0xdef ✓');
    expect(ask).toEqual({ command: 'import', options: { how: 'look' } });
  });

  test('can be left out, and the words typed instead', async () => {
    harness = await openHarness();
    await harness.connect();
    const options = { how: 'look', list: '0xabc' };
    await harness.discord.controls.slash({ channel: harness.channel, user: harness.anna, command: 'import', options }).reply();
    expect(harness.inbounds[0]).toMatchObject({ ask: { options } });
    expect(harness.inbounds[0]).not.toHaveProperty('files');
  });
});

describe('a file that cannot be read', () => {
  test.each([
    ['too large by what is alerted of it', { name: 'big.txt', bytes: bytes('x'), size: LARGEST_FILE + 1 }, /big\.txt is too large/u],
    ['larger than was alerted', { name: 'big.txt', bytes: new Uint8Array(LARGEST_FILE + 1).fill(0x61), size: 1 }, /big\.txt is too large/u],
    ['no text', { name: 'a.png', bytes: Uint8Array.of(0x89, 0x50, 0xff) }, /a\.png isn't plain text/u],
    ['gone', { name: 'a.txt', bytes: bytes('x'), trouble: 'gone' as const }, /a\.txt is not there any more: Discord answers 404/u],
    ['cut off', { name: 'a.txt', bytes: bytes('half and half'), trouble: 'cut' as const }, /a\.txt could not be fetched/u],
  ])('%s is alerted as a sentence, without its address', async (_what, sent, says) => {
    const { file } = await send(sent);
    const error: unknown = await file.read().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(UnreadableFile);
    expect((error as UnreadableFile).says).toMatch(says);
    expect(JSON.stringify([error, harness.lines])).not.toContain('planted-signature');
  });

  test('too large by what is alerted of it is not even fetched', async () => {
    const { file } = await send({ name: 'a.txt', bytes: bytes('x'), size: LARGEST_FILE + 1, trouble: 'hang' });
    await expect(file.read()).rejects.toThrow('too large');
  });

  test('that does not come to its end is given up after a while', async () => {
    const { file } = await send({ name: 'a.txt', bytes: bytes('half and half'), trouble: 'hang' });
    const asleep = harness.clock.sleepers();
    const read = file.read().catch((cause: unknown) => cause);
    await harness.clock.asleep(asleep + 1);
    await harness.clock.advance(10 * SECOND);
    expect(await read).toMatchObject({ says: expect.stringContaining('could not be fetched') });
  });
});

test('a hostile name is shown as text in one line, in the words of the command too', async () => {
  harness = await openHarness({
    answer: async ({ files = [] }) => reply({ finding: [`${files[0]?.name}: ${await files[0]?.read().catch(String)}`] }),
  });
  await harness.connect();
  const { controls } = harness.discord;
  const name = '\u202e<@&1> @everyone\n.exe';
  const options = { how: 'look', file: controls.addFile({ name, bytes: bytes('x'), trouble: 'gone' }) };
  const shown = await controls.slash({ channel: harness.channel, user: harness.anna, command: 'import', options }).reply();
  expect(harness.inbounds[0]?.files?.[0]?.name).toBe('<@&1> @everyone .exe');
  expect(shown.pings.quiet).toBe(true);
  expect(textOf(shown)).toContain('\\<\\@&1\\> \\@everyone .exe is not there any more');
  expect(textOf(shown)).not.toContain('\u202e');
});
