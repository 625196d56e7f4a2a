/** Messages that sum rows up, or count what they do not name: nothing may be missing from them either. */
import type { Posted } from '../platform/platform.js';
import type { LedgerRow } from '../world/world.js';
import { amountsIn, countIn, stagesIn, totalsIn, unnamedIn } from './texts.js';

export interface Sums {
  readonly alerts: readonly Posted[];
  /** Must have come, and no message names them. */
  readonly missing: readonly LedgerRow[];
  /** May have come, and no message names them. */
  readonly unnamed: readonly LedgerRow[];
}

const groupOf = ({ ledger, project, direction }: LedgerRow): string => `${ledger} ${project} ${direction}`;

/** `lost`: in no message, named or not. */
export function judgeSums({ alerts, missing, unnamed }: Sums): { readonly lost: readonly LedgerRow[]; readonly wrong: readonly string[] } {
  // A platform that recognises no repeat may have a message twice.
  const messages = [...new Map(alerts.map((one) => [one.id, one.text])).values()];
  const totals = messages.flatMap(totalsIn);
  const wrong = messages.flatMap(miscounted);
  const lost: LedgerRow[] = [];
  for (const group of new Set([...missing.map(groupOf), ...totals.map((one) => one.group)])) {
    const own = totals.filter((one) => one.group === group);
    const [must, may] = [missing, unnamed].map((rows) => rows.filter((row) => groupOf(row) === group));
    if (must === undefined || may === undefined) continue;
    const count = own.reduce((sum, one) => sum + one.count, 0);
    const total = own.reduce((sum, one) => sum + one.total, 0);
    if (count < must.length) lost.push(...must.slice(count));
    else if (count > must.length + may.length)
      wrong.push(`${count} of ${group} are summed up, at most ${must.length + may.length} are owed`);
    else if (may.length === 0 && total !== must.reduce((sum, { amount }) => sum + amount, 0)) wrong.push(`${group}: the total is ${total}`);
  }
  const counted = messages.reduce((sum, text) => sum + unnamedIn(text), 0);
  return { lost: lost.slice(counted), wrong };
}

/** Its heading counts what it names, sums up and leaves out. Other kinds are not recognised, so it may count more. */
function miscounted(text: string): readonly string[] {
  const count = countIn(text);
  if (count === undefined) return [];
  const shown = amountsIn(text).length + stagesIn(text).length + unnamedIn(text) + totalsIn(text).reduce((sum, one) => sum + one.count, 0);
  return shown > count ? [`a message of ${count} changes shows ${shown}`] : [];
}
