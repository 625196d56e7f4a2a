/** Endpoints whose messages people read in a chat service. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../src/base/log.js';
import { address } from '../../../src/chat/address.js';
import type { DeliveryRequest } from '../../../src/chat/notifier.js';
import { reply } from '../../../src/chat/reply.js';
import { httpsUrlSchema } from '../../../src/domain/links.js';
import { notifierContract } from '../../contracts/notifier.js';
import { startChatService, type ServiceName } from '../../stand-ins/webhook/services.js';
import { openWebhooks } from './harness.js';

const SERVICES: readonly ServiceName[] = ['slack', 'discord', 'ntfy', 'apprise', 'matrix'];
const EDITING: readonly ServiceName[] = ['discord', 'ntfy', 'matrix'];

/** What the service itself is told about mentions, and what would be one, or markup, if it stood in the body. */
const QUIET: Readonly<Record<ServiceName, { readonly says: string; readonly never: RegExp }>> = {
  slack: { says: '"type":"rich_text"', never: /"text":"[^"]*<[@!][^"]*","blocks"/u },
  discord: { says: '\\\\<\\\\@1\\\\>', never: /"parse":\["|(?<!\\)<@1>[^`]*"/u },
  ntfy: { says: 'everyone', never: /"markdown"/u },
  apprise: { says: '"format":"text"', never: /@(?:everyone|here|room|1)|<!channel/u },
  matrix: { says: '"m.mentions":{}', never: /@(?:everyone|here|room|1)|"formatted_body":"[^"]*<b>/u },
};

const delivery = (id: string, says = 'one burn of TIDE'): DeliveryRequest => ({ id, reply: reply({ finding: [says] }) });

async function connected(name: ServiceName, options: Parameters<typeof openWebhooks>[0] = {}) {
  const webhooks = await openWebhooks(options);
  const service = await startChatService(name);
  onTestFinished(async () => service.close());
  const created = await webhooks.ask('endpoints', { name: 'desk', url: service.url, format: name });
  if (created.endpoint === undefined) throw new Error(`no endpoint: ${created.error}`);
  const to = created.endpoint.address;
  return { webhooks, service, created, to, id: created.endpoint.id, notifier: () => webhooks.platform().notifier };
}

/** A service that recognises repeats or edits keeps the whole contract. */
for (const [name, exactlyOnce] of [
  ['ntfy', true],
  ['matrix', true],
  ['discord', false],
] as const)
  notifierContract({
    platform: 'webhook',
    exactlyOnce,
    knowsMessages: name === 'discord',
    async open() {
      const webhooks = await openWebhooks();
      const service = await startChatService(name);
      const { endpoint } = await webhooks.ask('endpoints', { url: service.url, format: name });
      service.shown.length = 0;
      return {
        notifier: webhooks.platform().notifier,
        postableChat: endpoint?.address ?? address('webhook', 'nowhere'),
        unpostableChat: address('webhook', 'nowhere'),
        posted: async () => service.shown,
        restart: async () => (await webhooks.restart()).notifier,
        close: async () => service.close(),
      };
    },
  });

