/** /sources <key> [page]: how the figures of a reply were computed. */
import { z } from 'zod';
import { never } from '../src/base/never.js';
import { cut } from '../src/base/one-line.js';
import { circleOf } from '../src/chat/address.js';
import { reply, type BlockDraft, type Line, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import { duration } from '../src/domain/format.js';
import { UserError, commandLine, counted, dotted, line, pageActions, pageOption, pageText } from '../src/reply/index.js';
import { SOURCES_KEPT_FOR } from '../src/sources/kept-sources.js';
import type { FigureInput, SourcesSnapshot, SourceFigure, SourceRecord } from '../src/sources/recorder.js';

export default defineCommand({
  name: 'sources',
  summary: 'Requests and arithmetic behind the figures of a reply',
  group: 'bot',
  audience: 'asker',
  personal: true,
  args: z.object({
    key: z
      .string()
      .regex(/^[\w-]{10}$/u)
      .describe('the key that the Sources button of a reply carries'),
    page: pageOption,
  }),
  examples: ['/sources Xk3_a9QmTz'],

  async run({ key, page }, { sources, watchlists, chat, asker }) {
    // The question may have come from the former address of a Telegram group that became a supergroup.
    let found = await sources.read(key, { chat, person: asker.id });
    if (found.kind === 'unknown')
      for (const address of watchlists.formerly(circleOf(chat))) {
        found = await sources.read(key, { chat: address, person: asker.id });
        if (found.kind !== 'unknown') break;
      }
    switch (found.kind) {
      case 'unknown':
        throw new UserError(
          `No sources under this key in this chat. They are kept for ${duration(SOURCES_KEPT_FOR)}, and shown only in the chat of the reply.`,
        );
      case 'not-theirs':
        throw new UserError('That reply was for another person, and so are its sources.');
      case 'expired':
        throw new UserError(`These sources were kept for ${duration(SOURCES_KEPT_FOR)}. Ask again for current ones.`, {
          actions: found.line === undefined ? [] : [{ label: 'Ask again', line: found.line }],
        });
      case 'found':
        return shown(found.snapshot, { key, page });
      default:
        return never(found);
    }
  },
});

interface Shown {
  readonly key: string;
  readonly page: number;
}

function shown({ at, line: asked, records, figures, more }: SourcesSnapshot, { key, page }: Shown): Reply {
  const pages = pagesOf([
    ...records.map((record, index) => ({ section: '', item: recordItem(record, index) })),
    ...figures.filter(isComputed).map((figure) => ({ section: 'Computed', item: computedItem(figure) })),
    ...figures.filter((figure) => !isComputed(figure)).map((figure) => ({ section: 'Rounded', item: roundedItem(figure) })),
  ]);
  const here = pages[page - 1] ?? [];
  // Pages differ in length, so paging counts each page as one row.
  const paging = { page, rows: here.length === 0 ? 0 : 1, total: pages.length, size: 1 };
  const where = pageText(paging);
  return reply({
    finding: [
      { strong: 'Sources of ' },
      asked === undefined ? 'a reply' : { code: asked },
      ', asked ',
      { at, exact: true },
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [
      ...['', 'Computed', 'Rounded'].flatMap((section) => titled(section, here)),
      ...(figures.length === 0 ? [line('Every figure of this reply is shown as the service gave it.')] : []),
      ...(more === 0 ? [] : [line(`${counted(more, 'more figure')} left out to save space.`)]),
    ],
    actions: [
      ...pageActions({ ...paging, to: (other) => commandLine('sources', key, String(other)) }),
      ...(asked === undefined ? [] : [{ label: 'Ask again', line: asked }]),
    ],
    files: figures.some(({ formula = '' }) => formula.length > MAX_FORMULA)
      ? [{ name: `sources-${key}.txt`, type: 'text/plain', text: figures.filter(isComputed).map(fileText).join('\n') }]
      : [],
  });
}

interface Item {
  readonly line: Line;
  readonly detail?: Line;
}
interface Entry {
  readonly section: string;
  readonly item: Item;
}

const isComputed = ({ formula }: SourceFigure): boolean => formula !== undefined;

/** The value is in characters. Every platform can show such a page completely. */
const MAX_PAGE = 2_400;
const MAX_FORMULA = 800;

function pagesOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const pages: Entry[][] = [[]];
  let size = 0;
  for (const entry of entries) {
    const own = lengthOf(entry.item.line) + lengthOf(entry.item.detail ?? []);
    const isFull = size + own > MAX_PAGE || (pages.at(-1)?.length ?? 0) >= MAX_ON_PAGE;
    if (isFull && size > 0) pages.push([]);
    size = isFull ? own : size + own;
    pages.at(-1)?.push(entry);
  }
  return pages;
}

const MAX_ON_PAGE = 16;
const spanLength = (span: Line[number]): number =>
  typeof span === 'string' ? span.length : 'code' in span ? span.code.length : 'strong' in span ? span.strong.length : 0;
const lengthOf = (one: Line): number => one.reduce((sum, span) => sum + spanLength(span), 0);

function titled(section: string, entries: readonly Entry[]): readonly BlockDraft[] {
  const items = entries.filter((entry) => entry.section === section).map(({ item }) => item);
  if (items.length === 0) return [];
  return [...(section === '' ? [] : [line({ strong: section })]), { kind: 'list', items }];
}

const recordItem = ({ what, id, section, at, dataAt, stale, rows }: SourceRecord, index: number): Item => ({
  line: [`${index + 1}. `, { code: what }],
  detail: dotted(
    id,
    section,
    rows === undefined ? undefined : counted(rows, 'row'),
    dataAt === undefined ? undefined : ['data of ', { at: dataAt, exact: true }],
    [id === undefined ? 'detected ' : 'fetched ', { at, exact: true }],
    stale === true ? '⚠ an older copy, because the service failed' : undefined,
  ),
});

/** Writes "+18.4% (premium) = (0.5848 / 0.494 − 1) × 100 = 18.3805668016…". */
const computedItem = ({ label, text, value, formula = '', inputs }: SourceFigure): Item => ({
  line: [
    { strong: text },
    label === '' || label === text ? '' : ` (${label})`,
    ' = ',
    { code: cut(formula, MAX_FORMULA) },
    ` = ${brief(value)}`,
  ],
  ...(inputs.length === 0 ? {} : { detail: dotted(...inputs.slice(0, MAX_INPUTS).map(inputText), restText(inputs)) }),
});

const roundedItem = ({ label, text, value, inputs: [input] }: SourceFigure): Item => ({
  line: [
    { strong: text },
    label === '' || label === text ? '' : ` (${label})`,
    ': ',
    { code: converted({ value, conversion: input?.conversion }) },
  ],
  ...(input === undefined ? {} : { detail: [`${input.name}${place(input.record)}`] }),
});

const MAX_INPUTS = 12;
const converted = ({ value, conversion }: Pick<FigureInput, 'value' | 'conversion'>): string =>
  conversion === undefined ? signed(value) : `${signed(conversion)} = ${signed(value)}`;

const inputText = ({ name, record, ...input }: FigureInput): Line => [{ code: converted(input) }, ` ${name}${place(record)}`];
const restText = (inputs: readonly FigureInput[]): string | undefined =>
  inputs.length > MAX_INPUTS ? `and ${inputs.length - MAX_INPUTS} more` : undefined;

const fileText = ({ label, text, value, formula = '' }: SourceFigure): string => `${text} (${label}) = ${formula} = ${signed(value)}`;

const MAX_RESULT = 18;
const brief = (value: string): string => signed(value.length <= MAX_RESULT ? value : `${value.slice(0, MAX_RESULT)}…`);
const signed = (value: string): string => value.replace(/^-/u, '−');
const place = (record: number | undefined): string => (record === undefined ? '' : ` (${record + 1})`);
