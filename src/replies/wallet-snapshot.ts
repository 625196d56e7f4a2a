/** Wallet's snapshot age by our clock, and its refresh. */
import type { BlockDraft, Line } from '../chat/reply.js';
import type { Pause, RefreshStanding } from '../domain/wallet-refresh.js';
import type { Instant } from '../domain/scalars.js';
import { duration } from '../domain/format.js';
import { counted, dotted, line } from './blocks.js';
import { nameOfWallet, type NamedWallet } from './wallet-name.js';

export interface SnapshotState {
  readonly snapshotAt?: Instant | undefined;
  readonly historySync?: string | undefined;
}

export const neverRead = (wallet: NamedWallet): Line => [{ strong: `No snapshot of ${nameOfWallet(wallet)} yet` }];

export function snapshotLines(
  of: SnapshotState,
  { standing, maxAge, now }: { readonly standing: RefreshStanding; readonly maxAge: number; readonly now: Instant },
): readonly BlockDraft[] {
  const { snapshotAt, historySync } = of;
  const age: Line =
    snapshotAt === undefined
      ? ['No snapshot yet']
      : [`${now - snapshotAt > maxAge ? '⚠ ' : ''}Snapshot is ${duration(now - snapshotAt)} old`];
  return [
    line(
      ...dotted(
        age,
        historySync === undefined || historySync.toLowerCase() === 'completed' ? undefined : `history sync: ${historySync}`,
        standing.running ? 'refreshing now' : undefined,
        standing.incomplete > 0 ? `history incomplete for ${counted(standing.incomplete, 'account')}` : undefined,
      ),
    ),
    ...(standing.pause === undefined ? [] : [line(...pauseLine(standing.pause))]),
  ];
}

const WHY: Readonly<Record<Pause, string>> = {
  limited: 'Next refresh possible ',
  untold: "The next refresh isn't scheduled. Retrying ",
  failed: 'The last refresh failed. Retrying ',
  'given-up': 'The last refresh timed out. Retrying ',
};

export const pauseLine = ({ until, because }: { readonly until: Instant; readonly because: Pause }): Line => [WHY[because], { at: until }];
