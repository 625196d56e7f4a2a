/** Secrets of endpoints, and the headers of a signed request. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import type { Instant } from '../../domain/scalars.js';

/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32;

export const secretSchema = z
  .string()
  .regex(/^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u, 'not a signing secret')
  .brand<'SigningSecret'>();
export type SigningSecret = z.infer<typeof secretSchema>;

export const newSecret = (): SigningSecret => secretSchema.parse(`whsec_${randomBytes(SECRET_BYTES).toString('base64')}`);

export interface Signed {
  readonly id: string;
  readonly at: Instant;
  readonly body: string;
}

/** One signature for each secret. */
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
