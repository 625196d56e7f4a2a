/** A wallet's snapshot age by our clock, and its refresh. Pure. */
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

export const neverRead = (wallet: NamedWallet): Line => [
  { strong: `The service has not read ${nameOfWallet(wallet)} yet` },
  ', so nothing is known of what it holds',
];

export function snapshotLines(
  of: SnapshotState,
  { standing, maxAge, now }: { readonly standing: RefreshStanding; readonly maxAge: number; readonly now: Instant },
): readonly BlockDraft[] {
  const { snapshotAt, historySync } = of;
  const age: Line =
    snapshotAt === undefined
      ? ['not read yet; /refresh lets the service read it']
      : [`snapshot ${duration(now - snapshotAt)} old${now - snapshotAt > maxAge ? ' ⚠ older than it should be' : ''}`];
  return [
    line(
      ...dotted(
        age,
        historySync === undefined || historySync.toLowerCase() === 'completed' ? undefined : `history sync: ${historySync}`,
        standing.running ? 'a refresh is under way' : undefined,
        standing.incomplete > 0 ? `the history of ${counted(standing.incomplete, 'account')} is not complete` : undefined,
      ),
    ),
    ...(standing.pause === undefined ? [] : [line(...pauseLine(standing.pause))]),
  ];
}

const WHY: Readonly<Record<Pause, string>> = {
  limited: 'The service takes the next refresh of this wallet ',
  untold: 'The service does not say when it takes another refresh; I ask again ',
  failed: 'The last refresh failed; I try again ',
  'given-up': 'The last refresh never ended and was given up; I try again ',
};

export const pauseLine = ({ until, because }: { readonly until: Instant; readonly because: Pause }): Line => [WHY[because], { at: until }];
