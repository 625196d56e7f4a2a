import { expect, test } from 'vitest';
import type { Inbound } from '../../../src/chat/inbound.js';
import { reply } from '../../../src/chat/reply.js';
import { openStore } from '../../../src/store/open.js';
import { StoreError, type Store } from '../../../src/store/store.js';
import { JSON_TYPE, OPERATOR, allWell, catalogueOf, openHarness } from './harness.js';
import { listen } from './listen.js';

test('a question is answered with the final reply, as data and as text', async () => {
  await using harness = await openHarness({
    answer: async () =>
      reply({ tone: 'down', finding: [{ strong: 'TIDE trades 17.2% below NAV' }], actions: [{ label: '1M', line: '/premium tide 1M' }] }),
  });
  const { status, body } = await harness.say('/premium tide');
  expect(status).toBe(200);
  expect(body).toEqual({
    replies: [
      {
        id: 2,
        at: '2026-11-20T12:00:00.000Z',
        kind: 'reply',
        answers: 1,
        text: '▼ TIDE trades 17.2% below NAV\n[1M: /premium tide 1M]',
        reply: expect.objectContaining({ tone: 'down', finding: [{ strong: 'TIDE trades 17.2% below NAV' }] }),
      },
    ],
  });
});

test('question, reply and alert stand in the conversation with ascending ids', async () => {
  await using harness = await openHarness();
  await harness.say('/help');
  await harness.alert('d-1', 'a mint');
  const { body } = await harness.get('/api/chats/main/messages?after=0');
  expect(body.messages?.map(({ id, kind, text }) => [id, kind, text])).toEqual([
    [1, 'question', '/help'],
    [2, 'reply', 'you said /help'],
    [3, 'alert', 'a mint'],
  ]);
  expect((await harness.get('/api/chats/main/messages?after=2')).body.messages).toMatchObject([{ id: 3, deliveryId: 'd-1' }]);
  expect((await harness.get('/api/chats/main/messages?limit=1')).body.messages).toMatchObject([{ id: 1 }]);
});

test('the page gets the rendering with each message, programs do not', async () => {
  await using harness = await openHarness();
  await harness.say('/help');
  expect((await harness.get('/api/chats/main/messages')).body.messages?.[0]).not.toHaveProperty('html');
  const { body } = await harness.get('/api/chats/main/messages?form=page&before=2&limit=5');
  expect(body.messages).toMatchObject([{ id: 1, html: expect.stringContaining('<article') }]);
});

test('the line is passed on as typed, from a person who manages the chat, and who is the operator with a login only', async () => {
  const asked: Inbound[] = [];
  await using harness = await openHarness({
    answer: async (inbound) => {
      asked.push(inbound);
      return reply({ finding: ['ok'] });
    },
  });
  await harness.say('  how is tide  doing?\n', 'harness');
  expect(asked).toEqual([
    {
      chat: 'console/harness',
      from: { id: 'console/local', name: 'you', manages: expect.any(Function) },
      circles: ['console/local'],
      ask: { line: 'how is tide  doing?' },
    },
  ]);
  expect(await asked[0]?.from.manages()).toBe(true);
  await fetch(`${harness.url}/api/chats/main/messages`, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...OPERATOR },
    body: '{"text":"/status"}',
  });
  expect(asked[1]?.circles).toEqual(['console/local', 'console/operator']);
});

test('a question whose asker hangs up is still answered into the conversation', async () => {
  let answerNow = () => {};
  let asked = () => {};
  const arrived = new Promise<void>((resolve) => (asked = resolve));
  await using harness = await openHarness({
    answer: async () => {
      asked();
      await new Promise<void>((resolve) => (answerNow = resolve));
      return reply({ finding: ['late but here'] });
    },
  });
  const line = new AbortController();
  const question = fetch(`${harness.url}/api/chats/main/messages`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: '{"text":"/help"}',
    signal: line.signal,
  });
  await arrived;
  line.abort();
  await expect(question).rejects.toThrow();
  answerNow();
  const ear = await listen(`${harness.url}/api/chats/main/events?after=1`);
  await ear.next();
  expect(await ear.next()).toMatchObject({ id: '2', data: { text: 'late but here', answers: 1 } });
  ear.close();
});

test('closing waits for the answer in hand', async () => {
  let answerNow = () => {};
  let asked = () => {};
  const arrived = new Promise<void>((resolve) => (asked = resolve));
  await using harness = await openHarness({
    answer: async () => {
      asked();
      await new Promise<void>((resolve) => (answerNow = resolve));
      return reply({ finding: ['done'] });
    },
  });
  const question = harness.say('/help');
  await arrived;
  const closed = harness.console.close();
  answerNow();
  await closed;
  expect((await question).body.replies).toMatchObject([{ text: 'done' }]);
});

