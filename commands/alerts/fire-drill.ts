/** Answers `/alerts replay 7d`: which messages the current rules would have sent in the last days. Sends nothing. */
import { folded, type DrillEvent, type DrillMessage, type DrillReport, type DrillRow } from '../../src/alerts/backtest/fire-drill.js';
import { brief } from '../../src/base/one-line.js';
import { DAY } from '../../src/base/clock.js';
import { reply, type ActionDraft, type FieldDraft, type Line, type Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { UserError, commandLine, counted, line, onPage, pageActions, pageText } from '../../src/reply/index.js';
import type { AlertOptions } from './request.js';

const DEFAULT_DAYS = 7;
/** Events are kept for this time. */
const MAX_DAYS = 30;
const SPAN = /^(\d{1,3})(d|w)$/iu;
const DAYS_IN = { d: 1, w: 7 } as const;
const PAGE = /^p(\d{1,3})$/iu;
const MAX_ROWS = 10;
const MAX_CHOICES = 25;
/** The name of the row for messages about several projects or kinds. */
const MIXED = 'mixed';

interface Asked {
  readonly days: number;
  readonly page: number;
  /** The remaining words, which name one row, such as "supply tide". */
  readonly row: string;
}

/** Replays events. Rejects with a `UserError`. */
export async function fireDrill(options: AlertOptions, context: Context): Promise<Reply> {
  const asked = readAsked(options);
  if (context.watchlists.read(context.chat).entries.length === 0)
    throw new UserError('Nothing is watched here yet.', { actions: [{ label: 'Watch', line: '/watch' }] });
  const report = await context.fireDrills.replay(context.chat, asked.days);
  const rows = folded(report.messages);
  if (asked.row === '') return overview(report, rows, asked.days);
  const row = rows.find((one) => nameOf(one) === asked.row);
  if (row === undefined)
    throw new UserError(`No message of the last ${asked.days} days would be about "${brief(asked.row)}".`, {
      actions: [{ label: 'All messages', line: lineFor(asked.days) }],
    });
  return rowPage(row, asked, context);
}

function readAsked({ target, kind, rule }: AlertOptions): Asked {
  const words = [target, rule].flatMap((part) => part?.toLowerCase().split(/\s+/u) ?? []);
  const span = words.map((word) => SPAN.exec(word)).find((match) => match !== null);
  const page = words.map((word) => PAGE.exec(word)).find((match) => match !== null);
  const unit = span?.[2] === 'w' ? 'w' : 'd';
  const days = span === undefined ? DEFAULT_DAYS : Number(span[1]) * DAYS_IN[unit];
  if (days < 1 || days > MAX_DAYS)
    throw new UserError(`A replay covers 1 to ${MAX_DAYS} days.`, { actions: [{ label: 'Last week', line: lineFor(DEFAULT_DAYS) }] });
  const left = words.filter((word) => !SPAN.test(word) && !PAGE.test(word));
  return { days, page: Math.max(1, Number(page?.[1] ?? 1)), row: [...(kind === undefined ? [] : [kind]), ...left].join(' ') };
}

const nameOf = ({ about }: DrillRow): string => (about === undefined ? MIXED : `${about.feed} ${about.key}`.toLowerCase());

const lineFor = (days: number, ...words: readonly string[]): string => commandLine('alerts', 'replay', `${days}d`, ...words);

const titleOf = ({ about }: DrillRow): string => (about === undefined ? 'Several in one message' : `${about.name}: ${about.feed}`);

function overview(report: DrillReport, rows: readonly DrillRow[], days: number): Reply {
  const { messages, edits, filtered, sent, lacks, to } = report;
  const ringing = messages.filter(rings).length;
  const shown = rows.slice(0, MAX_ROWS);
  const period = days === 1 ? 'in the last day' : `in the last ${days} days`;
  return reply({
    finding: [
      { strong: `${messages.length === 0 ? 'No messages' : counted(messages.length, 'message')} ${period}` },
      " with this chat's rules",
    ],
    blocks: [
      line(
        [
          messages.length === 0 ? '' : `${ringing} with sound`,
          edits === 0 ? '' : `${counted(edits, 'update')} by editing`,
          filtered === 0 ? '' : `${counted(filtered, 'event')} filtered`,
          `really sent: ${sent === 0 ? 'none' : sent}`,
        ]
          .filter((part) => part !== '')
          .join(' · '),
      ),
      {
        kind: 'list',
        items: shown.map((row) => ({ line: [{ strong: titleOf(row) }, ` · ${sizeText(row)}`] })),
        more: rows.length - shown.length,
      },
      ...lacks.map((lack) => line(lack)),
      line('Nothing was sent, and no request was made.'),
    ],
    asOf: to,
    actions: [
      ...[7, 30].map((span) => ({ label: `${span} days`, line: lineFor(span), on: span === days })),
      { label: 'Change alerts', line: '/alerts' },
    ],
    fields: fieldsOf(rows, days),
  });
}

function sizeText({ messages }: DrillRow): string {
  const events = messages.reduce((sum, one) => sum + one.events.length, 0);
  return events === messages.length
    ? counted(messages.length, 'message')
    : `${counted(messages.length, 'message')}, ${counted(events, 'event')}`;
}

const fieldsOf = (rows: readonly DrillRow[], days: number): readonly FieldDraft[] =>
  rows.length === 0
    ? []
    : [
        {
          kind: 'menu',
          label: 'Show messages',
          options: rows.slice(0, MAX_CHOICES).map((row) => ({
            label: `${titleOf(row)} (${row.messages.length})`,
            line: lineFor(days, ...nameOf(row).split(' ')),
          })),
        },
      ];

const rings = ({ events }: DrillMessage): boolean => events.some(({ silent }) => !silent);

function rowPage(row: DrillRow, { days, page }: Asked, { now }: Context): Reply {
  const { messages } = row;
  const shown = onPage(messages, page);
  const paging = { page, rows: shown.length, total: messages.length };
  const to = (other: number): string => lineFor(days, ...nameOf(row).split(' '), `p${other}`);
  const where = pageText(paging);
  return reply({
    finding: [{ strong: `${titleOf(row)}: ${counted(messages.length, 'message')}` }, ` in the last ${days} d`],
    blocks: [
      { kind: 'list', items: shown.map((message) => ({ tone: message.events[0].content.tone, ...itemOf(message, now) })) },
      ...(where === undefined ? [] : [line(where)]),
    ],
    actions: [...pageActions({ ...paging, to }), ...ruleActions(row), { label: 'All messages', line: lineFor(days) }],
  });
}

const itemOf = ({ at, events: [first, ...others] }: DrillMessage, now: number): { readonly line: Line; readonly detail: Line } => ({
  line: headlineOf(first, others.length),
  detail: [{ at, exact: now - at < DAY }],
});

const headlineOf = ({ content }: DrillEvent, more: number): Line =>
  more === 0 ? content.headline : [...content.headline, ` and ${more} more`];

const ruleActions = ({ about, messages }: DrillRow): readonly ActionDraft[] => {
  const entry = messages[0]?.events[0].entry;
  if (about === undefined || entry === undefined) return [];
  return [{ label: 'Edit the rules', line: commandLine('alerts', entry.target.kind === 'all' ? 'all' : about.key, about.feed) }];
};
