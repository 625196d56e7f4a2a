/** Replaces known secrets in logs and messages. */

export type Redact = <T>(value: T) => T;

/** Of webhooks, with the prefix of their specification. */
const SIGNING_SECRET = /whsec_[\w+/=-]+/gu;

/** Shorter ones would redact ordinary words; refused in settings. */
const MIN_LENGTH = 6;

/** Walks strings, arrays, plain objects and errors. Replaces URL-encoded and JSON-escaped forms too. */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const needles = [
    ...new Set(secrets.filter((secret): secret is string => secret !== undefined && secret.length >= MIN_LENGTH).flatMap(formsOf)),
  ].toSorted((a, b) => b.length - a.length);
  const clean = (text: string): string =>
    needles.reduce((rest, needle) => rest.replaceAll(needle, '[redacted]'), text).replace(SIGNING_SECRET, '[redacted]');

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
  // Getters are not called: they may throw or build a secret.
  const fields = (of: object, above: readonly object[]) =>
    Object.fromEntries(
      Object.entries(Object.getOwnPropertyDescriptors(of))
        .filter(([, { enumerable }]) => enumerable)
        .map(([key, field]): [string, unknown] => [clean(key), field.get === undefined ? walk(field.value, above) : '[getter]']),
    );

  return <T>(value: T): T => walk(value, []) as T;
}

/** For cyclic or very deep values. */
const MAX_DEPTH = 12;

/** Plain, in a URL, in a form and in JSON. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams([['', secret]]).toString().slice(1),
  JSON.stringify(secret).slice(1, -1),
];
