import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { LARGEST_FILE, UnreadableFile, type SentFile } from '../../../src/chat/inbound.js';
import { reply } from '../../../src/chat/reply.js';
import { bodySchema, openHarness } from './harness.js';

/** A form as a browser or a program sends it. */
function formOf(
  text: string | undefined,
  ...files: readonly (readonly [name: string, content: string | Uint8Array<ArrayBuffer>])[]
): FormData {
  const form = new FormData();
  if (text !== undefined) form.set('text', text);
  for (const [name, content] of files) form.append('file', new File([content], name));
  return form;
}

/** A console that keeps the files it was sent. */
async function openReceiver() {
  const files: SentFile[] = [];
  const harness = await openHarness({
    answer: async (inbound) => {
      files.push(...(inbound.files ?? []));
      return reply({ finding: [inbound.files === undefined ? 'no file' : 'thank you'] });
    },
  });
  const post = async (body: FormData | string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${harness.url}/api/chats/main/messages`, { method: 'POST', body, headers });
    return { status: answer.status, body: bodySchema.parse(await answer.json()) };
  };
  return { harness, files, post, [Symbol.asyncDispose]: async () => harness[Symbol.asyncDispose]() };
}

test('a file comes with the line, under its name and size, and its text can be read', async () => {
  await using receiver = await openReceiver();
  const { status, body } = await receiver.post(formOf(' /watchlist import\n', ['list.json', '{"é": 1}']));
  expect([status, body.replies?.[0]?.text]).toEqual([200, 'thank you']);
  expect(receiver.files).toMatchObject([{ name: 'list.json', size: 9 }]);
  expect(await receiver.files[0]?.read()).toBe('{"é": 1}');
});

test('the conversation keeps the name and the size, and not what stood in it', async () => {
  await using receiver = await openReceiver();
  await receiver.post(formOf('/watchlist import', ['list.json', 'a secret plan']));
  const { body } = await receiver.harness.get('/api/chats/main/messages');
  expect(body.messages?.[0]).toMatchObject({ kind: 'question', text: '/watchlist import', sent: [{ name: 'list.json', size: 13 }] });
  expect(JSON.stringify(body)).not.toContain('a secret plan');
});

test('a form without a file is a question like any other', async () => {
  await using receiver = await openReceiver();
  expect((await receiver.post(formOf('/help'))).body.replies?.[0]?.text).toBe('no file');
});

test('a file that is no text can be alerted from one that is, when it is read', async () => {
  await using receiver = await openReceiver();
  expect((await receiver.post(formOf('/watchlist import', ['photo.png', Uint8Array.of(0x89, 0x50, 0xff)]))).status).toBe(200);
  await expect(receiver.files[0]?.read()).rejects.toThrow(UnreadableFile);
});

test.each([
  ['a file over the limit', formOf('/x', ['a.txt', 'x'.repeat(LARGEST_FILE + 1)]), 413],
  ['a file far over the limit', formOf('/x', ['a.txt', 'x'.repeat(2 * LARGEST_FILE)]), 413],
  ['a text over the limit beside a file', formOf('x'.repeat(64 * 1024 + 1), ['a.txt', 'x']), 413],
  ['no text', formOf(undefined, ['a.txt', 'x']), 400],
  ['a text of nothing', formOf('  ', ['a.txt', 'x']), 400],
  ['a text that is a file', formOf(undefined, ['a.txt', 'x']), 400],
])('a form with %s is refused with a sentence and leaves nothing behind', async (_what, form, status) => {
  await using receiver = await openReceiver();
  const answer = await receiver.post(form);
  expect(answer).toEqual({ status, body: { error: expect.stringMatching(/^[A-Z\d].*[.;]/i) } });
  expect((await receiver.harness.get('/api/chats/main/messages')).body.messages).toEqual([]);
});

test.each([
  ['that has no boundary', 'multipart/form-data'],
  ['that is something else', 'multipart/form-data; boundary=x'],
])('a form %s is refused with a sentence', async (_what, type) => {
  await using receiver = await openReceiver();
  expect(await receiver.post('hello', { 'content-type': type })).toMatchObject({ status: 400, body: { error: expect.any(String) } });
});

test('a page of another site cannot send a form', async () => {
  await using receiver = await openReceiver();
  const answer = await receiver.post(formOf('/watch tide'), { origin: 'https://elsewhere.example' });
  expect(answer.status).toBe(403);
});

test.each(['application/json', 'multipart/form-data; boundary=x'])('a body of %s that breaks off is one line in the log', async (type) => {
  const lines: string[] = [];
  const line = (event: string) => void lines.push(event);
  await using harness = await openHarness({ log: { error: line, warn: line, info: line, debug: line } });
  for (const headers of [{ 'content-length': 1_000 }, { 'transfer-encoding': 'chunked' }]) {
    const sent = request({
      host: '127.0.0.1',
      port: harness.port,
      path: '/api/chats/main/messages',
      method: 'POST',
      headers: { 'content-type': type, ...headers },
    });
    sent.on('error', () => undefined);
    sent.write('{"text":"/he');
    await once(sent, 'socket');
    sent.flushHeaders();
    // An answer to a later request on the same server shows that this one was begun.
    await harness.get('/api/chats');
    sent.destroy();
    const before = lines.length;
    for (let turn = 0; turn < 50 && lines.length === before; turn += 1) await harness.get('/api/chats');
  }
  expect(lines).toEqual(['console.body-aborted', 'console.body-aborted']);
});
