/** Remembers which markup a self-hosted Bot API server is too old for, and removes it from requests. */
import type { Transformer } from 'grammy/web';
import type { Log } from '../../base/log.js';
import { withoutLocalTimes, withoutQuotes } from './render.js';

/** Markup that older servers refuse, and the same text without it. */
const FEATURES = [
  // Bot API 9.5
  { mark: '<tg-time ', refused: /unsupported start tag "tg-time"/iu, lack: 'local times', without: withoutLocalTimes },
  // Bot API 7.0; a server before 7.4 ignores that a quote can be folded.
  { mark: '<blockquote ', refused: /unsupported start tag "blockquote"/iu, lack: 'quotes', without: withoutQuotes },
] as const;
type Feature = (typeof FEATURES)[number];

export class ServerVersion {
  readonly #log: Log;
  readonly #lacks = new Set<Feature>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** A refused request was not carried out, so it is sent again at once. */
  readonly adapt: Transformer = async (prev, method, payload, signal) => {
    const used = FEATURES.filter((feature) => holds(payload, feature.mark));
    for (;;) {
      const lacking = used.filter((feature) => this.#lacks.has(feature));
      const answer = await prev(method, lacking.length === 0 ? payload : adapted(payload, lacking), signal);
      const refused = answer.ok
        ? undefined
        : used.find((feature) => !lacking.includes(feature) && feature.refused.test(answer.description));
      if (refused === undefined) return answer;
      if (!this.#lacks.has(refused)) this.#log.info('telegram.older-server', { method, lacks: refused.lack });
      this.#lacks.add(refused);
    }
  };
}

/** Tells plain objects and arrays from files to upload, which are instances of a class. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);

function holds(value: unknown, mark: string): boolean {
  if (typeof value === 'string') return value.includes(mark);
  return isPlain(value) && Object.values(value).some((inner) => holds(inner, mark));
}

function adapted<T extends object>(payload: T, lacking: readonly Feature[]): T {
  const copy = { ...payload };
  for (const [key, value] of Object.entries(payload)) Reflect.set(copy, key, without(value, lacking));
  return copy;
}

function without(value: unknown, lacking: readonly Feature[]): unknown {
  if (typeof value === 'string') return lacking.reduce((html, feature) => feature.without(html), value);
  if (!isPlain(value)) return value;
  return Array.isArray(value)
    ? value.map((inner) => without(inner, lacking))
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, without(inner, lacking)]));
}