describe.each(SERVICES)('an endpoint of %s', (name) => {
  test('shows a sample when it is created, and has no signing secret', async () => {
    const { service, created, webhooks, id } = await connected(name);
    expect(created).toMatchObject({ status: 201, endpoint: { format: name }, sample: { ok: true } });
    expect(created.secret).toBeUndefined();
    expect(service.shown).toHaveLength(1);
    expect(service.shown[0]?.text).toContain('Sample Project minted 486,210 SMPL');
    expect((await webhooks.ask(`endpoints/${id}/rotate`, {})).status).toBe(409);
  });

  test('never gives its URL away: not on the page, not in a problem, not in the log', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'debug', redact: (value) => value, to: { write: (line: string) => void lines.push(line) } });
    const { service, webhooks, id, to, notifier } = await connected(name, { log });
    for (const status of [400, 401, 403, 404, 500]) {
      service.next({ status, body: { error: service.url } });
      await notifier().deliver(to, delivery(`d-${status}`));
      await webhooks.ask(`endpoints/${id}/enable`, {});
    }
    expect([...lines, (await webhooks.ask('endpoints')).text, JSON.stringify(await notifier().probe(to))].join()).not.toContain(
      'hush-hush',
    );
  });

  test('keeps its URL when only the name is edited', async () => {
    const { service, webhooks, id, to, notifier } = await connected(name);
    expect((await webhooks.ask(`endpoints/${id}/edit`, { name: 'treasury', url: '' })).endpoint?.name).toBe('treasury');
    expect(await notifier().deliver(to, delivery('d-1'))).toMatchObject({ kind: 'sent' });
    expect(service.shown).toHaveLength(2);
  });

  test('pings nobody and breaks no markup, whatever a name from outside says', async () => {
    const { service, to, notifier } = await connected(name);
    const evil = '@everyone @here <@1> <!channel> @room <b>bold</b> **x** [a](https://evil.example) `c`';
    const finding = [{ strong: evil }, ' ', evil];
    const blocks = [{ kind: 'line' as const, line: [evil, { code: evil }] }];
    expect(await notifier().deliver(to, { id: 'd-1', reply: reply({ finding, blocks }) })).toMatchObject({ kind: 'sent' });
    const sent = JSON.stringify(service.shown[1]?.body);
    expect(sent).toContain(QUIET[name].says);
    expect(sent).not.toMatch(QUIET[name].never);
  });

  test('takes the longest message with whole rows', async () => {
    const { service, to, notifier } = await connected(name);
    const items = Array.from({ length: 500 }, (_, index) => ({ line: [`mint number ${index} of 486,210 TIDE 🌊`] }));
    const long = reply({
      finding: ['500 mints'],
      blocks: [{ kind: 'list', items }],
      links: [{ label: 'Show all', url: httpsUrlSchema.parse('https://a.example/') }],
    });
    expect(await notifier().deliver(to, { id: 'd-1', reply: long })).toMatchObject({ kind: 'sent' });
    expect(service.shown[1]?.text).toMatch(/… and \d+ more/u);
  });

  test('names no link without its URL', async () => {
    const { service, to, notifier } = await connected(name);
    const url = httpsUrlSchema.parse('https://solscan.io/tx/5h6x');
    const rows = (count: number, size: number) =>
      Array.from({ length: count }, () => ({ line: ['x'.repeat(size), ' · ', { link: 'Transaction', url }] }));
    const several = (count: number, size: number) =>
      reply({ finding: ['several mints'], blocks: [{ kind: 'list', items: rows(count, size) }] });
    await notifier().deliver(to, { id: 'd-1', reply: several(2, 10) });
    expect(JSON.stringify(service.shown[1]?.body).split(url).length - 1).toBeGreaterThanOrEqual(2);
    if (!['ntfy', 'apprise'].includes(name)) return;
    expect(service.shown[1]?.text).toContain(`xx · Transaction (${url})`);
    // Where the URLs would cost rows, the rows stay.
    await notifier().deliver(to, { id: 'd-2', reply: several(10, 150) });
    expect(service.shown[2]?.text.match(/x{150}/gu)).toHaveLength(10);
    expect(service.shown[2]?.text.split('Transaction').length).toBe(service.shown[2]?.text.split(url).length);
  });

  test('is edited where the service can, and else says that it cannot', async () => {
    const { service, to, notifier } = await connected(name);
    const sent = await notifier().deliver(to, delivery('d-1', 'passing'));
    const messageId = sent.kind === 'sent' ? sent.messageId : '';
    const outcome = await notifier().revise?.(to, { id: 'e-1', messageId, reply: delivery('d-1', 'passed').reply });
    expect(outcome).toEqual(EDITING.includes(name) ? { kind: 'edited' } : { kind: 'lost', because: 'not-editable' });
    expect(service.shown).toHaveLength(2);
    expect(service.shown[1]?.text).toContain(EDITING.includes(name) ? 'passed' : 'passing');
    expect(notifier().knowsRepeatsAt?.(to)).toBe(name === 'ntfy' || name === 'matrix');
  });

  test('refuses the URL of something else with an example', async () => {
    const webhooks = await openWebhooks();
    const { status, error } = await webhooks.ask('endpoints', { url: 'https://example.com/a/b/c/d', format: name });
    expect({ status, error }).toMatchObject({ status: 400, error: expect.stringContaining('It looks like https://') });
  });
});

describe('what a service answers', () => {
  test.each([
    ['slack', { status: 400, body: 'invalid_blocks' }, { kind: 'refused' }],
    ['slack', { status: 403, body: 'action_prohibited' }, { kind: 'not-permitted' }],
    ['slack', { status: 404, body: 'no_service' }, { kind: 'gone' }],
    ['slack', { status: 410, body: 'channel_is_archived' }, { kind: 'gone' }],
    ['slack', { status: 429, body: 'rate_limited' }, { kind: 'later', because: 'rate-limited' }],
    ['discord', { status: 404, body: { code: 10_015 } }, { kind: 'gone' }],
    ['discord', { status: 400, body: { code: 50_035 } }, { kind: 'refused' }],
    ['discord', { status: 502, body: '' }, { kind: 'unclear' }],
    ['ntfy', { status: 403, body: { code: 40_301 } }, { kind: 'not-permitted' }],
    ['ntfy', { status: 429, body: { code: 42_901 } }, { kind: 'later' }],
    ['apprise', { status: 204, body: '' }, { kind: 'not-permitted' }],
    ['apprise', { status: 424, body: '' }, { kind: 'unclear' }],
    ['matrix', { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN' } }, { kind: 'not-permitted' }],
    ['matrix', { status: 403, body: { errcode: 'M_FORBIDDEN' } }, { kind: 'not-permitted' }],
    ['matrix', { status: 413, body: { errcode: 'M_TOO_LARGE' } }, { kind: 'refused' }],
  ] as const)('%s with %j leads to %j', async (name, answer, outcome) => {
    const { service, to, notifier } = await connected(name);
    service.next(answer);
    expect(await notifier().deliver(to, delivery('d-1'))).toMatchObject(outcome);
  });

  test('an older ntfy, which would show every update as another notification, is edited no more', async () => {
    const { service, to, notifier } = await connected('ntfy');
    service.next({ status: 200, body: { id: 'hwQ2YpKdmg', event: 'message' } });
    const edit = { id: 'e-1', messageId: 'd-1', reply: delivery('d-1').reply };
    expect(await notifier().revise?.(to, edit)).toEqual({ kind: 'lost', because: 'not-editable' });
  });

  test('an endpoint that was made before there were formats gets signed JSON as before', async () => {
    const webhooks = await openWebhooks();
    const { endpoint } = await webhooks.ask('endpoints', { url: 'https://example.com/hooks' });
    expect(endpoint?.format).toBe('standard');
  });

  test('the URL of Slack or Discord as signed JSON is refused with the right format', async () => {
    const webhooks = await openWebhooks();
    const { error } = await webhooks.ask('endpoints', { url: 'https://discord.com/api/webhooks/123/abc' });
    expect(error).toBe('That is a URL of Discord. Choose Discord as the format.');
  });
});
