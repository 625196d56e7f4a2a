/** What many runs came to. Kept as plain numbers, so that worker processes can send them. */
import { HOUR } from '../../../src/base/clock.js';
import type { FindingKind } from '../oracle/verdict.js';
import type { Simulated } from './simulate.js';

export type Figures = Readonly<Record<string, number>>;

export function figuresOf({ played, judgement }: Simulated): Figures {
  const { scenario, service, platforms, fleet } = played;
  const { world } = scenario;
  const of = (kind: FindingKind): number => judgement.violations.filter((one) => one.kind === kind).length;
  const faults: Record<string, number> = {};
  for (const { what } of [...service.faults, ...platforms.flatMap((one) => one.faults)])
    faults[`fault: ${what}`] = (faults[`fault: ${what}`] ?? 0) + 1;
  const steps = (kind: (typeof scenario.steps)[number]['kind']): number => scenario.steps.filter((step) => step.kind === kind).length;
  return {
    seeds: 1,
    [`seeds of ${scenario.profile}`]: 1,
    'simulated hours': (played.endedAt - scenario.start) / HOUR,
    events: world.rows.length + 2 * world.markets.length + world.values.length + world.holdings.length,
    trades: world.markets.reduce((sum, { trades = [] }) => sum + trades.length, 0),
    launches: world.launches.length,
    'growth days': world.growth.filter(({ at }) => at > scenario.start).length,
    'troubles of lists': world.troubles?.length ?? 0,
    'tranches, moves of NAV': world.tranches.length + world.navs.length,
    requests: service.exchanges.length,
    questions: played.requests.length,
    deliveries: platforms.reduce((sum, { posted }) => sum + posted.length, 0),
    edits: platforms.reduce((sum, { edits }) => sum + edits.length, 0),
    digests: judgement.tally.digests,
    'expected: must': judgement.tally.must,
    'expected: may': judgement.tally.may,
    'expected: must not': judgement.tally.mustNot,
    kills: fleet.kills(),
    stops: fleet.stops.length,
    pauses: fleet.pauses(),
    takeovers: fleet.takeovers(),
    'store errors': played.storeFailures,
    'clock jumps': steps('clock'),
    'outages of the service': steps('service') / 2,
    'outages of a platform': steps('platform') / 2,
    ...faults,
    corrections: judgement.tally.corrections,
    'reasons asked': judgement.tally.whys,
    'maybe sent twice': judgement.tally.maybeSent,
    'maybe not sent': judgement.tally.maybeLost,
    lost: of('lost'),
    duplicated: of('duplicated'),
    late: of('late') + of('check late'),
    'all violations': judgement.violations.length,
  };
}

export const joined = (a: Figures, b: Figures): Figures =>
  Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
