/**
 * Returns undefined for text that is not a URL. `URL.canParse` is not used: in Node 20, once optimised, it refuses URLs with letters such as ü.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
