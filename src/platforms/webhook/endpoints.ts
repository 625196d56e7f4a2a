/** Stores endpoints, `webhook/<id>`, and signs with their secrets. A secret leaves this file only when it is created. */
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
/** The format of an endpoint: signed JSON, or a message for a chat service. */
export type Format = z.infer<typeof formatSchema>;

/** How long an old secret stays valid, so that receivers can change to the new one. */
const OLD_SECRET_VALID = DAY;
/** An endpoint that fails for this long is disabled. An alert's default maximum age is the same. */
const DISABLED_AFTER = 3 * DAY;
/** An endpoint is disabled only after this many failures, because a bot that was stopped has not tried. */
const MIN_FAILURES = 20;

/** Standard Webhooks requires 24 to 64 bytes. */
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
  /** The newest first. An older secret is valid until `until`. Only the standard format is signed. */
  secrets: z.array(z.object({ secret: secretSchema, until: instantSchema.optional() })).readonly(),
  disabled: z.object({ at: instantSchema, because: z.string() }).optional(),
  /** Failures since the last success. */
  failing: z.object({ since: instantSchema, count: z.int(), problem: z.string() }).optional(),
});
export type WebhookEndpoint = z.infer<typeof endpointSchema>;

export interface Endpoints {
  all(): readonly WebhookEndpoint[];
  read(id: string): WebhookEndpoint | undefined;
  /** Returns undefined if there are already as many endpoints as permitted. */
  create(parts: Pick<WebhookEndpoint, 'name' | 'url' | 'format'>): Promise<WebhookEndpoint | undefined>;
  /** Changes an endpoint; changes run one after another and resolve when stored. Resolves with undefined if there is no such endpoint. */
  change(id: string, edit: (before: WebhookEndpoint) => WebhookEndpoint): Promise<WebhookEndpoint | undefined>;
  remove(id: string): Promise<void>;
}

export const addressOf = ({ id }: Pick<WebhookEndpoint, 'id'>): Address => address('webhook', id);
/** Returns undefined for an address of another platform. */
export const idOf = (where: Address): string | undefined => (platformOf(where) === 'webhook' ? localOf(where) : undefined);

/** Opens the endpoints. Rejects if one is unreadable, because its alerts would stop silently. */
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

/** Returns the secrets that are valid now, the newest first. */
export const validSecrets = ({ secrets }: WebhookEndpoint, now: Instant): readonly SigningSecret[] =>
  secrets.filter(({ until }) => until === undefined || until > now).map(({ secret }) => secret);

/** Adds a new secret and keeps one old one; a third is dropped. */
export function rotated(endpoint: WebhookEndpoint, now: Instant): WebhookEndpoint {
  const [current] = endpoint.secrets;
  const old = current === undefined ? [] : [{ secret: current.secret, until: later(now, OLD_SECRET_VALID) }];
  return { ...endpoint, secrets: [{ secret: newSecret() }, ...old] };
}

/** Removes expired secrets. */
export function tidied(endpoint: WebhookEndpoint, now: Instant): WebhookEndpoint {
  const secrets = endpoint.secrets.filter(({ until }) => until === undefined || until > now);
  return secrets.length === endpoint.secrets.length ? endpoint : { ...endpoint, secrets };
}

export const disabled = (
  endpoint: WebhookEndpoint,
  { at, because }: { readonly at: Instant; readonly because: string },
): WebhookEndpoint => (endpoint.disabled === undefined ? { ...endpoint, disabled: { at, because } } : endpoint);

/** Changes name and URL. A new URL resets the failures. */
export function edited(endpoint: WebhookEndpoint, { name, url }: Pick<WebhookEndpoint, 'name' | 'url'>): WebhookEndpoint {
  return url === endpoint.url ? { ...endpoint, name } : { ...withSuccess(endpoint), name, url };
}

/** Enables the endpoint and resets its failures. */
export function enabled(endpoint: WebhookEndpoint): WebhookEndpoint {
  const { disabled: _, failing: _failing, ...fine } = endpoint;
  return fine;
}

/** Counts a failure, and disables the endpoint after `DISABLED_AFTER`. */
export function withFailure(endpoint: WebhookEndpoint, problem: string, now: Instant): WebhookEndpoint {
  // If the clock was set back, the failures count from now.
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

/** Builds the headers, with one signature for each valid secret. */
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
