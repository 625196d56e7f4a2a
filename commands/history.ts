/** /history [delivery] [page]: alerts sent to this chat. */
import { z } from 'zod';
import { defineCommand } from '../src/dispatch/command.js';
import {
  PAGE_SIZE,
  commandLine,
  counted,
  dotted,
  formOption,
  line,
  pageActions,
  pageOption,
  plainLine,
  unknownMessage,
} from '../src/reply/index.js';
import type { HistoryEvent, HistoryItem } from '../src/alerts/explanation/history.js';
import type { Chat } from '../src/alerts/watchlist/watchlists.js';
import { WHY, reply, type ActionDraft, type BlockDraft, type Line, type Reply } from '../src/chat/reply.js';
import type { Instant } from '../src/domain/scalars.js';

const MAX_DELIVERIES = 5;

export default defineCommand({
  name: 'history',
  summary: 'Alerts sent to this chat',
  group: 'watching',
  elsewhere: true,
  personal: true,
  args: z.object({
    delivery: formOption(/^[\w-]{22}$/u, 'the id of one message, to see all of it'),
    page: pageOption,
  }),
  examples: ['/history', '/history 2'],
  phrases: {
    '/history {page?}': `history | past alerts | alert history | what did you send | which alerts went out today | what pings went out last night | what
      did I get alerted about | alert log | log | which alerts have you sent us already | what did you send us in the last days I
      missed it | last alerts | page 2 of the alert log | show sent alerts | previous alerts`,
  },

  async run({ delivery, page }, { history, chat, watchlists }) {
    if (delivery === undefined) {
      const { total, deliveries } = await history.page(chat, { page, size: MAX_DELIVERIES });
      const edits = page === 1 ? (watchlists.read(chat).edits ?? []) : [];
      return deliveriesPage(
        { deliveries, edits },
        { page, size: MAX_DELIVERIES, total, to: (other) => commandLine('history', String(other)) },
      );
    }
    const found = await history.delivery(chat, delivery, { page, size: PAGE_SIZE });
    if (found === undefined) throw unknownMessage();
    const { delivery: sent, total, events } = found;
    return deliveryPage(sent, events, { page, size: PAGE_SIZE, total, to: (other) => commandLine('history', delivery, String(other)) });
  },
});

interface HistoryPage {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly to: (page: number) => string;
}

const lastOf = ({ size, total }: Pick<HistoryPage, 'size' | 'total'>): number => Math.max(1, Math.ceil(total / size));

const pages = (of: HistoryPage): readonly ActionDraft[] => pageActions({ ...of, rows: of.page > lastOf(of) ? 0 : of.size });

const where = (of: HistoryPage): string => {
  const last = lastOf(of);
  if (of.page > last) return `, page ${of.page} is empty; the last one is ${last}`;
  return last === 1 ? '' : `, page ${of.page} of ${last}`;
};

function deliveriesPage(
  { deliveries, edits }: { readonly deliveries: readonly HistoryItem[]; readonly edits: NonNullable<Chat['edits']> },
  of: HistoryPage,
): Reply {
  if (of.total === 0)
    return reply({
      finding: [{ strong: 'No alerts sent yet' }],
      blocks: [line({ code: '/why <name>' }, ' shows why.'), ...editLines(edits)],
      actions: [
        { label: 'Watchlist', line: '/watchlist' },
        { label: 'Test here', line: '/alerts test' },
      ],
    });
  const first = (of.page - 1) * of.size + 1;
  const long = deliveries.flatMap((delivery, at) => (delivery.count > delivery.headlines.length ? [{ delivery, number: first + at }] : []));
  return reply({
    finding: [{ strong: `Alert history: ${counted(of.total, 'message')}` }, where(of)],
    blocks: [
      {
        kind: 'list',
        items: deliveries.map((delivery, at) => ({ line: [`${first + at}. `, ...headOf(delivery)], detail: detailOf(delivery) })),
      },
      ...editLines(edits),
    ],
    actions: [...deliveries.map(({ id }, at) => ({ label: `${WHY} ${first + at}`, line: commandLine('why', id) })), ...pages(of)],
    fields:
      long.length === 0
        ? []
        : [
            {
              kind: 'menu',
              label: 'Show all of',
              options: long.map(({ delivery, number }) => ({
                label: `${number}: ${counted(delivery.count, 'event')}`,
                line: commandLine('history', delivery.id),
              })),
            },
          ],
  });
}

const MAX_EDITS_SHOWN = 5;

function editLines(edits: NonNullable<Chat['edits']>): readonly BlockDraft[] {
  if (edits.length === 0) return [];
  const items = edits.slice(0, MAX_EDITS_SHOWN).map(({ at, by, line: ran }) => ({ line: [{ code: ran }, ` by ${by}, `, { at }] }));
  return [line({ strong: 'Changed by the operator of this bot' }), { kind: 'list', items, more: edits.length - items.length }];
}

const headOf = ({ summary, count, headlines: [first = []] }: HistoryItem): Line => {
  if (summary !== undefined && count === 0) return [{ strong: summary }];
  if (summary !== undefined) return [{ strong: summary }, count === 1 ? ' · ' : ` · ${count} events, `, ...first];
  return first;
};

function detailOf({ headlines, count, ...delivery }: HistoryItem): Line {
  const others = headlines.slice(1).flatMap((headline): Line => [...plainLine(headline), ' · ']);
  const left = count - headlines.length;
  return [...others, ...(left > 0 ? [`and ${left} more · `] : []), ...endOf(delivery)];
}

function endOf({ end, because, at, attempts, live }: Pick<HistoryItem, 'end' | 'because' | 'at' | 'attempts' | 'live'>): Line {
  const tries = attempts > 1 ? ` (${attempts} attempts)` : '';
  const why = because === undefined ? '' : `: ${because}`;
  switch (end) {
    case 'sent':
      return live === true ? ['in an earlier message, edited ', { at }] : ['sent ', { at }, tries];
    case 'maybe sent':
      return ['maybe sent ', { at }, why];
    case 'under way':
      return [`sending${tries} since `, { at }, why];
    case 'refused':
      return ['refused ', { at }, why];
    case 'expired':
      return ['dropped as too old ', { at }, why];
    case 'dropped':
      return ['not sent ', { at }, why];
  }
}

function deliveryPage(delivery: HistoryItem, events: readonly HistoryEvent[], of: HistoryPage): Reply {
  return reply({
    finding: [{ strong: titleOf(delivery, of.total) }, ', ', ...endOf(delivery), where(of)],
    blocks: [
      {
        kind: 'list',
        items: events.map(({ tone, headline, details, at, through }) => ({
          tone,
          line: headline,
          detail: dotted(...details, timeOf(details, at), through === undefined ? undefined : `why: ${through}`),
        })),
      },
    ],
    actions: [{ label: WHY, line: commandLine('why', delivery.id) }, ...pages(of), { label: 'History', line: '/history' }],
  });
}

const titleOf = ({ summary }: HistoryItem, total: number): string =>
  summary === undefined ? counted(total, 'event') : total === 0 ? summary : `${summary} · ${counted(total, 'event')}`;

function timeOf(details: readonly Line[], at: Instant | undefined): Line | undefined {
  if (at === undefined) return ['details deleted'];
  return details.flat().some((span) => typeof span === 'object' && 'at' in span) ? undefined : [{ at }];
}
