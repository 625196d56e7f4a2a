/** Figures as checks read them, without a feed: what rules on figures are tried with. */
import { readRule } from '../../src/alerts/rules/read-rule.js';
import type { Rules } from '../../src/alerts/rules/rule.js';
import type { Point } from '../../src/domain/crossing.js';
import type { Measure } from '../../src/domain/measures.js';
import { decimal, slug, type Instant } from '../../src/domain/scalars.js';
import type { WalletAddress } from '../../src/domain/wallet.js';
import { THRESHOLD_STAGE, type Measurement } from '../../src/feeds/feed.js';

interface Of {
  readonly feed?: string;
  readonly project?: string;
  readonly wallet?: WalletAddress;
  readonly measure?: Measure;
  readonly history?: readonly Point[];
  readonly id?: string;
}

/** One figure at a moment; `undefined` where the check did not know it. */
export function measurement(value: number | undefined, at: Instant, of: Of = {}): Measurement {
  const { feed = 'premium', project = 'tide', wallet, measure = 'premium', history } = of;
  const id = of.id ?? `${feed}/${wallet ?? project}/${at}`;
  return {
    at,
    values: value === undefined ? {} : { [measure]: decimal(value) },
    ...(history === undefined ? {} : { history: { [measure]: history } }),
    event: {
      ...{ id, feed, topic: id, stage: THRESHOLD_STAGE, occurredAt: at, detectedAt: at },
      ...(wallet === undefined ? { project: slug(project) } : { wallet }),
      facts: { name: 'Tidewater', symbol: 'TIDE', gap: String(value) },
    },
  };
}

/** A rule as an entry carries it. */
export function rules(text: string): Record<string, Rules> {
  const found = readRule(text);
  if (!found.read) throw new Error(found.says);
  const { kind, ...rest } = found.rules;
  return { [kind]: rest };
}