test('an answerer that fails against its promise becomes a sentence, and nothing of the failure is shown', async () => {
  await using harness = await openHarness({
    answer: async () => {
      throw new Error('secret-key-123 in a stack');
    },
  });
  const { status, body } = await harness.say('/help');
  expect(status).toBe(200);
  expect(body.replies?.[0]?.text).toMatch(/^⚠ I could not answer that/);
  expect(JSON.stringify(body)).not.toContain('secret-key-123');
});

test.each([
  ['no JSON', 'hello', 400],
  ['an empty body', '', 400],
  ['JSON of another shape', '{"question":"/help"}', 400],
  ['a text that is no text', '{"text":7}', 400],
  ['an empty text', '{"text":"  \\n "}', 400],
  ['null', 'null', 400],
  ['more than 64 KB', JSON.stringify({ text: 'x'.repeat(64 * 1024) }), 413],
])('%s is refused with a sentence and leaves nothing behind', async (_what, body, status) => {
  await using harness = await openHarness();
  const answer = await fetch(`${harness.url}/api/chats/main/messages`, { method: 'POST', headers: JSON_TYPE, body });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toEqual({ error: expect.stringMatching(/^[A-Z].*[.;]/) });
  expect((await harness.get('/api/chats/main/messages')).body.messages).toEqual([]);
});

test('a body that streams on without a length is cut off at the limit', async () => {
  await using harness = await openHarness();
  const answer = await harness.raw({
    path: '/api/chats/main/messages',
    method: 'POST',
    headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' },
    body: 'x'.repeat(70_000),
  });
  expect(answer.status).toBe(413);
});

test.each(['Main', 'a_b', 'x'.repeat(33), '%2e%2ex', '%00'])('"%s" is no name of a chat', async (name) => {
  await using harness = await openHarness();
  expect((await harness.say('/help', name)).status).toBe(400);
  expect((await harness.get(`/api/chats/${name}/messages`)).status).toBe(400);
});

test.each(['/api', '/api/nothing', '/api/chats/main', '/api/chats/main/nothing'])('%s is a 404 in JSON', async (path) => {
  await using harness = await openHarness();
  expect(await harness.get(path)).toMatchObject({ status: 404, body: { error: expect.any(String) } });
});

test.each(['after=-1', 'after=x', 'limit=0', 'limit=1.5', 'before=1e99', 'form=xml'])(
  'a page of messages with %s is refused',
  async (query) => {
    await using harness = await openHarness();
    expect((await harness.get(`/api/chats/main/messages?${query}`)).status).toBe(400);
  },
);

test('the list of chats has main first, and where each one ends', async () => {
  await using harness = await openHarness();
  expect((await harness.get('/api/chats')).body).toEqual({ chats: [{ name: 'main', last: 0 }] });
  await harness.say('hello', 'harness');
  expect((await harness.get('/api/chats')).body).toEqual({
    chats: [
      { name: 'main', last: 0 },
      { name: 'harness', last: 2, at: '2026-11-20T12:00:00.000Z' },
    ],
  });
});

test('completion passes line and chat on and answers suggestions', async () => {
  await using harness = await openHarness({
    catalogue: catalogueOf([
      ['/premium ', 'against NAV'],
      ['/help', 'help'],
    ]),
  });
  expect((await harness.get('/api/complete?chat=main&line=%2Fpr')).body).toEqual({
    suggestions: [{ insert: '/premium ', label: '/premium ', hint: 'against NAV' }],
  });
  expect((await harness.get(`/api/complete?line=${'x'.repeat(1_001)}`)).status).toBe(400);
});

test('the panel is what its port says, with the calls and alerts of all chats for the operator, and a sentence when that fails', async () => {
  let works = true;
  await using harness = await openHarness({
    panel: {
      read: async () => {
        if (!works) throw new Error('internal');
        return allWell;
      },
    },
  });
  const { service, feeds } = allWell;
  expect((await harness.get('/api/panel')).body).toEqual({ service, feeds });
  expect(await (await fetch(`${harness.url}/api/panel`, { headers: OPERATOR })).json()).toEqual(allWell);
  works = false;
  const { status, body } = await harness.get('/api/panel');
  expect(status).toBe(503);
  expect(body.error).not.toContain('internal');
});

test('when the conversation cannot be saved the asker is alerted and nothing is answered', async () => {
  const inner = await openStore('memory://');
  const store: Store = {
    ...inner,
    collection: (spec) => ({
      ...inner.collection(spec),
      set: async () => {
        throw new StoreError('full', 'store: /home/someone/navwatch.sqlite is full');
      },
    }),
  };
  let answered = 0;
  await using harness = await openHarness({ store, answer: async () => reply({ finding: [`${(answered += 1)}`] }) });
  const { status, body } = await harness.say('/help');
  expect(status).toBe(503);
  expect(body.error).not.toContain('someone');
  expect(answered).toBe(0);
});

test('no answer of the API is kept by a cache', async () => {
  await using harness = await openHarness();
  expect((await harness.raw({ path: '/api/chats' })).headers['cache-control']).toBe('no-store');
});
