/**
 * Returns undefined for text that is no URL. In Node 20 `URL.canParse`, once V8 has compiled it, refuses every URL with a letter such as ü.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
