/** Answers before alerts, then digests, edits last; no kind starves. */
import { firstWhere } from '../../base/bisect.js';
import type { SlotKind } from '../../chat/notifier.js';

export interface Waiter {
  readonly kind: SlotKind;
  readonly chat: string;
  /** Milliseconds. */
  readonly since: number;
}

/** A kind that was passed over so often goes first. */
const MAX_PASSED_OVER = 4;

const ALERTS = ['ringing', 'silent', 'prepared', 'edit'] as const;
const ORDER: readonly SlotKind[] = ['answer', ...ALERTS];

export interface WaitQueue<W extends Waiter> {
  add(waiter: W): void;
  remove(waiter: W): void;
  /** Others are passed to `park`. */
  take(isReady: (waiter: W) => boolean, park: (waiter: W) => void, only?: 'answer'): W | undefined;
  /** `passed`: one that was passed over often enough. */
  hasAlerts(passed?: boolean): boolean;
}

export function openWaitQueue<W extends Waiter>(): WaitQueue<W> {
  const lines: Record<SlotKind, W[]> = { answer: [], ringing: [], silent: [], prepared: [], edit: [] };
  const passedOver: Record<SlotKind, number> = { answer: 0, ringing: 0, silent: 0, prepared: 0, edit: 0 };

  const placeOf = (line: readonly W[], since: number): number => firstWhere(line, (other) => other.since > since);
  const kinds = (): readonly SlotKind[] => {
    const waiting = ORDER.filter((kind) => lines[kind].length > 0);
    const late = waiting.toReversed().find((kind) => passedOver[kind] >= MAX_PASSED_OVER);
    return late === undefined ? waiting : [late, ...waiting.filter((kind) => kind !== late)];
  };

  return {
    add: (waiter) => void lines[waiter.kind].splice(placeOf(lines[waiter.kind], waiter.since), 0, waiter),
    remove(waiter) {
      const line = lines[waiter.kind];
      const index = line.indexOf(waiter);
      if (index !== -1) line.splice(index, 1);
    },
    hasAlerts: (passed = false) => ALERTS.some((kind) => lines[kind].length > 0 && (!passed || passedOver[kind] >= MAX_PASSED_OVER)),
    take(isReady, park, only) {
      for (const kind of only === undefined ? kinds() : [only]) {
        for (let waiter = lines[kind].shift(); waiter !== undefined; waiter = lines[kind].shift()) {
          if (!isReady(waiter)) {
            park(waiter);
            continue;
          }
          passedOver[kind] = 0;
          for (const lower of ORDER.slice(ORDER.indexOf(kind) + 1)) if (lines[lower].length > 0) passedOver[lower] += 1;
          return waiter;
        }
      }
      return undefined;
    },
  };
}
