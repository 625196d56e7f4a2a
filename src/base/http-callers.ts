/** Who sends a request: a program on this machine, or one that knows the token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/u;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** A proxy on this machine is not this machine. */
export function isThisMachine(c: Context): boolean {
  const isForwarded = FORWARDED.some((name) => c.req.header(name) !== undefined);
  return !isForwarded && LOOPBACK.test(getConnInfo(c).remote.address ?? '');
}

/** `Authorization: Bearer <token>`. */
export function isBearer(c: Context, token: string): boolean {
  const bearer = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  return bearer !== undefined && isSameSecret(bearer, token);
}

/** Timing of digests reveals neither content nor length. */
export const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
