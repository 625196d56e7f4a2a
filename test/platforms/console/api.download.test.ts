import { expect, test } from 'vitest';
import { reply } from '../../../src/chat/reply.js';
import { MAX_MESSAGES_WITH_FILES } from '../../../src/platforms/console/conversation-log.js';
import { openHarness } from './harness.js';

const CSV = { name: 'supply.csv', type: 'text/csv', text: 'id,amount\n1,"486,210 – ü"\n' };
const answering = (files: readonly (typeof CSV)[]) => ({ answer: async () => reply({ finding: ['Exported'], files }) });

test('a file of an answer is a download that no browser shows as a page', async () => {
  await using harness = await openHarness(answering([CSV, { name: '../"\r\nev il.html', type: 'text/html', text: '<script>1</script>' }]));
  await harness.say('/supply');
  const first = await fetch(`${harness.url}/api/chats/main/messages/2/files/0`);
  expect(first.status).toBe(200);
  expect(await first.text()).toBe(CSV.text);
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="supply.csv"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  const second = await fetch(`${harness.url}/api/chats/main/messages/2/files/1`);
  expect(Object.fromEntries(second.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="ev-il.html"',
  });
});

test('the conversation names its files and their size, and leaves their text to the download', async () => {
  await using harness = await openHarness(answering([CSV]));
  const { body } = await harness.say('/supply');
  const said = body.replies?.[0];
  expect(said?.['reply']).toMatchObject({ files: [{ name: 'supply.csv', type: 'text/csv', bytes: Buffer.byteLength(CSV.text) }] });
  expect(JSON.stringify(body)).not.toContain('486,210');
  const page = await harness.get('/api/chats/main/messages?form=page');
  expect(page.body.messages?.[1]).toMatchObject({ html: expect.stringMatching(/<a data-file="0" download="supply.csv"/u) });
  expect(JSON.stringify(page.body)).not.toContain('486,210');
});

test('what is no file is said in a sentence', async () => {
  await using harness = await openHarness(answering([CSV]));
  await harness.say('/supply');
  for (const path of [
    'main/messages/2/files/1',
    'main/messages/1/files/0',
    'main/messages/9/files/0',
    'main/messages/x/files/y',
    'other/messages/2/files/0',
  ])
    expect(await harness.get(`/api/chats/${path}`)).toMatchObject({
      status: 404,
      body: { error: expect.stringMatching(/not kept.*Ask again/u) },
    });
});

test('only the latest files are kept, and the words of the others stay', async () => {
  await using harness = await openHarness(answering([CSV]));
  for (let count = 0; count <= MAX_MESSAGES_WITH_FILES; count += 1) await harness.say('/supply');
  expect((await fetch(`${harness.url}/api/chats/main/messages/2/files/0`)).status).toBe(404);
  expect((await fetch(`${harness.url}/api/chats/main/messages/4/files/0`)).status).toBe(200);
  expect((await harness.get('/api/chats/main/messages?after=1&limit=1')).body.messages).toMatchObject([{ id: 2, text: 'Exported' }]);
});

test('with a token a file is asked for like everything else', async () => {
  await using harness = await openHarness({ ...answering([CSV]), token: 'planted-secret-token' });
  expect((await fetch(`${harness.url}/api/chats/main/messages/2/files/0`)).status).toBe(401);
});
