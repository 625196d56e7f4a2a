/** This module reports that an alert is over, by editing its message or in a new one, as far as the chat was sent the alert. */
import { isDeepStrictEqual } from 'node:util';
import type { Address } from '../../chat/address.js';
import type { Crossing } from '../../domain/crossing.js';
import { backWords } from '../../domain/crossing-words.js';
import type { BACK_WAYS } from '../../domain/filters.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { kindOfItem } from './batch.js';
import type { Member, Queue, Receipt } from './queue.js';
import { entryOf } from './queued-event.js';
import type { Queues } from './queues.js';
import { rulesFor } from '../rules/presets.js';
import type { Entry } from '../watchlist/entry.js';
import type { Chat } from '../watchlist/watchlists.js';

type BackWay = (typeof BACK_WAYS)[number];

/** Returns an item's return, if it is one. An item with a return has no other crossing. */
const returnIn = ({ crossings: [crossing, ...others] = [] }: Pick<Member, 'crossings'>): Crossing | undefined =>
  others.length === 0 && crossing?.furthest !== undefined ? crossing : undefined;

const wayBack = (entry: Entry, kind: string): BackWay => rulesFor(entry, kind).filters.back ?? 'edit';

/** Tells whether a return is silent: a message that only replaces an edit makes no sound. */
export const isQuietReturn = (entry: Entry | undefined, member: Member): boolean =>
  entry !== undefined && returnIn(member) !== undefined && wayBack(entry, kindOfItem(member)) === 'edit';

/** Returns sent receipts. They are read only if an item says that an alert is over. */
export async function sentBefore(
  address: Address,
  members: readonly Member[],
  queues: Pick<Queues, 'loaded' | 'receipts'>,
): Promise<readonly Receipt[]> {
  if (!members.some(returnIn)) return [];
  await queues.loaded;
  return (await queues.receipts(address)).filter(({ end, live }) => live !== true && (end === 'sent' || end === 'maybe sent'));
}

/** Links returns to the message that they edit or follow. A return is dropped if its alert was not sent here. */
export function withTheirAlerts(
  members: readonly Member[],
  { queue, sent, chat }: { readonly queue: Pick<Queue, 'open'>; readonly sent: readonly Receipt[]; readonly chat: Chat },
): readonly Member[] {
  return members.flatMap((member): readonly Member[] => {
    const back = returnIn(member);
    const entry = back && entryOf(chat, member);
    if (back === undefined) return [member];
    const way = entry === undefined ? 'off' : wayBack(entry, kindOfItem(member));
    if (way === 'off') return [];
    const isAlert = alertOf(member, back);
    const receipt = sent.find(({ members: all }) => all.some(isAlert));
    // The alert may be in the open delivery, which has no message yet.
    const alert = (receipt?.members ?? queue.open?.members)?.find(isAlert);
    if (alert === undefined || (way === 'edit' && receipt?.summary !== undefined)) return [];
    const followsUp = way === 'message' ? (true as const) : undefined;
    return [
      { ...member, corrects: omitUndefined({ event: alert.event, delivery: receipt?.id, messageId: receipt?.messageId, followsUp }) },
    ];
  });
}

/** Returns a function that finds a return's alert: same series, same rule, and the value in `since`. */
function alertOf({ event: id }: Member, { rule, since }: Crossing): (other: Member) => boolean {
  const series = id.slice(0, id.lastIndexOf('/') + 1);
  return ({ event, crossings = [], sample }) =>
    sample !== true &&
    event.startsWith(series) &&
    crossings.some(
      (one) => one.furthest === undefined && one.now.at === since.at && one.now.value === since.value && isDeepStrictEqual(one.rule, rule),
    );
}

/** Returns texts such as "Back above −10% after 3 d 4 h, low −14.2%" for alerts that are over, by alert. */
export function returnsTo(
  { receipts, waiting }: { readonly receipts: readonly Receipt[]; readonly waiting: Queue['waiting'] },
  ofIt: (corrects: NonNullable<Member['corrects']>) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { corrects, ...member } of [...receipts.toReversed().flatMap(({ members }) => members), ...waiting]) {
    const back = corrects !== undefined && ofIt(corrects) ? returnIn(member) : undefined;
    const words = back && backWords(back);
    if (corrects === undefined || words === undefined) continue;
    found.set(corrects.event, [...new Set([...(found.get(corrects.event) ?? []), words])]);
  }
  return found;
}
