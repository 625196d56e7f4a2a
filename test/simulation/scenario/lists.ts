/**
 * Global lists that lag, lie, omit projects, are refused, and come and go. In every third seed there is a monthly limit, and days instead of hours: a list is
 * then read seldom, and a check that nothing calls for comes once a week.
 */
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import type { Random } from '../machine/random.js';
import type { LedgerRow, ListTrouble, Market, Value } from '../world/world.js';
import { PLATFORMS, type Kind, type Scenario, type Timed } from './scenario.js';

const PROJECTS = ['tide', 'heron', 'reef'] as const;
/** The one whose values cross thresholds. */
const [RULED] = PROJECTS;
/** Of these no list tells. */
const UNUSED: readonly Kind[] = ['movements', 'launches', 'growth', 'vesting'];

/** Beyond the threshold, within its hysteresis, and back: in thousandths of a dollar, tenths of a percent of a NAV of one dollar, tenths of a month. */
const RULES = {
  price: { level: 1_500, band: 30, says: { level: '1.5', band: '0.03' } },
  premium: { level: 500, band: 30, says: { level: '50', band: '3' } },
  runway: { level: 40, band: 10, says: { level: '4', band: '1' } },
} as const;
type Measure = keyof typeof RULES;

interface Times {
  readonly start: number;
  readonly length: number;
  /** A value lasts so long at least, and rows of one project are so far apart. */
  readonly apart: number;
  readonly isLimited: boolean;
}

export function lists(seed: number, random: Random): Scenario {
  const isLimited = seed % 3 === 0;
  const start = Date.UTC(2026, 10, isLimited ? 3 : 20, random.whole(0, 23), random.whole(0, 59));
  const length = isLimited ? 5 * DAY : 8 * HOUR;
  const calm = start + length;
  const times: Times = { start, length, apart: isLimited ? 9 * HOUR : 45 * MINUTE, isLimited };
  const chats = Array.from({ length: random.whole(1, 2) }, (_, index) => address(random.pick(PLATFORMS), `chat-${index}`));
  const measure = random.pick(['price', 'premium', 'premium', 'runway'] as const);
  const values = valuesOf(random, measure, times);
  const troubles = random.chance(0.1) ? [] : troublesOf(random, values, times);
  const rows = rowsOf(
    random,
    times,
    troubles.some(({ how }) => how === 'ahead'),
  );
  const markets = random.chance(0.4) ? [marketOf(random, times)] : [];
  return {
    ...{ seed, profile: isLimited ? ('limited' as const) : ('lists' as const), start, calm },
    ambiguous: random.chance(0.5) ? 'repeat' : 'hold',
    ...{ pollSeconds: 600, tickSeconds: isLimited ? 300 : 60 },
    requestsPerMonth: isLimited ? random.pick([600, 1_200, 2_500]) : undefined,
    faultRates: { service: 0, platform: random.pick([0, 0.1]) },
    ...{ slowestAnswer: 80, processes: 1 },
    world: {
      ...{ projects: PROJECTS, rows, markets, values, troubles },
      ...{ holdings: [], launches: [], growth: [], tranches: [], navs: [] },
    },
    chats,
    steps: [
      ...chats.flatMap((chat) => asksOf(chat, measure, times)),
      ...outages(random, times),
      ...kills(random, { values, rows, times }),
    ].toSorted((a, b) => a.at - b.at),
  };
}

/** What stands at the end is beyond the threshold, and stands long enough to be found by any check. */
function valuesOf(random: Random, measure: Measure, { start, length, apart, isLimited }: Times): readonly Value[] {
  const { level, band } = RULES[measure];
  const begin = start - 2 * HOUR;
  // The preset alerts below six months, and two rules that are crossed together are one alert.
  const runway = measure === 'runway' ? '5.6' : '20';
  const others = PROJECTS.map((project): Value => ({ project, at: begin, price: '1.3', navPerShare: '1', runway }));
  const values: Value[] = [];
  let unique = 0;
  let wasBeyond = false;
  const add = (at: number, where: 'beyond' | 'within' | 'back'): void => {
    unique += 1;
    wasBeyond = where === 'beyond';
    const by = where === 'beyond' ? unique : where === 'within' ? -random.whole(1, band - 1) : -band - unique;
    const price = measure === 'price' ? (level + by) / 1_000 : 1 + (level + by) / 1_000;
    const own = measure === 'runway' ? { price: '1.3', runway: ((level - by) / 10).toFixed(1) } : { price: price.toFixed(3), runway: '20' };
    values.push({ project: RULED, at, navPerShare: '1', ...own });
  };
  const last = start + length - (isLimited ? 36 * HOUR : 100 * MINUTE);
  for (let at = start + apart; at < last - apart; at += apart * random.pick([1, 1, 2, 3]) + random.whole(0, 59) * SECOND)
    add(at, wasBeyond ? random.pick(['within', 'back', 'back'] as const) : random.pick(['beyond', 'beyond', 'within'] as const));
  if (wasBeyond) add(last, 'back');
  add(last + (wasBeyond ? 0 : apart), 'beyond');
  return [...others, ...values];
}

