/** Text that tells rule states apart, computed once. */
import { DAY } from '../../base/clock.js';
import type { RuleState } from './threshold.js';

const cores = new WeakMap<RuleState, string>();

/** Without the last value. */
export function coreOf(state: RuleState): string {
  const { armed, anchor, alertedAt } = state;
  const core = cores.get(state) ?? `${armed} ${anchor.at} ${anchor.value} ${anchor.side} ${alertedAt}`;
  cores.set(state, core);
  return core;
}

export const stateText = (state: RuleState | undefined): string =>
  state === undefined ? 'nothing' : `${coreOf(state)} ${state.last.at} ${state.last.value}`;

const WRITTEN_EVERY = DAY;

/** A future value predates a clock set back. */
export const isStateWorthWriting = (before: RuleState | undefined, after: RuleState): boolean =>
  before !== after &&
  (before === undefined ||
    coreOf(before) !== coreOf(after) ||
    after.last.at < before.last.at ||
    after.last.at - before.last.at >= WRITTEN_EVERY);
