/** Keeps secrets out of logs and messages: every known secret is replaced, wherever it stands in a value. */

export type Redact = <T>(value: T) => T;

/** Shorter "secrets" would redact ordinary words; configuration refuses them anyway. */
const LEAST_LENGTH = 6;

/**
 * Makes a redactor for these secrets. Walks strings, arrays, plain objects and errors (message, stack, cause and own fields,
 * because client libraries hang request options on their errors). URL-encoded forms are replaced too.
 */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const needles = [
    ...new Set(
      secrets
        .filter((secret): secret is string => secret !== undefined && secret.length >= LEAST_LENGTH)
        .flatMap((secret) => [secret, encodeURIComponent(secret)]),
    ),
  ].toSorted((a, b) => b.length - a.length);
  const clean = (text: string): string => needles.reduce((rest, needle) => rest.replaceAll(needle, '[redacted]'), text);

  const walk = (value: unknown, seen: Set<object>): unknown => {
    if (typeof value === 'string') return clean(value);
    if (typeof value !== 'object' || value === null) return value;
    if (seen.has(value)) return '[circular]';
    const inside = new Set(seen).add(value);
    if (Array.isArray(value)) return value.map((item) => walk(item, inside));
    if (value instanceof Error) {
      return {
        ...fields(Object.entries(value), inside),
        name: value.name,
        message: clean(value.message),
        stack: value.stack === undefined ? undefined : clean(value.stack),
        ...(value.cause === undefined ? {} : { cause: walk(value.cause, inside) }),
      };
    }
    return fields(Object.entries(value), inside);
  };
  const fields = (entries: [string, unknown][], seen: Set<object>) =>
    Object.fromEntries(entries.map(([key, item]) => [key, walk(item, seen)]));

  return <T>(value: T): T => walk(value, new Set()) as T;
}
