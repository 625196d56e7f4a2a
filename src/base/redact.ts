/** Keeps secrets out of logs and messages: every known secret is replaced, wherever it stands in a value. */

export type Redact = <T>(value: T) => T;

/** Shorter "secrets" would redact ordinary words; configuration refuses them anyway. */
const LEAST_LENGTH = 6;

/**
 * Makes a redactor for these secrets. Walks strings, arrays, plain objects and errors (message, stack, cause and own fields,
 * because client libraries hang request options on their errors). URL-encoded and JSON-escaped forms are replaced too. What
 * is neither text nor a plain structure comes out as text or by its kind, so that nothing gets past in a shape of its own.
 */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const needles = [
    ...new Set(secrets.filter((secret): secret is string => secret !== undefined && secret.length >= LEAST_LENGTH).flatMap(formsOf)),
  ].toSorted((a, b) => b.length - a.length);
  const clean = (text: string): string => needles.reduce((rest, needle) => rest.replaceAll(needle, '[redacted]'), text);

  const walk = (value: unknown, above: readonly object[]): unknown => {
    if (typeof value === 'string') return clean(value);
    if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
    if (typeof value !== 'object' || value === null) return value;
    if (above.includes(value)) return '[circular]';
    if (above.length >= DEEPEST) return '[deeper]';
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
  // Getters are not called: one that throws would cost the line, and one that makes up a secret would be new to us.
  const fields = (of: object, above: readonly object[]) =>
    Object.fromEntries(
      Object.entries(Object.getOwnPropertyDescriptors(of))
        .filter(([, { enumerable }]) => enumerable)
        .map(([key, field]): [string, unknown] => [clean(key), field.get === undefined ? walk(field.value, above) : '[getter]']),
    );

  return <T>(value: T): T => walk(value, []) as T;
}

/** No log line needs more, and an endless structure must not take the stack down with it. */
const DEEPEST = 12;

/** A secret as it stands in text, in an address, in a form and in JSON. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams([['', secret]]).toString().slice(1),
  JSON.stringify(secret).slice(1, -1),
];
