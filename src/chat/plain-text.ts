/** Renders replies as plain English text, in the reply's timezone. */
import { never } from '../base/never.js';
import { oneLine } from '../base/one-line.js';
import { clockTime, duration } from '../domain/format.js';
import type { Instant } from '../domain/scalars.js';
import { TONES, type Block, type Field, type Line, type Reply, type Span, type Tone } from './reply.js';

/** Renders a line without emphasis and URLs. */
export const lineText = (line: Line, now: Instant, zone?: string): string => line.map((span) => spanText(span, { now, zone })).join('');

interface Reading {
  readonly now: Instant;
  readonly zone: string | undefined;
}

function spanText(span: Span, { now, zone }: Reading): string {
  if (typeof span === 'string') return oneLine(span);
  if ('strong' in span) return oneLine(span.strong);
  if ('code' in span) return oneLine(span.code);
  if ('link' in span) return oneLine(span.link);
  return clockTime(span.at, now, zone);
}

/** Writes links as "label (url)". */
export const addressed = (line: Line): Line =>
  line.map((span) => (typeof span !== 'string' && 'link' in span ? `${span.link} (${span.url})` : span));

export const withTone = (tone: Tone, text: string): string => (TONES[tone] === '' ? text : `${TONES[tone]} ${text}`);

export function footLine(of: Reply, now: Instant): Line | undefined {
  if (of.asOf === undefined) return of.stale === undefined ? undefined : [of.stale];
  if (of.stale !== undefined) return [`${of.stale} Showing data from `, { at: of.asOf }, ` (${duration(now - of.asOf)} ago).`];
  return [withTone(of.old === true ? 'warning' : 'plain', 'Updated '), { at: of.asOf }];
}

export function footText(of: Reply, now: Instant): string | undefined {
  const foot = footLine(of, now);
  return foot && lineText(foot, now, of.zone);
}

/** Renders a reply. Buttons become lines, and fields become instructions. */
export function plainText(of: Reply, now: Instant): string {
  const parts = [
    withTone(of.tone, lineText(addressed(of.finding), now, of.zone)),
    ...of.blocks.map((block) => blockText(block, { now, zone: of.zone }, addressed)),
  ];
  if (of.links.length > 0) parts.push(oneLine(of.links.map(({ label, url }) => `[${label}: ${url}]`).join(' ')));
  return [...parts, ...controlsText(of, now)].join('\n');
}

/** Renders a reply without buttons and URLs. */
export const bareText = (of: Reply, now: Instant): string =>
  [
    withTone(of.tone, lineText(of.finding, now, of.zone)),
    ...of.blocks.map((block) => blockText(block, { now, zone: of.zone }, (line) => line)),
    ...controlsText({ ...of, actions: [], fields: [] }, now),
  ].join('\n');

function controlsText(of: Reply, now: Instant): readonly string[] {
  const parts: string[] = [];
  if (of.actions.length > 0)
    parts.push(oneLine(of.actions.map((action) => `[${action.on ? `*${action.label}*` : action.label}: ${action.line}]`).join(' ')));
  parts.push(...of.fields.map(fieldText));
  const foot = footText(of, now);
  if (foot !== undefined) parts.push(oneLine(foot));
  return parts;
}

function fieldText(field: Field): string {
  if (field.kind === 'text') return oneLine(`${hinted(field)}: ${field.line.replaceAll('{}', '…')}`);
  return [`${field.label}:`, ...field.options.map((option) => `  ${option.on ? '*' : '-'} ${hinted(option)}: ${option.line}`)]
    .map(oneLine)
    .join('\n');
}

const hinted = ({ label, hint }: { readonly label: string; readonly hint: string }): string => (hint === '' ? label : `${label} (${hint})`);

function blockText(block: Block, { now, zone }: Reading, shown: (line: Line) => Line): string {
  switch (block.kind) {
    case 'line':
      return lineText(shown(block.line), now, zone);
    case 'figures':
      return oneLine(block.items.map((item) => `${item.label} ${item.value}`).join(' · '));
    case 'list':
      return [
        ...block.items.map((item) => {
          const first = withTone(item.tone, lineText(shown(item.line), now, zone));
          return item.detail === undefined ? first : `${first}\n  ${lineText(shown(item.detail), now, zone)}`;
        }),
        ...andMore(block.more),
      ].join('\n');
    case 'table':
      return [...columns(block), ...andMore(block.more)].join('\n');
    default:
      return never(block);
  }
}

export const andMore = (count: number): string[] => (count > 0 ? [`… and ${count} more`] : []);

export function columns(table: Extract<Block, { kind: 'table' }>): string[] {
  const all = [table.columns.map((column) => column.title), ...table.rows].map((row) => row.map(oneLine));
  const widths = table.columns.map((_, index) => Math.max(...all.map((row) => [...(row[index] ?? '')].length)));
  return all.map((row) =>
    table.columns
      .map((column, index) => {
        const cell = row[index] ?? '';
        const gap = ' '.repeat((widths[index] ?? 0) - [...cell].length);
        return column.align === 'right' ? gap + cell : cell + gap;
      })
      .join('  ')
      .trimEnd(),
  );
}
