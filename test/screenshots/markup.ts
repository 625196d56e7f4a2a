/** HTML of the pictures of messages: text is escaped here and nowhere else. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const pngUrl = (bytes: Uint8Array): string => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;

/** A document of one column of messages, each under its caption. */
export function sheet({
  style,
  width,
  parts,
}: {
  readonly style: string;
  readonly width: number;
  readonly parts: readonly Shown[];
}): string {
  const body = parts.map(({ caption, html }) => `<figure><figcaption>${escaped(caption)}</figcaption>${html}</figure>`).join('');
  return `<!doctype html><meta charset="utf-8"><style>*{box-sizing:border-box}body{margin:0;padding:16px;width:${width}px}figure{margin:0 0 20px}
figcaption{font:600 11px sans-serif;letter-spacing:.04em;text-transform:uppercase;opacity:.65;margin-bottom:6px}${style}</style>${body}`;
}

/** A message with what is said about it. */
export interface Shown {
  readonly caption: string;
  readonly html: string;
}
