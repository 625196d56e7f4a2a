/** Replaces known secrets in logs, messages and the output of uncaught errors. */
import { inspect } from 'node:util';

export type Redact = <T>(value: T) => T;

/** Matches secrets of webhooks by the prefix of their specification. */
const SIGNING_SECRET = /whsec_[\w+/=-]+/gu;
/** Matches API keys and feed tokens by their form, because they are not in the settings. */
const TOKEN = /nw[kf]_[a-z0-9]+_[\w-]+/gu;

/** Shorter secrets are refused in the settings, because redacting them would remove ordinary words. */
const MIN_LENGTH = 6;

/** Makes a function that redacts strings, arrays, plain objects and errors, including escaped and encoded forms of secrets. */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const needles = [
    ...new Set(secrets.filter((secret): secret is string => secret !== undefined && secret.length >= MIN_LENGTH).flatMap(formsOf)),
  ].toSorted((a, b) => b.length - a.length);
  const clean = (text: string): string =>
    needles
      .reduce((rest, needle) => rest.replaceAll(needle, '[redacted]'), text)
      .replace(SIGNING_SECRET, '[redacted]')
      .replace(TOKEN, '[redacted]');

  const walk = (value: unknown, above: readonly object[]): unknown => {
    if (typeof value === 'string') return clean(value);
    if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
    if (typeof value !== 'object' || value === null) return value;
    if (above.includes(value)) return '[circular]';
    if (above.length >= MAX_DEPTH) return '[deeper]';
    const inside = [...above, value];
    if (Array.isArray(value)) return value.map((item) => walk(item, inside));
    if (value instanceof Error) {
      return {
        ...fields(value, inside),
        name: clean(value.name),
        message: clean(value.message),
        stack: value.stack === undefined ? undefined : clean(value.stack),
        ...(value.cause === undefined ? {} : { cause: walk(value.cause, inside) }),
        ...(value instanceof AggregateError ? { errors: walk(value.errors, inside) } : {}),
      };
    }
    if (value instanceof URL || value instanceof Date) return clean(String(value));
    if (value instanceof Map) return walk([...value], inside);
    if (value instanceof Set) return walk([...value], inside);
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    return fields(value, inside);
  };
  // Getters are not called, because they may throw or return a secret.
  const fields = (of: object, above: readonly object[]) =>
    Object.fromEntries(
      Object.entries(Object.getOwnPropertyDescriptors(of))
        .filter(([, { enumerable }]) => enumerable)
        .map(([key, field]): [string, unknown] => [clean(key), field.get === undefined ? walk(field.value, above) : '[getter]']),
    );

  return <T>(value: T): T => walk(value, []) as T;
}

/** The deepest level that is copied. It ends cyclic and very deep values. */
const MAX_DEPTH = 12;

/** Shorter secrets have no unambiguous form in base64. */
const MIN_ENCODED_BYTES = 9;

/** Returns the forms in which a secret may appear: plain, URL-encoded in either case, form-encoded, in JSON, in hex and inside base64. */
function formsOf(secret: string): readonly string[] {
  const escaped = encodeURIComponent(secret);
  return [
    secret,
    escaped,
    escaped.replaceAll(/%[0-9A-F]{2}/gu, (escape) => escape.toLowerCase()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    ...encodedForms(Buffer.from(secret)),
  ];
}

/** Returns the base64 of bytes at each offset in a group of three, as in `user:password`, without the characters that neighbours affect. */
function encodedForms(bytes: Buffer): readonly string[] {
  if (bytes.length < MIN_ENCODED_BYTES) return [];
  const inside = [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    return (['base64', 'base64url'] as const).map((form) =>
      padded.toString(form).slice(Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6)),
    );
  });
  return [...inside, bytes.toString('hex')];
}

/** The levels of an error's causes and fields that are printed. */
const DEPTH = 4;

/** Writes an error as Node prints it, redacted. */
export const crashText = (cause: unknown, redact: Redact): string => redact(inspect(cause, { depth: DEPTH }));

/** Prints uncaught errors redacted and ends the process with code 1, as Node does. Calls `redact` only then. */
export function redactCrashes(redact: () => Redact, print: (text: string) => void): void {
  process.on('uncaughtException', (cause) => {
    print(crashText(cause, redact()));
    process.exit(1);
  });
}
