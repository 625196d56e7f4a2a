/**
 * Undefined: no URL. Not by `URL.canParse`: in Node 20, once V8 has compiled it, it refuses every URL with a letter such as ü.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
