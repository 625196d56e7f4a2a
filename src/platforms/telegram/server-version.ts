/** Remembers what a Bot API server of one's own is too old for, and sends requests without it. */
import type { Transformer } from 'grammy';
import type { Log } from '../../base/log.js';
import { withoutLocalTimes } from './render.js';

/** A server before Bot API 9.5 knows no local times. */
const REFUSES_TIMES = /unsupported start tag "tg-time"/iu;

export class ServerVersion {
  readonly #log: Log;
  #hasLocalTimes = true;

  constructor(log: Log) {
    this.#log = log;
  }

  /** A refused request was not carried out, so it is sent again at once. */
  readonly adapt: Transformer = async (prev, method, payload, signal) => {
    if (!hasLocalTime(payload)) return prev(method, payload, signal);
    if (this.#hasLocalTimes) {
      const answer = await prev(method, payload, signal);
      if (answer.ok || !REFUSES_TIMES.test(answer.description)) return answer;
      if (this.#hasLocalTimes) this.#log.info('telegram.no-local-times', { method });
      this.#hasLocalTimes = false;
    }
    const adapted = { ...payload };
    for (const [key, value] of Object.entries(payload)) Reflect.set(adapted, key, plainTimes(value));
    return prev(method, adapted, signal);
  };
}

const LOCAL_TIME = '<tg-time ';

/** Files to upload are instances of a class. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);

function hasLocalTime(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(LOCAL_TIME);
  return isPlain(value) && Object.values(value).some(hasLocalTime);
}

function plainTimes(value: unknown): unknown {
  if (typeof value === 'string') return withoutLocalTimes(value);
  if (!isPlain(value)) return value;
  return Array.isArray(value)
    ? value.map(plainTimes)
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainTimes(inner)]));
}
