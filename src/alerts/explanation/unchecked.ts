/** An absence without checks, and what was lost. */
import type { Line } from '../../chat/reply.js';
import type { Feed } from '../../feeds/feed.js';
import type { Instant } from '../../domain/scalars.js';
import { absenceBehind } from '../watchlist/absence.js';
import type { Entry } from '../watchlist/entry.js';
import { gapOf, type CheckRecord } from '../checks/check-records.js';
import type { Chat } from '../watchlist/watchlists.js';

interface Checked {
  readonly record: CheckRecord | undefined;
  readonly entry: Entry | undefined;
  readonly chat: Pick<Chat, 'absence'>;
  readonly now: Instant;
}

/** Undefined once all rows were read. */
export function uncheckedLine({
  record,
  entry,
  chat: { absence },
  data,
}: Checked & { readonly data: Feed['data'] | undefined }): Line | undefined {
  const gap = record?.gap;
  if (record === undefined || gap === undefined || entry === undefined || absence === undefined) return undefined;
  const isHere = gap.from < absence.to && gap.to > absence.from && entry.since <= gap.from;
  if (!isHere || (data === 'ledger' && gapOf(record) === undefined)) return undefined;
  const lost = data === 'ledger' ? 'rows of that time that are hidden now' : 'changes undone in that time';
  return ['not checked from ', { at: gap.from }, ' to ', { at: gap.to }, `, while the bot was not in this chat; ${lost} are unknown`];
}

export function nextCheckLine({ record, chat, now }: Checked): Line | undefined {
  const absence = absenceBehind(chat, record?.okAt, now);
  if (record?.okAt === undefined || absence === undefined || record.okAt > absence.from) return undefined;
  return ['not checked since ', { at: record.okAt }, ': the bot was not in this chat; the next check is scheduled'];
}
