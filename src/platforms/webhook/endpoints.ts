/** Endpoints, `webhook/<id>`, and the signatures made with their secrets, which leave this file once, when they are made. */
import { randomBytes, randomInt } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { DAY, later, type Clock, type Instant } from '../../base/clock.js';
import { lanes } from '../../base/lanes.js';
import { address, platformOf, localOf, type Address } from '../../chat/address.js';
import { instantSchema } from '../../domain/scalars.js';
import { StoreError, type Store } from '../../store/store.js';

export const MAX_ENDPOINTS = 100;
export const MAX_NAME = 60;

export const FORMATS = ['standard', 'slack', 'discord', 'ntfy', 'apprise', 'matrix'] as const;
export const formatSchema = z.enum(FORMATS);
/** What is sent to an endpoint: signed JSON, or a message for a chat service. */
export type Format = z.infer<typeof formatSchema>;

/** The time that receivers have to change to the new one. */
const OLD_SECRET_VALID = DAY;
/** An endpoint that fails for so long is disabled. An alert's maximum age is the same by default. */
const DISABLED_AFTER = 3 * DAY;
/** A stopped bot has not tried. */
const MIN_FAILURES = 20;

/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32;

export const secretSchema = z
  .string()
  .regex(/^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u, 'not a signing secret')
  .brand<'SigningSecret'>();
export type SigningSecret = z.infer<typeof secretSchema>;

export const newSecret = (): SigningSecret => secretSchema.parse(`whsec_${randomBytes(SECRET_BYTES).toString('base64')}`);

const endpointSchema = z.object({
  id: z.string().regex(/^[a-z0-9]{10}$/u),
  name: z.string(),
  url: z.url(),
  format: formatSchema.default('standard'),
  createdAt: instantSchema,
  /** The newest first; an older one is valid until then. Only the standard format is signed. */
  secrets: z.array(z.object({ secret: secretSchema, until: instantSchema.optional() })).readonly(),
  disabled: z.object({ at: instantSchema, because: z.string() }).optional(),
  /** Failures since the last success. */
  failing: z.object({ since: instantSchema, count: z.int(), problem: z.string() }).optional(),
});
export type WebhookEndpoint = z.infer<typeof endpointSchema>;

export interface Endpoints {
  all(): readonly WebhookEndpoint[];
  read(id: string): WebhookEndpoint | undefined;
  /** It is undefined above the limit. */
  create(parts: Pick<WebhookEndpoint, 'name' | 'url' | 'format'>): Promise<WebhookEndpoint | undefined>;
  /** Changes are serialised and resolve when durable. It is undefined if there is no such endpoint. */
  change(id: string, edit: (before: WebhookEndpoint) => WebhookEndpoint): Promise<WebhookEndpoint | undefined>;
  remove(id: string): Promise<void>;
}

export const addressOf = ({ id }: Pick<WebhookEndpoint, 'id'>): Address => address('webhook', id);
/** It is undefined for an address of another platform. */
export const idOf = (where: Address): string | undefined => (platformOf(where) === 'webhook' ? localOf(where) : undefined);

