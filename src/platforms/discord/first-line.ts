/** Content of a message: phone notification and search text. */
import type { Line, Reply, Span } from '../../chat/reply.js';
import { truncateLine } from '../truncate.js';
import { emphasised, lengthOf, line, withGlyph } from './markup.js';

/** With markup. Phones show fewer; Discord takes 2,000. */
export const MAX_FIRST_LINE = 300;

export interface FirstLine {
  /** Empty where the finding shows nothing. */
  readonly content: string;
  readonly isWhole: boolean;
}

/** A notification shows markup as it is. */
export function firstLine({ tone, finding }: Pick<Reply, 'tone' | 'finding'>): FirstLine {
  const spans = emphasised(finding).map((span) => (typeof span !== 'string' && 'link' in span ? span.link : span));
  const render = (some: Line): string => {
    const text = line(some);
    return text.trim() === '' ? '' : withGlyph(tone, text);
  };
  const whole = render(spans);
  const isCut = spans.reduce((sum, span) => sum + lengthOf(span), 0) > MAX_FIRST_LINE;
  if (!isCut && whole.length <= MAX_FIRST_LINE) return { content: whole, isWhole: true };
  let most = MAX_FIRST_LINE;
  let content = render(clipped(spans, most));
  // Escaping at most doubles the text, so this ends soon.
  while (content.length > MAX_FIRST_LINE && most > 1) {
    most -= Math.ceil(Math.max(1, (content.length - MAX_FIRST_LINE) / 2));
    content = render(clipped(spans, Math.max(1, most)));
  }
  return { content: content.length > MAX_FIRST_LINE ? '' : content, isWhole: false };
}

/** With "…" in place of the rest. */
function clipped(spans: Line, most: number): Line {
  let left = most;
  return spans.flatMap((span, index) => {
    if (left <= 0) return [];
    const length = lengthOf(span);
    const room = left;
    left -= length;
    if (length < room || (length === room && index === spans.length - 1)) return [span];
    left = 0;
    return [shortened(span, room)];
  });
}

function shortened(span: Span, most: number): Span {
  if (typeof span === 'string') return shorter(span, most);
  if ('strong' in span) return { strong: shorter(span.strong, most) };
  if ('code' in span) return { code: shorter(span.code, most) };
  return '…';
}

const shorter = (text: string, most: number): string => truncateLine(`${text}…`, Math.min(most, Math.max(1, text.length)));
