/** Shows a reply as Discord would, read back from the built message. */
import { ButtonStyle, ComponentType, type APIEmbed } from 'discord.js';
import { httpsUrlSchema } from '../../domain/links.js';
import { instantSchema } from '../../domain/scalars.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Line, Span } from '../../chat/reply.js';
import type { MessagePreview, PreviewBlock, PreviewButton, PreviewRequest } from '../../chat/renderings.js';
import { unstored } from '../button-payloads.js';
import { messageOf, type MessageBody } from './message.js';

export async function previewOf({ reply }: PreviewRequest): Promise<readonly MessagePreview[]> {
  const { content, embeds, components } = await messageOf(reply, unstored);
  const [embed] = embeds;
  return [
    omitUndefined({
      blocks: blocksOf(content),
      embed: embed && embedOf(embed),
      picture: reply.chart === undefined ? undefined : ('last' as const),
      rows: rowsOf(components),
    }),
  ];
}

const embedOf = ({ color = 0, title, url, description = '', fields = [], footer, timestamp }: APIEmbed): MessagePreview['embed'] =>
  omitUndefined({
    colour: `#${color.toString(16).padStart(6, '0')}`,
    title: title === undefined ? undefined : [linked(plainOf(title), url)],
    blocks: blocksOf(description),
    fields: fields.map(({ name, value, inline = false }) => ({ name: plainOf(name), value: blocksOf(value), inline })),
    footer: footed(footer?.text, timestamp),
  });

/** Joins the footer and the time with a dot, as clients do. */
function footed(text: string | undefined, timestamp: string | undefined): Line | undefined {
  const at = instantSchema.safeParse(timestamp === undefined ? undefined : Date.parse(timestamp));
  if (!at.success) return text === undefined ? undefined : [text];
  return [...(text === undefined ? [] : [`${text} • `]), { at: at.data }];
}

function linked(text: string, url: string | undefined): Span {
  const address = httpsUrlSchema.safeParse(url);
  return address.success ? { link: text, url: address.data } : { strong: text };
}

const rowsOf = (components: MessageBody['components']): MessagePreview['rows'] =>
  components.map(({ components: row }) =>
    row.flatMap((one): readonly PreviewButton[] => {
      if (one.type === ComponentType.StringSelect) {
        const chosen = one.options.find((option) => option.default === true);
        return [{ kind: 'menu', label: chosen?.label ?? one.placeholder ?? '' }];
      }
      if (one.type !== ComponentType.Button || !('label' in one)) return [];
      const button = { kind: 'url' in one ? ('link' as const) : ('button' as const), label: one.label ?? '' };
      return [one.style === ButtonStyle.Danger ? { ...button, emphasis: 'danger' } : { ...button, on: one.style === ButtonStyle.Primary }];
    }),
  );

const FENCE = /```\n([\s\S]*?)\n```/u;

function blocksOf(markdown: string): readonly PreviewBlock[] {
  if (markdown === '') return [];
  // The split pattern captures code fences, so every second piece is one.
  return markdown.split(FENCE).flatMap((piece, index): readonly PreviewBlock[] => {
    if (index % 2 === 1) return [{ kind: 'code', text: piece }];
    const lines = piece.replace(/^\n|\n$/gu, '');
    return lines === '' ? [] : lines.split('\n').map(lineOf);
  });
}

const SMALL = '-# ';

const lineOf = (markdown: string): PreviewBlock =>
  markdown.startsWith(SMALL)
    ? { kind: 'line', small: true, line: spansOf(markdown.slice(SMALL.length)) }
    : { kind: 'line', line: spansOf(markdown) };

/** Matches only the markup that our renderer writes. */
const TOKEN = /\*\*((?:\\.|[^*\\])+)\*\*|`([^`]+)`|\[((?:\\.|[^\]\\])+)\]\(<?(https:[^>)\s]+)>?\)|<t:(\d+):(\w)>|((?:\\.|[^*`[<\\])+|.)/gsu;

const spansOf = (markdown: string): readonly Span[] =>
  [...markdown.matchAll(TOKEN)].map(([whole, strong, code, text, url, seconds, style]): Span => {
    if (strong !== undefined) return { strong: plainOf(strong) };
    if (code !== undefined) return { code };
    if (text !== undefined) return linked(plainOf(text), url);
    const at = instantSchema.safeParse(Number(seconds) * 1_000);
    return seconds !== undefined && at.success ? { at: at.data, ...(style === 'f' ? { exact: true } : {}) } : plainOf(whole);
  });

/** Removes escapes and invisible joiners. */
const plainOf = (markdown: string): string => markdown.replace(/\\([\s\S])/gu, '$1').replaceAll('\u200b', '');