/** A list misleads about the project of which the values change more often than about others. */
function troublesOf(random: Random, values: readonly Value[], { start, length }: Times): readonly ListTrouble[] {
  if (random.chance(0.2)) return [{ list: 'projects', how: 'ahead', from: start, to: start + 10 * length }];
  return Array.from({ length: random.whole(1, 4) }, (): ListTrouble => {
    // Half of them begin when a value does, so that the change is what the list does not show.
    const from = random.chance(0.5) ? random.pick(values).at - random.whole(0, 600) * SECOND : start + Math.floor(length * random.next());
    const to = random.chance(0.2) ? start + 10 * length : from + Math.floor((length / 3) * random.next());
    const about = random.chance(0.6) ? { project: RULED } : random.chance(0.5) ? { project: random.pick(PROJECTS) } : {};
    if (random.chance(0.25)) {
      const how = random.pick(['frozen', 'omits', '404', '503'] as const);
      return { list: 'markets', how, from, to, ...(how === '404' || how === '503' ? {} : about) };
    }
    const how = random.pick(['frozen', 'lags', 'omits', 'omits', 'zeros', 'at NAV', 'at NAV', 'below NAV', '404', '503'] as const);
    if (how === 'lags') return { list: 'projects', how, by: Math.floor((length / 6) * random.next()), from, to, ...about };
    return { list: 'projects', how, from, to, ...(how === '404' || how === '503' ? {} : about) };
  });
}

const FIRST_SMALL = 301;
const FIRST_LARGE = 20_001;

/** A list knows the supply and the price alone, so what a row is worth follows from its amount. */
function rowsOf(random: Random, { start, length, apart, isLimited }: Times, isAhead: boolean): readonly LedgerRow[] {
  const latest = start + length - (isLimited ? 36 * HOUR : HOUR);
  let index = 0;
  return PROJECTS.flatMap((project) => {
    const rows: LedgerRow[] = [];
    for (let at = start + Math.floor(apart * (0.5 + random.next())); at < latest; at += apart + Math.floor((length / 3) * random.next())) {
      index += 1;
      const amount = index + (random.chance(0.75) ? FIRST_LARGE : FIRST_SMALL);
      const late = isAhead && random.chance(0.8) ? random.whole(0, isLimited ? 6 * 60 : 18) * MINUTE : 0;
      const direction = random.pick(['in', 'out'] as const);
      rows.push({ ledger: 'supply', project, amount, direction, usd: amount, at, shownAt: at + late });
    }
    return rows;
  });
}

function marketOf(random: Random, { start, length, isLimited }: Times): Market {
  const liveAt = start + Math.floor(length * (0.1 + 0.3 * random.next()));
  return {
    ...{ project: random.pick(PROJECTS), title: 'Market 1', createdAt: liveAt - (isLimited ? 6 * HOUR : 20 * MINUTE), liveAt },
    ...{ endsAt: liveAt + Math.floor(length * (isLimited ? 0.1 : 0.3)), result: random.pick(['passed', 'failed'] as const) },
  };
}

function asksOf(chat: Address, measure: Measure, { start }: Times): readonly Timed[] {
  // Only one kind reads the values, so that each response which left for the bot was evaluated.
  const other: Kind = measure === 'runway' ? 'premium' : 'treasury';
  const ask = (minutes: number, what: Extract<Timed, { kind: 'ask' }>['ask']): Timed => ({
    kind: 'ask',
    chat,
    at: start + minutes * MINUTE,
    ask: what,
  });
  return [
    ask(1, { kind: 'import', projects: PROJECTS, off: [...UNUSED, other] }),
    ask(2, { kind: 'rule', project: RULED, measure, ...RULES[measure].says }),
  ];
}

/** The service itself may be away for a while. */
function outages(random: Random, { start, length, isLimited }: Times): readonly Timed[] {
  if (!random.chance(0.2)) return [];
  const at = start + Math.floor(length * 0.8 * random.next());
  return [
    { kind: 'service', down: true, at },
    { kind: 'service', down: false, at: at + random.whole(3, isLimited ? 300 : 30) * MINUTE },
  ];
}

/** Most of them between what a list shows and the check that confirms it, or between the reading of a list and its storing. */
function kills(
  random: Random,
  {
    values,
    rows,
    times: { start, length, isLimited },
  }: { readonly values: readonly Value[]; readonly rows: readonly LedgerRow[]; readonly times: Times },
): readonly Timed[] {
  const tick = isLimited ? 300 : 60;
  return Array.from({ length: random.whole(0, 4) }, (): Timed => {
    const kill = {
      kind: random.chance(0.8) ? ('kill' as const) : ('stop' as const),
      down: random.whole(0, 20 * SECOND),
      after: random.whole(0, 10),
    };
    const change = random.chance(0.5) ? random.pick(values).at : random.pick(rows).shownAt;
    if (random.chance(0.3)) return { ...kill, at: Math.min(start + length, Math.max(start, change) + random.whole(0, 30 * tick) * SECOND) };
    const when = { sign: 'list', nth: 1, wait: random.pick([random.whole(0, 400), random.whole(0, 2 * tick) * SECOND]) } as const;
    return { ...kill, at: Math.min(start + length - HOUR, Math.max(start, change)), when };
  });
}