/** Rejects if one is unreadable: its alerts would stop silently. */
export async function openEndpoints(store: Store, clock: Clock): Promise<Endpoints> {
  const documents = store.collection({ prefix: 'webhook', schema: endpointSchema, version: 1 });
  const writer = lanes();
  const endpoints = new Map<string, WebhookEndpoint>();
  const { found, unreadable } = await documents.list();
  const [broken] = unreadable;
  if (broken !== undefined) throw new StoreError('unreadable', `store: ${broken.key} is unreadable: ${broken.because}`);
  for (const [, endpoint] of found) endpoints.set(endpoint.id, endpoint);
  let creating = 0;

  return {
    all: () => [...endpoints.values()].toSorted((a, b) => a.createdAt - b.createdAt),
    read: (id) => endpoints.get(id),
    async create({ name, url, format }) {
      if (endpoints.size + creating >= MAX_ENDPOINTS) return undefined;
      creating += 1;
      try {
        const endpoint = {
          id: newId(),
          name,
          url,
          format,
          createdAt: clock.now(),
          secrets: format === 'standard' ? [{ secret: newSecret() }] : [],
        };
        await documents.set(endpoint.id, endpoint);
        endpoints.set(endpoint.id, endpoint);
        return endpoint;
      } finally {
        creating -= 1;
      }
    },
    change: async (id, edit) =>
      writer.run(id, async () => {
        const before = endpoints.get(id);
        const after = before && edit(before);
        if (after === undefined || after === before) return before;
        await documents.set(id, after);
        endpoints.set(id, after);
        return after;
      }),
    remove: async (id) =>
      writer.run(id, async () => {
        await documents.delete(id);
        endpoints.delete(id);
      }),
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const newId = (): string => Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** The secrets that are valid now, the newest first. */
export const validSecrets = ({ secrets }: WebhookEndpoint, now: Instant): readonly SigningSecret[] =>
  secrets.filter(({ until }) => until === undefined || until > now).map(({ secret }) => secret);

/** A third secret is not kept. */
export function rotated(endpoint: WebhookEndpoint, now: Instant): WebhookEndpoint {
  const [current] = endpoint.secrets;
  const old = current === undefined ? [] : [{ secret: current.secret, until: later(now, OLD_SECRET_VALID) }];
  return { ...endpoint, secrets: [{ secret: newSecret() }, ...old] };
}

/** The endpoint without expired secrets. */
export function tidied(endpoint: WebhookEndpoint, now: Instant): WebhookEndpoint {
  const secrets = endpoint.secrets.filter(({ until }) => until === undefined || until > now);
  return secrets.length === endpoint.secrets.length ? endpoint : { ...endpoint, secrets };
}

export const disabled = (
  endpoint: WebhookEndpoint,
  { at, because }: { readonly at: Instant; readonly because: string },
): WebhookEndpoint => (endpoint.disabled === undefined ? { ...endpoint, disabled: { at, because } } : endpoint);

/** Failures at an earlier URL do not count. */
export function edited(endpoint: WebhookEndpoint, { name, url }: Pick<WebhookEndpoint, 'name' | 'url'>): WebhookEndpoint {
  return url === endpoint.url ? { ...endpoint, name } : { ...withSuccess(endpoint), name, url };
}

/** Earlier failures do not count. */
export function enabled(endpoint: WebhookEndpoint): WebhookEndpoint {
  const { disabled: _, failing: _failing, ...fine } = endpoint;
  return fine;
}

/** Disables it after `DISABLED_AFTER`. It is pure. */
export function withFailure(endpoint: WebhookEndpoint, problem: string, now: Instant): WebhookEndpoint {
  // After the clock was set back the time counts from now.
  const since = Math.min(endpoint.failing?.since ?? now, now);
  const failing = { since: instantSchema.parse(since), count: (endpoint.failing?.count ?? 0) + 1, problem };
  const failed = { ...endpoint, failing };
  const isHopeless = now - since >= DISABLED_AFTER && failing.count >= MIN_FAILURES;
  return isHopeless ? disabled(failed, { at: now, because: `nothing arrived for 3 days: ${problem}` }) : failed;
}

export function withSuccess(endpoint: WebhookEndpoint): WebhookEndpoint {
  if (endpoint.failing === undefined) return endpoint;
  const { failing: _, ...fine } = endpoint;
  return fine;
}

interface Signed {
  readonly id: string;
  readonly at: Instant;
  readonly body: string;
}

/** There is one signature for each secret. */
export function signedHeaders({ id, at, body }: Signed, secrets: readonly SigningSecret[]): Readonly<Record<string, string>> {
  const time = new Date(at);
  return {
    'content-type': 'application/json',
    'user-agent': 'Navwatch',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, time, body)).join(' '),
  };
}
