/**
 * Interactions posted to an address of the bot. https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint
 * The first response inside the answer (200 with a body) is left out: only 202 and the callback are known here.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import type { Clock } from '../../../src/base/clock.js';

export interface InteractionsEndpoint {
  readonly publicKey: string;
  url: string | undefined;
  /** Answers by status, in order; 0 for a line that broke. */
  readonly answers: number[];
  /** What the bot answered that the platform would not take. */
  readonly breaches: string[];
  /** Resolves with what is wrong with it; with nothing where the platform takes it. */
  tried(url: string): Promise<string | undefined>;
  post(body: unknown): Promise<void>;
  /** The headers that the platform would send; `at` in Unix seconds. */
  signed(body: string, at?: number): Readonly<Record<string, string>>;
}

/** Discord waits for three seconds, in which a busy machine may not get to an answer. */
const PATIENCE = 60_000;

export function openInteractionsEndpoint(clock: Clock): InteractionsEndpoint {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const answers: number[] = [];
  const breaches: string[] = [];
  const signed = (body: string, at = Math.floor(clock.now() / 1000)) => ({
    'content-type': 'application/json',
    'x-signature-timestamp': String(at),
    'x-signature-ed25519': sign(null, Buffer.from(`${at}${body}`), privateKey).toString('hex'),
  });
  const send = async (url: string, body: string, headers: Readonly<Record<string, string>>) => {
    try {
      const answer = await fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(PATIENCE), redirect: 'error' });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return { status: 0, text: '' };
    }
  };
  return {
    publicKey: Buffer.from(x, 'base64url').toString('hex'),
    url: undefined,
    answers,
    breaches,
    signed,
    async tried(url) {
      const ping = JSON.stringify({ type: 1, version: 1 });
      const { status, text } = await send(url, ping, signed(ping));
      if (status !== 200 || text !== '{"type":1}') return `The address answered a ping with ${status}.`;
      const forged = await send(url, ping, { ...signed(ping), 'x-signature-ed25519': '0'.repeat(128) });
      return forged.status === 401 ? undefined : `The address answered a forged ping with ${forged.status}, not 401.`;
    },
    async post(data) {
      const body = JSON.stringify(data);
      const { status, text } = await send(this.url ?? '', body, signed(body));
      answers.push(status);
      if (status !== 202 || text !== '')
        breaches.push(`an interaction was answered with ${status} and ${text.length} characters, not with an empty 202`);
    },
  };
}
