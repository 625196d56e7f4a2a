/** This module decides a wallet's next action. It is pure. */
import { MINUTE, later, type Instant } from '../../base/clock.js';
import type { Pause } from '../../domain/wallet.js';
import { noted, pauseUntil, roundedUp, type WalletDocument, type WalletState } from './document.js';

export type TargetState =
  /** Finish what was begun, including unfinished accounts. */
  | { readonly kind: 'finish' }
  /** The snapshot must not be older than `maxAge`, in ms. */
  | { readonly kind: 'fresh'; readonly maxAge: number }
  /** A person asked. */
  | { readonly kind: 'now'; readonly token?: string | undefined };

export type NextAction =
  | { readonly kind: 'rest'; readonly until?: Instant; readonly because: 'fresh' | 'done' | Pause }
  | { readonly kind: 'read' }
  | { readonly kind: 'check' }
  /** A job runs already. */
  | { readonly kind: 'follow'; readonly id: string }
  | { readonly kind: 'pause'; readonly until: Instant; readonly because: 'limited' | 'untold' }
  | { readonly kind: 'ask'; readonly token?: string | undefined };

const MAX_RESUMES = 5;
const UNTOLD = 15 * MINUTE;

export interface WalletSituation {
  readonly document: WalletDocument;
  readonly seen: WalletState | undefined;
  readonly target: TargetState;
  readonly now: Instant;
}

export function nextAction({ document, seen, target, now }: WalletSituation): NextAction {
  const known = seen === undefined ? document : noted(document, seen);
  const { job, intent, pause } = known;
  if (job !== undefined) return { kind: 'check' };
  if (pause !== undefined && pause.until > now && !(target.kind === 'now' && OURS.has(pause.because))) return { kind: 'rest', ...pause };
  // An unanswered request may be running or refused: settle it first.
  const enough = intent === undefined ? satisfied(known, target, now) : undefined;
  if (enough !== undefined) return enough;
  if (seen === undefined) return { kind: 'read' };
  const { overview, at } = seen;
  if (overview.job?.id !== undefined) return { kind: 'follow', id: overview.job.id };
  const pausedUntil = pauseUntil(overview.retryAfterSeconds, at);
  if (pausedUntil !== undefined && pausedUntil > now) return { kind: 'pause', until: pausedUntil, because: 'limited' };
  if (intent !== undefined || (overview.limited && pausedUntil === undefined)) {
    const until = roundedUp(later(intent === undefined ? at : (intent.refusedAt ?? intent.at), UNTOLD));
    if (until > now) return { kind: 'pause', until, because: 'untold' };
  }
  return (
    satisfied(known, target, now) ?? {
      kind: 'ask',
      token: goesOn(known) ? known.left?.token : target.kind === 'now' ? target.token : undefined,
    }
  );
}

const OURS: ReadonlySet<Pause> = new Set(['failed', 'given-up']);

export const goesOn = ({ left }: Pick<WalletDocument, 'left'>): boolean =>
  left !== undefined && left.accounts > 0 && left.resumed < MAX_RESUMES;

function satisfied(document: WalletDocument, target: TargetState, now: Instant): Extract<NextAction, { kind: 'rest' }> | undefined {
  if (target.kind === 'now' || goesOn(document)) return undefined;
  if (target.kind === 'finish') return { kind: 'rest', because: 'done' };
  const { wholeAt, doneAt } = document;
  // A refresh that produced no newer snapshot is not repeated at once.
  const ends = [
    wholeAt === undefined ? undefined : later(wholeAt, target.maxAge),
    doneAt === undefined ? undefined : later(doneAt, Math.min(UNTOLD, target.maxAge)),
  ];
  const until = ends.filter((end) => end !== undefined).toSorted((a, b) => b - a)[0];
  return until !== undefined && until > now ? { kind: 'rest', until, because: 'fresh' } : undefined;
}
