/** Shows a reply as Telegram would, read back from the rendered HTML. */
import type { MessagePreview, PreviewBlock, PreviewButton, PreviewRequest } from '../../chat/renderings.js';
import type { Line, Reply, Span } from '../../chat/reply.js';
import { httpsUrlSchema } from '../../domain/links.js';
import type { Instant } from '../../domain/scalars.js';
import { unstored } from '../button-payloads.js';
import type { Panels } from './keyboard-pages.js';
import { keyboard } from './keyboard.js';
import { captionOf, fitsCaption, htmlOf, partsOf, withoutLocalTimes } from './render.js';

export async function previewOf({ reply, now, isAlert }: PreviewRequest): Promise<readonly MessagePreview[]> {
  const isCaptioned = reply.chart !== undefined && fitsCaption(reply, now);
  const parts = isCaptioned ? [captionOf(reply, now)] : partsOf(reply, now, isAlert ? 1 : undefined);
  const messages = await Promise.all(parts.map(async (part) => messageOf(part, { now, isAlert })));
  if (reply.chart === undefined) return messages;
  if (isCaptioned) return messages.map((message) => ({ ...message, picture: 'first' as const }));
  return [...messages, { blocks: [], rows: [], picture: 'first' }];
}

const NO_PANELS: Panels = { keep: async () => '', find: async () => undefined, sweep: async () => {} };

async function messageOf(part: Reply, { now, isAlert }: { readonly now: Instant; readonly isAlert: boolean }): Promise<MessagePreview> {
  const markup = await keyboard(part, { actions: unstored, panels: NO_PANELS, alert: isAlert });
  return {
    blocks: blocksOf(withoutLocalTimes(htmlOf(part, now))),
    rows: (markup?.inline_keyboard ?? []).map((row) =>
      row.map((key): PreviewButton => ({
        ...{ kind: 'url' in key ? 'link' : 'button', label: key.text },
        // No button of ours has the third style, "success".
        ...(key.style === 'danger' || key.style === 'primary' ? { emphasis: key.style } : {}),
      })),
    ),
  };
}

const TABLE = /<pre>([\s\S]*?)<\/pre>/u;

/** The split pattern captures tables, so every second piece is one. */
const blocksOf = (html: string): readonly PreviewBlock[] =>
  html.split(TABLE).flatMap((piece, index): readonly PreviewBlock[] => {
    if (index % 2 === 1) return [{ kind: 'code', text: unescaped(piece) }];
    const lines = piece.replace(/^\n|\n$/gu, '');
    return lines === '' ? [] : lines.split('\n').map((line) => ({ kind: 'line', ...lineOf(line) }));
  });

const SMALL = /^<i>([\s\S]*)<\/i>$/u;

function lineOf(html: string): { readonly line: Line; readonly small?: boolean } {
  const [, small] = SMALL.exec(html) ?? [];
  return small === undefined ? { line: spansOf(html) } : { line: spansOf(small), small: true };
}

/** The pattern covers only what the renderer writes. */
const TOKEN = /<b>([\s\S]*?)<\/b>|<code>([\s\S]*?)<\/code>|<a href="([^"]*)">([\s\S]*?)<\/a>|([^<]+|<)/gu;

const spansOf = (html: string): Line =>
  [...html.matchAll(TOKEN)].map(([whole, strong, code, url, text]): Span => {
    if (strong !== undefined) return { strong: unescaped(strong) };
    if (code !== undefined) return { code: unescaped(code) };
    const address = httpsUrlSchema.safeParse(url === undefined ? undefined : unescaped(url));
    return text !== undefined && address.success ? { link: unescaped(text), url: address.data } : unescaped(text ?? whole);
  });

const JOINER = '\u2060';
const unescaped = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').replaceAll(JOINER, '');
