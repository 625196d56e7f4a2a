/** What the page gets from a bot that was just started without any configuration, and an endpoint that is made there. */
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startReceiver } from '../stand-ins/webhook/receiver.js';
import { openBot } from './bot.js';

test('before the first question projects are completed, the data is marked as invented, and an endpoint gets signed alerts', async () => {
  const bot = await openBot();
  const read = async (path: string): Promise<unknown> => (await fetch(`${bot.app().url}api/${path}`, { headers: bot.operator })).json();
  const suggested = z.object({ suggestions: z.array(z.object({ insert: z.string() })) });
  await expect
    .poll(async () => suggested.parse(await read('complete?line=%2Fpremium%20tid')).suggestions.map(({ insert }) => insert))
    .toContain('/premium tide ');
  expect(await read('panel')).toMatchObject({ service: { invented: true } });

  const receiver = await startReceiver({ now: () => bot.clock.now() });
  onTestFinished(async () => receiver.close());
  const write = async (path: string, body: unknown): Promise<unknown> => {
    const init = { method: 'POST', headers: { ...bot.operator, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await fetch(`${bot.app().url}api/operator/${path}`, init)).json();
  };
  const made = z.object({ secret: z.string(), endpoint: z.object({ id: z.string(), address: z.string() }) });
  const { secret, endpoint } = made.parse(await write('webhook/endpoints', { name: 'desk', url: receiver.url }));
  receiver.trust(secret);
  const run = async (line: string): Promise<string> =>
    z.object({ text: z.string() }).parse(await write('run', { address: endpoint.address, line })).text;
  const kinds = (): readonly string[] =>
    receiver.received.flatMap(({ type, data }) => data.events.map(({ kind, stage }) => `${type} ${kind} ${stage}`));

  await run('/watch tide');
  await run('/alerts tide everything');
  await bot.sim({ kind: 'mint', project: 'tide', amount: '250' });
  // The answer is lost after the receiver has the message.
  receiver.next('taken and cut');
  await bot.pass(90);
  expect(kinds()).toEqual(['alert supply mint']);
  expect(receiver.repeats).toHaveLength(1);
  expect(await run('/history')).toContain('250');

  // A proposal is one message that is updated.
  await bot.sim({ kind: 'proposal', project: 'tide', title: 'Fund the second audit', draftSeconds: 90, liveSeconds: 36_000 });
  await bot.pass(240);
  const [first, ...later] = receiver.received.filter(({ data }) => data.events.some(({ kind }) => kind === 'proposals'));
  expect(first?.type).toBe('alert');
  expect(later.map(({ type }) => type)).toContain('alert.updated');
  expect(new Set(later.map(({ data }) => data.refersTo))).toEqual(new Set([first?.data.id]));
  expect(await run(`/why ${receiver.received[0]?.data.id}`)).toContain('supply');

  // What happens while it is disabled comes as one catch-up, also over a restart.
  await write(`webhook/endpoints/${endpoint.id}/disable`, {});
  const before = receiver.received.length;
  for (const amount of ['11', '12']) await bot.sim({ kind: 'burn', project: 'tide', amount });
  await bot.pass(90);
  await bot.restart();
  expect(receiver.received).toHaveLength(before);
  await write(`webhook/endpoints/${endpoint.id}/enable`, {});
  await bot.pass(150);
  expect(kinds().filter((kind) => kind.endsWith('burn'))).toEqual(['alert supply burn', 'alert supply burn']);

  await run('/alerts test proposals');
  await bot.pass(30);
  expect(receiver.received.at(-1)?.type).toBe('test');
  expect(receiver.refused).toEqual([]);
  expect(await bot.say('/status')).toContain('1 endpoint');
  await write(`webhook/endpoints/${endpoint.id}/remove`, {});
  expect(await read('operator/chats?search=webhook')).toMatchObject({ total: 0 });
});
