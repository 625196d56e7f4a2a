import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { MINUTE } from '../../../src/base/clock.js';
import { MAX_ENDPOINTS } from '../../../src/platforms/webhook/endpoints.js';
import { openStore } from '../../../src/store/open.js';
import { openWebhooks } from './harness.js';

const URL = 'https://example.com/hooks';

describe('an endpoint', () => {
  test('is created with a secret that is shown once, listed, named as a chat, and survives a restart', async () => {
    const webhooks = await openWebhooks();
    const created = await webhooks.ask('endpoints', { name: ' desk\n', url: URL });
    expect(created).toMatchObject({ status: 201, endpoint: { name: 'desk', url: URL }, secret: expect.stringMatching(/^whsec_/u) });
    expect(webhooks.platform().chats?.()).toEqual([created.endpoint?.address]);
    await webhooks.restart();
    expect((await webhooks.ask('endpoints')).endpoints).toEqual([created.endpoint]);
    expect((await webhooks.ask('endpoints')).text).not.toContain(created.secret);
  });

  test('is disabled, enabled and removed, and its chat with it', async () => {
    const webhooks = await openWebhooks();
    const { endpoint } = await webhooks.ask('endpoints', { url: URL });
    const path = `endpoints/${endpoint?.id}`;
    expect((await webhooks.ask(`${path}/disable`, {})).endpoint?.disabled).toBeDefined();
    expect((await webhooks.ask(`${path}/enable`, {})).endpoint?.disabled).toBeUndefined();
    await webhooks.ask(`${path}/remove`, {});
    expect(webhooks.reported.map(({ kind }) => kind)).toEqual(['gone', 'back', 'removed']);
    expect((await webhooks.ask('endpoints')).endpoints).toEqual([]);
    expect((await webhooks.ask(`${path}/test`, {})).status).toBe(404);
    await webhooks.restart();
    expect(webhooks.platform().chats?.()).toEqual([]);
  });

  test('and its chat agree after a start, whatever a crash came between', async () => {
    const webhooks = await openWebhooks();
    const [on, off] = [await webhooks.ask('endpoints', { url: URL }), await webhooks.ask('endpoints', { url: URL })];
    await webhooks.ask(`endpoints/${off.endpoint?.id}/disable`, {});
    webhooks.reported.length = 0;
    (await webhooks.restart()).start();
    await expect.poll(() => webhooks.reported.length).toBe(2);
    expect(webhooks.reported).toEqual(
      expect.arrayContaining([
        { kind: 'back', chat: on.endpoint?.address },
        expect.objectContaining({ kind: 'gone', chat: off.endpoint?.address }),
      ]),
    );
  });

  test('is tested with a signed sample; a success makes alerts due that waited for it', async () => {
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { id, address } = await webhooks.connect(receiver);
    receiver.next({ status: 404 });
    expect(await webhooks.ask(`endpoints/${id}/test`, {})).toMatchObject({ ok: false, problem: 'it answers with status 404' });
    expect(webhooks.reported).toEqual([]);
    expect(await webhooks.ask(`endpoints/${id}/test`, {})).toMatchObject({ ok: true });
    expect(webhooks.reported).toEqual([{ kind: 'back', chat: address }]);
    expect(receiver.received.map(({ type }) => type)).toEqual(['test']);
    expect((await webhooks.endpoint(id))?.failing).toBeUndefined();
  });

  test('is edited: its chat and secret stay, and what waited for a correction is due at the new URL', async () => {
    const webhooks = await openWebhooks();
    const { id, address } = await webhooks.connect(await webhooks.receive());
    const { url: old } = (await webhooks.endpoint(id)) ?? {};
    expect((await webhooks.ask(`endpoints/${id}/edit`, { name: 'desk', url: old })).endpoint).toMatchObject({ id, name: 'desk', url: old });
    expect(webhooks.reported).toEqual([]);
    const there = await webhooks.receive();
    expect((await webhooks.ask(`endpoints/${id}/edit`, { name: 'desk', url: there.url })).endpoint?.url).toBe(there.url);
    expect(webhooks.reported).toEqual([{ kind: 'back', chat: address }]);
    expect(await webhooks.ask(`endpoints/${id}/edit`, { url: 'https://10.0.0.1/' })).toMatchObject({ status: 400 });
    await webhooks.restart();
    expect((await webhooks.endpoint(id))?.url).toBe(there.url);
  });

  test('that is edited while a request to its old URL is under way is not judged by what becomes of it', async () => {
    const webhooks = await openWebhooks();
    const [here, there] = [await webhooks.receive(), await webhooks.receive()];
    const { id } = await webhooks.connect(here);
    here.next('hang');
    const sample = webhooks.ask(`endpoints/${id}/test`, {});
    await expect.poll(() => here.requests()).toBe(1);
    await webhooks.ask(`endpoints/${id}/edit`, { url: there.url });
    await webhooks.clock.advance(MINUTE);
    expect(await sample).toMatchObject({ ok: false });
    const after = await webhooks.endpoint(id);
    expect([after?.url, after?.failing]).toEqual([there.url, undefined]);
  });

  test('is forgotten with everything that is stored about its chat', async () => {
    const webhooks = await openWebhooks();
    const { address } = await webhooks.connect(await webhooks.receive());
    const { dataOwner } = webhooks.platform();
    expect(await dataOwner?.kept(address)).toHaveLength(1);
    await dataOwner?.forgetChat(address);
    expect(await dataOwner?.kept(address)).toEqual([]);
  });
});

test('there are so many endpoints at most, also when they are created at once', async () => {
  const webhooks = await openWebhooks();
  const all = await Promise.all(Array.from({ length: MAX_ENDPOINTS + 5 }, async () => webhooks.ask('endpoints', { url: URL })));
  expect(all.filter(({ status }) => status === 409)).toHaveLength(5);
  expect(webhooks.platform().chats?.()).toHaveLength(MAX_ENDPOINTS);
});

test.each([
  undefined,
  { url: 1 },
  { url: 'https://ada:secret@example.com' },
  { url: 'https://169.254.169.254/' },
  { url: URL, name: 'x'.repeat(61) },
  { url: URL, name: 'x'.repeat(100_000) },
])('%j is refused with a sentence and creates nothing', async (body) => {
  const webhooks = await openWebhooks();
  const answer = await webhooks.ask('endpoints', body ?? 'not an object');
  expect([400, 413]).toContain(answer.status);
  expect(answer.error).toMatch(/\.$/u);
  expect(webhooks.platform().chats?.()).toEqual([]);
});

test('a stored endpoint that is unreadable, such as one with a wrong secret, stops the start: its alerts would stop silently', async () => {
  const webhooks = await openWebhooks();
  const { endpoint } = await webhooks.ask('endpoints', { url: URL });
  const store = await openStore('memory://');
  const raw = store.collection({ prefix: 'webhook', version: 1, schema: z.unknown() });
  await raw.set(endpoint?.id ?? '', { ...endpoint, createdAt: 1, secrets: [{ secret: 'sk_wrong' }] });
  await expect(openWebhooks({ store })).rejects.toMatchObject({ trouble: 'unreadable' });
});
