/** Serves the API of the Webhooks page. A secret is only in the response that creates it. */
import { randomBytes } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { MINUTE, later, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { oneLine } from '../../base/one-line.js';
import type { DeliveredEvent } from '../../chat/notifier.js';
import type { OnChatEvent } from '../../chat/platform.js';
import { reply, type Reply } from '../../chat/reply.js';
import { decimal, slug, type Instant } from '../../domain/scalars.js';
import { parseUrl } from './endpoint-url.js';
import {
  FORMATS,
  MAX_ENDPOINTS,
  MAX_NAME,
  addressOf,
  disabled,
  edited,
  enabled,
  formatSchema,
  rotated,
  type Endpoints,
  type WebhookEndpoint,
} from './endpoints.js';
import { formatProblem, messageFor } from './destinations/destinations.js';
import type { WebhookSender } from './sender.js';

export interface WebhookApiDeps {
  readonly endpoints: Endpoints;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly log: Log;
  readonly onChatEvent: OnChatEvent;
  readonly isPrivateAllowed: boolean;
}

const MAX_REQUEST = 16 * 1024;
const partsSchema = z.object({
  name: z.string().max(200).default(''),
  url: z.string().max(10_000),
  format: formatSchema.default('standard'),
});

const BY_PAGE = 'it was disabled on the page';

export function webhookApi(deps: WebhookApiDeps): Hono {
  const { endpoints, log, isPrivateAllowed } = deps;
  const app = new Hono();
  app.use(bodyLimit({ maxSize: MAX_REQUEST, onError: (c) => complain(c, 413, 'The request is too long.') }));
  app.get('/endpoints', (c) => c.json({ endpoints: endpoints.all().map(forPage), max: MAX_ENDPOINTS, formats: FORMATS, isPrivateAllowed }));
  app.post('/endpoints', async (c) => {
    const given = await partsOf(c, isPrivateAllowed);
    if ('refused' in given) return complain(c, 400, given.refused);
    const endpoint = await endpoints.create(given);
    if (endpoint === undefined) return complain(c, 409, `There are ${MAX_ENDPOINTS} endpoints already. Remove one first.`);
    log.info('webhook.created', { endpoint: endpoint.id });
    const [signing] = endpoint.secrets;
    // A receiver of signed JSON cannot verify a sample before it has the secret; a chat service gets one at once.
    if (signing !== undefined) return c.json({ endpoint: forPage(endpoint), secret: signing.secret }, 201);
    const sample = await sendSample(endpoint, deps);
    return c.json({ endpoint: forPage(endpoints.read(endpoint.id) ?? endpoint), sample }, 201);
  });
  for (const [path, act] of Object.entries(actionsOn(deps)))
    app.post(`/endpoints/:id/${path}`, async (c) => {
      const endpoint = endpoints.read(c.req.param('id'));
      return endpoint === undefined ? complain(c, 404, 'There is no such endpoint. Load the page again.') : act(endpoint, c);
    });
  return app;
}

type EndpointAction = (endpoint: WebhookEndpoint, c: Context) => Promise<Response>;

/** Returns what can be done with an endpoint, by the last part of its path. */
const actionsOn = (deps: WebhookApiDeps): Readonly<Record<string, EndpointAction>> => {
  const { endpoints, clock, log, onChatEvent, isPrivateAllowed } = deps;
  return {
    async test(endpoint, c) {
      const sample = await sendSample(endpoint, deps);
      // The endpoint works, so alerts that wait for a correction are sent now.
      if (sample.ok && endpoint.disabled === undefined) await onChatEvent({ kind: 'back', chat: addressOf(endpoint) });
      return c.json(sample);
    },
    async edit(before, c) {
      const given = await partsOf(c, isPrivateAllowed, before);
      if ('refused' in given) return complain(c, 400, given.refused);
      const endpoint = await endpoints.change(before.id, (current) => edited(current, given));
      log.info('webhook.edited', { endpoint: before.id });
      // Alerts that waited for a correction are sent to the new URL.
      if (endpoint !== undefined && endpoint.disabled === undefined && endpoint.url !== before.url)
        await onChatEvent({ kind: 'back', chat: addressOf(endpoint) });
      return c.json({ endpoint: endpoint && forPage(endpoint) });
    },
    async rotate({ id, format }, c) {
      if (format !== 'standard') return complain(c, 409, 'Only endpoints for signed JSON have a signing secret.');
      const endpoint = await endpoints.change(id, (before) => rotated(before, clock.now()));
      log.info('webhook.rotated', { endpoint: id });
      return c.json({ endpoint: endpoint && forPage(endpoint), secret: endpoint?.secrets[0]?.secret });
    },
    async disable({ id }, c) {
      const endpoint = await endpoints.change(id, (before) => disabled(before, { at: clock.now(), because: BY_PAGE }));
      if (endpoint !== undefined) await onChatEvent({ kind: 'gone', chat: addressOf(endpoint), because: BY_PAGE });
      return c.json({ endpoint: endpoint && forPage(endpoint) });
    },
    async enable({ id }, c) {
      const endpoint = await endpoints.change(id, enabled);
      if (endpoint !== undefined) await onChatEvent({ kind: 'back', chat: addressOf(endpoint) });
      return c.json({ endpoint: endpoint && forPage(endpoint) });
    },
    async remove(endpoint, c) {
      // The watchlist is removed first, so that no further alert is sent.
      await onChatEvent({ kind: 'removed', chat: addressOf(endpoint) });
      await endpoints.remove(endpoint.id);
      log.info('webhook.removed', { endpoint: endpoint.id });
      return c.json({});
    },
  };
};

async function sendSample(endpoint: WebhookEndpoint, { sender, clock }: Pick<WebhookApiDeps, 'sender' | 'clock'>) {
  const now = clock.now();
  const id = `test-${randomBytes(12).toString('base64url')}`;
  const parts = { type: 'test' as const, id, endpoint: endpoint.id, at: now, count: 1, isEdit: false };
  const message = messageFor(endpoint, { ...parts, reply: sampleReply(now), events: [sampleEvent(now)] });
  const problem = message === undefined ? 'there is no sample for this format' : (await sender.send(endpoint, message)).problem;
  return omitUndefined({ ok: problem === undefined, problem, milliseconds: clock.now() - now });
}

/** Parses the form of an endpoint. Returns its parts, or why it is refused. */
async function partsOf(
  c: Context,
  isPrivateAllowed: boolean,
  before?: WebhookEndpoint,
): Promise<Pick<WebhookEndpoint, 'name' | 'url' | 'format'> | { readonly refused: string }> {
  const asked = partsSchema.safeParse(await c.req.json().catch(() => undefined));
  if (!asked.success) return { refused: 'Send JSON, for example {"name": "desk", "url": "https://example.com/hooks/navwatch"}.' };
  const format = before?.format ?? asked.data.format;
  // The page does not get the URL of a chat service, so an empty field keeps it.
  const typed = asked.data.url.trim() === '' && before !== undefined && format !== 'standard' ? before.url : asked.data.url;
  const parsed = parseUrl(typed, { isPrivateAllowed });
  if ('refused' in parsed) return parsed;
  const problem = formatProblem(format, parsed.url);
  if (problem !== undefined) return { refused: problem };
  const name = oneLine(asked.data.name).trim();
  return name.length > MAX_NAME ? { refused: `The name has more than ${MAX_NAME} characters.` } : { name, url: parsed.url, format };
}

const complain = (c: Context, status: 400 | 404 | 409 | 413, error: string) => c.json({ error }, status);

const forPage = (endpoint: WebhookEndpoint) => {
  const { id, name, url, format, createdAt, secrets, failing } = endpoint;
  const old = secrets[1]?.until;
  return omitUndefined({
    id,
    address: addressOf(endpoint),
    name,
    // The URL of a chat service is a credential, so only its origin is shown.
    url: format === 'standard' ? url : `${new URL(url).origin}/…`,
    format,
    createdAt: new Date(createdAt).toISOString(),
    disabled: endpoint.disabled?.because,
    failing: failing && { since: new Date(failing.since).toISOString(), count: failing.count, problem: failing.problem },
    oldSecretUntil: old === undefined ? undefined : new Date(old).toISOString(),
  });
};

const HEADLINE = [{ strong: 'Sample Project minted 486,210 SMPL' }, ' (3.77% of supply, $402.6K)'] as const;

export const sampleReply = (now: Instant): Reply => reply({ tone: 'up', finding: ['Test from Navwatch: ', ...HEADLINE], asOf: now });

/** Returns the invented event of a test. */
export const sampleEvent = (now: Instant): DeliveredEvent => ({
  id: 'sample/supply',
  feed: 'supply',
  stage: 'mint',
  topic: 'sample/supply',
  project: slug('sample'),
  occurredAt: later(now, -MINUTE),
  detectedAt: now,
  headline: HEADLINE,
  links: [],
  size: { usd: decimal('402581.88'), percent: decimal('3.769'), amount: decimal('486210'), symbol: 'SMPL' },
  facts: { name: 'Sample Project', symbol: 'SMPL', type: 'Mint', amount: '486210', supplyAfter: '13386144', usd: '402581.88' },
});
