import { afterEach, beforeEach, expect, test } from 'vitest';
import { MINUTE } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { ActiveOnlyError, type Forwarding } from '../../../src/chat/forwarding.js';
import { reply } from '../../../src/chat/reply.js';
import { createForwarding, openInboundRecords, type InboundRecords } from '../../../src/inbound/records.js';
import { sharedEngineDouble } from '../../support/shared-engine.js';
import { openHarness, openPublicServer, textOf, type DiscordHarness } from './harness.js';

let server: Awaited<ReturnType<typeof openPublicServer>>;
let url: string;
let harness: DiscordHarness | undefined;
let role: Forwarding['role'];
let records: InboundRecords;

/** A process that only answers, beside an active one that set the address and registered the commands. */
async function answering(): Promise<DiscordHarness> {
  role = 'active';
  const own = await openHarness({
    interactionsUrl: url,
    forwarding({ store, clock }) {
      const { shared } = sharedEngineDouble(clock).process().store;
      records = openInboundRecords({ store, clock, log: silentLog });
      return createForwarding({ role, records, shared, clock, log: silentLog });
    },
    async answer({ ask }) {
      const asked = 'line' in ask ? ask.line : ask.command;
      if (role === 'answer' && asked === 'watch') throw new ActiveOnlyError();
      return reply({ finding: [`${role} answered ${asked}`] });
    },
  });
  harness = own;
  await own.connect();
  await own.discord.controls.waitFor(() => own.discord.controls.endpoint.url === url);
  role = 'answer';
  await own.restart();
  own.platform.start();
  const ping = '{"type":1}';
  const tried = async () => (await fetch(url, { method: 'POST', body: ping, headers: own.discord.controls.endpoint.signed(ping) })).status;
  while ((await tried()) !== 200) await new Promise((resolve) => setImmediate(resolve));
  return own;
}
const slash = ({ discord: { controls }, channel, anna: user }: DiscordHarness, command: string, options = {}) =>
  controls.slash({ channel, user, command, options });
/** The active process takes what waits. */
async function taken(own: DiscordHarness): Promise<void> {
  role = 'active';
  await own.restart();
  for (const record of await records.waiting()) {
    await own.platform.takeForwarded!(record.raw);
    await records.finish(record);
  }
}

beforeEach(async () => {
  server = await openPublicServer(() => harness);
  ({ url } = server);
});
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  await server.close();
});

test('a process that only answers needs no gateway, and leaves the address as it is', async () => {
  const own = await answering();
  const { discord: standIn } = own;
  expect(textOf(await slash(own, 'premium', { project: 'tide' }).reply())).toContain('answer answered premium');
  expect(standIn.controls.gateway.connections()).toBe(0);
  expect(standIn.transcript.calls('PATCH', '/applications/@me')).toHaveLength(1);
  expect(await own.platform.notifier.diagnose()).toMatchObject({ ok: true });
  expect(await records.waiting()).toEqual([]);
});

test('a change is acknowledged here, and answered in the same message by the active process', async () => {
  const own = await answering();
  const asked = slash(own, 'watch', { target: 'tide' });
  expect(await asked.acknowledged()).toMatchObject({ kind: 'deferred', ephemeral: false });
  while ((await records.waiting()).length === 0) await new Promise((resolve) => setImmediate(resolve));
  await taken(own);
  expect(textOf(await asked.reply())).toContain('active answered watch');
  expect(asked.shown()).toHaveLength(1);
  expect(own.discord.controls.endpoint.breaches).toEqual([]);
});

test('a question behind a change of its channel waits for it, and one of another channel does not', async () => {
  const own = await answering();
  const elsewhere = own.discord.controls.addChannel({ guild: own.guild, name: 'other' });
  const change = slash(own, 'watch', { target: 'tide' });
  while ((await records.waiting()).length === 0) await new Promise((resolve) => setImmediate(resolve));
  const behind = slash(own, 'premium', { project: 'tide' });
  expect(await behind.acknowledged()).toMatchObject({ kind: 'deferred' });
  expect(textOf(await slash({ ...own, channel: elsewhere }, 'premium', { project: 'tide' }).reply())).toContain('answer answered premium');
  while ((await records.waiting()).length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect((await records.waiting()).map(({ id }) => id)).toEqual([change.id, behind.id]);
  await taken(own);
  expect(textOf(await behind.reply())).toContain('active answered premium');
});

test('where no process is active for long, the person reads that it has to wait', async () => {
  const own = await answering();
  const asked = slash(own, 'watch', { target: 'tide' });
  await asked.acknowledged();
  while ((await records.waiting()).length === 0) await new Promise((resolve) => setImmediate(resolve));
  await own.clock.asleep();
  await own.clock.advance(MINUTE);
  expect(textOf(await asked.reply())).toContain('has to wait');
  await taken(own);
  await own.discord.controls.waitFor(() => asked.shown().some((message) => textOf(message).includes('active answered watch')));
  expect(asked.shown()).toHaveLength(1);
});

test('what cannot be kept is said at once', async () => {
  const own = await answering();
  for (let count = 0; count < 20; count += 1) await records.keep({ platform: 'discord', chat: own.channel, id: String(count), raw: {} });
  expect(textOf(await slash(own, 'premium', { project: 'tide' }).reply())).toContain('waits in this channel already');
});
