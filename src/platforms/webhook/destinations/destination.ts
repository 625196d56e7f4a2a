/** A destination writes a message for one chat service and reads the response. The sender makes the request. */
import { oneLine } from '../../../base/one-line.js';
import { fit } from '../../../chat/fit.js';
import { addressed, andMore, columns, footText, lineText, withTone } from '../../../chat/plain-text.js';
import { TONES, type Block, type Line, type Link, type Reply, type Span } from '../../../chat/reply.js';
import { never } from '../../../base/never.js';
import type { Instant } from '../../../domain/scalars.js';
import type { Answered, Judged } from '../outcome.js';
import type { PostRequest } from '../post.js';

export interface ServiceMessage {
  readonly id: string;
  readonly reply: Reply;
  readonly at: Instant;
  readonly silent: boolean;
  /** The id of the message that this one follows. */
  readonly replyTo?: string | undefined;
  /** The id of the message that this one replaces. */
  readonly edits?: string | undefined;
}

export interface Destination {
  readonly title: string;
  /** An example of the service's URLs, for the form and for error texts. */
  readonly example: string;
  readonly isUrl: (url: URL) => boolean;
  /** True if the service shows a repeated id only once. */
  readonly knowsRepeats: boolean;
  /** Builds the request. Returns undefined if the service cannot edit the message. */
  readonly request: (url: URL, message: ServiceMessage) => PostRequest | undefined;
  /** Judges the response. Returns undefined if the status alone decides. */
  readonly read: (answer: Answered, message: Pick<ServiceMessage, 'id' | 'edits'>) => Judged | undefined;
}

export type Paragraph = { readonly kind: 'line'; readonly line: Line } | { readonly kind: 'code'; readonly text: string };

export interface Composed {
  readonly headline: Line;
  readonly paragraphs: readonly Paragraph[];
  readonly links: readonly Link[];
}

/** The content of a reply, in the order in which every service shows it. */
export function composed(of: Reply, at: Instant): Composed {
  const foot = footText(of, at);
  return {
    headline: glyphed(of.tone, of.finding),
    paragraphs: [...of.blocks.flatMap(paragraphsOf), ...(foot === undefined ? [] : [line([oneLine(foot)])])],
    links: of.links,
  };
}

/** Drops rows until the text has at most `most` units, as `size` counts them. */
export const fitted = (of: Reply, most: number, size: (candidate: Reply) => number): Reply =>
  fit(of, (candidate) => size(candidate) <= most);

const glyphed = (tone: Reply['tone'], spans: Line): Line => (TONES[tone] === '' ? spans : [withTone(tone, ''), ...spans]);
const line = (spans: Line): Paragraph => ({ kind: 'line', line: spans });

function paragraphsOf(block: Block): readonly Paragraph[] {
  switch (block.kind) {
    case 'line':
      return [line(block.line)];
    case 'figures':
      return [line([block.items.map((item) => `${item.label} ${item.value}`).join(' · ')])];
    case 'list':
      return [
        ...block.items.flatMap((item) => [line(glyphed(item.tone, item.line)), ...(item.detail === undefined ? [] : [line(item.detail)])]),
        ...andMore(block.more).map((text) => line([text])),
      ];
    case 'table':
      return [{ kind: 'code', text: columns(block).join('\n') }, ...andMore(block.more).map((text) => line([text]))];
    default:
      return never(block);
  }
}

/** Renders the paragraphs as plain text, without the headline. Links are written with their URLs. */
export const restText = ({ paragraphs }: Composed, { at, zone }: { readonly at: Instant; readonly zone: string | undefined }): string =>
  paragraphs.map((one) => (one.kind === 'code' ? one.text : lineText(addressed(one.line), at, zone))).join('\n');

/** Removes the links of list rows, for a text in which their URLs would take the place of rows. */
export const withoutRowLinks = (of: Reply): Reply => ({
  ...of,
  blocks: of.blocks.map((block) =>
    block.kind === 'list'
      ? {
          ...block,
          items: block.items.map((item) => ({ ...item, line: unlinked(item.line), detail: item.detail && unlinked(item.detail) })),
        }
      : block,
  ),
});

const isLink = (span: Span | undefined): boolean => typeof span === 'object' && 'link' in span;
/** Removes links with the separators before them. */
const unlinked = (spans: Line): Line => spans.filter((span, place) => !isLink(span) && !(span === ' · ' && isLink(spans[place + 1])));

/** Breaks mentions such as @everyone, <@1> or <!channel> with an invisible character. */
export const withoutMentions = (text: string): string =>
  text.replaceAll(/@(?=[^\s\u200b])/gu, '@\u200b').replaceAll(/<(?=[@!#&])/gu, '<\u200b');

/** Returns a field of a JSON response; undefined if it is absent or not a text. */
export function fieldOf(answer: Answered, name: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(answer.text ?? '');
    const value: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : undefined;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  } catch {
    return undefined;
  }
}

export const JSON_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Navwatch' } as const;

export const isSuccess = ({ status }: Answered): boolean => status >= 200 && status < 300;

export const sentAs = (messageId: string): Judged => ({ outcome: { kind: 'sent', messageId } });
export const refusedWith = (problem: string): Judged => ({ outcome: { kind: 'refused', detail: problem }, problem });
export const goneWith = (problem: string): Judged => ({ outcome: { kind: 'gone', because: problem }, problem });
export const blockedBy = (problem: string): Judged => ({ outcome: { kind: 'not-permitted', because: problem }, problem });
/** The result of an edit that the service refuses. It answered as it should, so the endpoint does not count as failing. */
export const lostTo = (lost: 'deleted' | 'not-editable'): Judged => ({ outcome: { kind: 'refused', detail: lost }, lost });
