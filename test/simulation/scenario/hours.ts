/** Hours in which prices cross thresholds, wallets are refreshed and the budget may run out. */
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import type { Random } from '../machine/random.js';
import type { Holding, LedgerRow, Market, Value } from '../world/world.js';
import { PLATFORMS, unusedIn, type Kind, type Scenario, type Timed } from './scenario.js';

const LENGTH = 480 * MINUTE;
const PROJECT = 'tide';
export const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';

/** Of a price in thousandths of a dollar, of a runway in tenths of a month: the threshold, and where it re-arms. */
const THRESHOLDS = {
  price: { level: 1_500, band: 30, text: (value: number): string => (value / 1_000).toFixed(3) },
  runway: { level: 40, band: 10, text: (value: number): string => (value / 10).toFixed(1) },
} as const;
/** Of a runway in tenths of a month that must be above its level at the same time as the price. */
const JOINED = { level: 120, band: 10, text: THRESHOLDS.runway.text } as const;
/** In minutes: longer than most values last, so that some do and some do not. */
const LASTS = 45;
type Measure = keyof typeof THRESHOLDS;
type Where = 'beyond' | 'within' | 'end' | 'back';

export function hours(seed: number, random: Random, { isScreened = false } = {}): Scenario {
  const start = Date.UTC(2026, 10, 20, 3) + random.whole(0, 59) * MINUTE;
  const calm = start + LENGTH;
  const chats = Array.from({ length: random.whole(1, 2) }, (_, index) => address(random.pick(PLATFORMS), `chat-${index}`));
  const measure = seed % 60 === 26 && !isScreened ? 'runway' : 'price';
  const isJoined = seed % 120 === 36 && !isScreened;
  const drawn = isJoined ? joinedValuesOf(random, start) : valuesOf(random, start, measure);
  const values = isScreened ? distinctEnds(drawn) : drawn;
  const isLimited = random.chance(0.2) && !isScreened;
  const rows = rowsOf(random, start);
  const markets = marketsOf(seed, start);
  return {
    seed,
    profile: 'hours',
    start,
    calm,
    ambiguous: random.chance(0.5) ? 'repeat' : 'hold',
    pollSeconds: 600,
    tickSeconds: 60,
    requestsPerMonth: isLimited ? random.whole(8, 40) : undefined,
    faultRates: { service: random.pick([0, 0, 0.02]), platform: random.pick([0, 0.1]) },
    slowestAnswer: 80,
    processes: 1,
    world: {
      projects: [PROJECT],
      rows,
      markets,
      values,
      holdings: holdingsOf(random, start),
      launches: [],
      growth: [],
      tranches: [],
      navs: [],
    },
    chats,
    steps: [
      ...chats.flatMap((chat) => [
        ...asksOf(chat, random, {
          ...{ start, measure, isScreened, unused: unusedIn(seed, { rows, markets }) },
          way: isScreened ? undefined : wayOf(seed),
          lasts: (seed % 60 === 56 || seed % 240 === 156) && !isScreened ? LASTS : undefined,
          isJoined,
        }),
        ...(isLimited ? questionsOf(chat, random, start) : []),
      ]),
      ...kills(random, { rows, start, calm }),
      ...absences(random, { chats, rows, start }),
    ].toSorted((a, b) => a.at - b.at),
  };
}

/** Beyond the threshold, within the hysteresis, exactly at its end, and back; each long enough to be seen. */
function valuesOf(random: Random, start: number, measure: Measure): readonly Value[] {
  const { level, band, text } = THRESHOLDS[measure];
  const values: Value[] = [];
  let at = start - MINUTE;
  let unique = 0;
  let wasBeyond = false;
  while (at < start + LENGTH - 120 * MINUTE) {
    const where: Where = wasBeyond ? random.pick(['within', 'end', 'end', 'back']) : random.pick(['beyond', 'beyond', 'within', 'end']);
    wasBeyond = where === 'beyond';
    unique += 1;
    const beyond = {
      beyond: unique,
      within: -random.whole(1, band - 1),
      end: -band,
      back: -band - unique,
    }[where];
    const own = measure === 'price' ? { price: text(level + beyond) } : { runway: text(level - beyond) };
    values.push({ project: PROJECT, at, price: '1.2', navPerShare: '1', runway: '20', ...own });
    at += random.pick([26, 26, 26, 50, 110]) * MINUTE + random.whole(0, 59) * SECOND;
  }
  return values;
}

/** The price and the runway of a rule that joins both move each on its own, or together. A price beyond its threshold stands only once. */
function joinedValuesOf(random: Random, start: number): readonly Value[] {
  const values: Value[] = [];
  let at = start - MINUTE;
  let unique = 0;
  let runway = JOINED.level + JOINED.band;
  let price = -1;
  while (at < start + LENGTH - 120 * MINUTE) {
    unique += 1;
    const moves = random.pick(['price', 'price', 'runway', 'runway', 'both'] as const);
    const where = random.pick(['beyond', 'beyond', 'beyond', 'within', 'end', 'back'] as const);
    const { band } = THRESHOLDS.price;
    if (moves !== 'runway') price = { beyond: unique, within: -random.whole(1, band - 1), end: -band, back: -band - unique }[where];
    else if (price > 0) price = unique;
    const other = moves === 'both' ? random.pick(['beyond', 'beyond', 'within', 'end'] as const) : where;
    if (moves !== 'price')
      runway =
        JOINED.level + { beyond: unique, within: -random.whole(1, JOINED.band - 1), end: -JOINED.band, back: -JOINED.band - 5 }[other];
    const [shown, months] = [THRESHOLDS.price.text(THRESHOLDS.price.level + price), JOINED.text(runway)];
    values.push({ project: PROJECT, at, price: shown, navPerShare: '1', runway: months });
    at += random.pick([26, 26, 26, 50, 110]) * MINUTE + random.whole(0, 59) * SECOND;
  }
  return values;
}

/** A screen's alert names the value that left, so the end of the hysteresis stands only once. */
const distinctEnds = (values: readonly Value[]): readonly Value[] => {
  const { level, band, text } = THRESHOLDS.price;
  return values.map((one, index) =>
    one.price === text(level - band) ? { ...one, price: text(level - band - values.length - 1 - index) } : one,
  );
};

/** In every third of these seeds a market flips: rarer than an alert may follow another, and once sooner. It draws nothing, so that other seeds stay as they are. */
function marketsOf(seed: number, start: number): readonly Market[] {
  const turn = Math.floor(seed / 10);
  if (turn % 3 !== 1) return [];
  const apart = [40 + (turn % 11), 70 + (turn % 17), 30 + (turn % 5), 75 + (turn % 13), 80 + (turn % 7)];
  const flipsAt = apart.map((_, index) => start + apart.slice(0, index + 1).reduce((sum, minutes) => sum + minutes, 12) * MINUTE);
  const times = { project: PROJECT, createdAt: start - 10 * MINUTE, liveAt: start + 12 * MINUTE, endsAt: start + 440 * MINUTE };
  const result = turn % 2 === 0 ? ('passed' as const) : ('failed' as const);
  // One beside it never flips.
  return [
    { ...times, title: `Market ${turn}`, result, flipsAt },
    { ...times, title: `Market ${turn} beside`, result: 'passed', flipsAt: [] },
  ];
}

const rowsOf = (random: Random, start: number): readonly LedgerRow[] =>
  Array.from({ length: random.whole(1, 4) }, (_, index) => {
    const at = start + random.whole(30 * MINUTE, LENGTH - 30 * MINUTE);
    const usd = random.pick([500, 20_000]);
    // A list knows the supply and the price alone, so what a row is worth follows from its amount.
    const amount = (usd < 10_000 ? 101 : 20_001) + index;
    return {
      ...{ ledger: 'supply' as const, project: PROJECT, amount, direction: 'in' as const },
      ...{ usd, at, shownAt: at + random.whole(0, 30) * SECOND },
    };
  });

const holdingsOf = (random: Random, start: number): readonly Holding[] =>
  [-300, random.whole(20, 120), random.whole(130, 300)].map((minutes, index) => ({
    ...{ wallet: WALLET, project: PROJECT, at: start + minutes * MINUTE, balance: 5_001 + index * 1_000 },
  }));

/** In two of three of these seeds alerts end as usual. It draws nothing, so that other seeds stay as they are. */
function wayOf(seed: number): Asked['way'] {
  const turn = Math.floor(seed / 10);
  return turn % 3 !== 2 ? undefined : turn % 2 === 0 ? 'message' : 'off';
}

interface Asked {
  readonly start: number;
  readonly measure: Measure;
  /** It says how a chat learns that an alert is over. If it is undefined, that is as usual. */
  readonly way: 'message' | 'off' | undefined;
  readonly isScreened: boolean;
  readonly unused: readonly Kind[];
  readonly lasts: number | undefined;
  readonly isJoined: boolean;
}

function asksOf(chat: Address, random: Random, { start, measure, way, isScreened, unused, lasts, isJoined }: Asked): readonly Timed[] {
  const asked: Timed[] = [];
  const ask = (minutes: number, what: Extract<Timed, { kind: 'ask' }>['ask']): number =>
    asked.push({ kind: 'ask', chat, at: start + minutes * MINUTE, ask: what });
  ask(1, { kind: 'watch', project: PROJECT });
  for (const feed of unused) ask(1, { kind: 'mode', project: PROJECT, feed, on: false });
  const { level, band, text } = THRESHOLDS[measure];
  // "1.500" is refused as ambiguous.
  const [limit, hysteresis] = [level, band].map((value) => String(Number(text(value))));
  const ruledAt = random.whole(2, 20);
  if (isScreened) ask(ruledAt, { kind: 'screen', level: limit ?? '' });
  else {
    const and = { level: String(Number(JOINED.text(JOINED.level))), band: String(Number(JOINED.text(JOINED.band))) };
    const rule = { kind: 'rule', project: PROJECT, measure, level: limit ?? '', band: hysteresis ?? '' } as const;
    ask(ruledAt, { ...rule, ...(lasts && { lasts }), ...(isJoined && { and }) });
  }
  if (way !== undefined) ask(ruledAt, { kind: 'back', project: PROJECT, measure, way });
  if (random.chance(0.4)) ask(random.whole(2, 40), { kind: 'wallet', wallet: WALLET });
  if (random.chance(0.3)) ask(random.whole(40, 400), { kind: 'mute', minutes: random.pick([20, 60]) });
  if (random.chance(0.3)) ask(random.whole(21, 60), { kind: 'quiet', from: random.whole(5, 7), to: random.whole(8, 9) });
  return asked;
}

/** A chat loses the bot and takes it back. */
function absences(
  random: Random,
  { chats, rows, start }: { readonly chats: readonly Address[]; readonly rows: readonly LedgerRow[]; readonly start: number },
): readonly Timed[] {
  if (!random.chance(0.35)) return [];
  const [chat, row] = [random.pick(chats), random.pick(rows)];
  const from = Math.max(start + 25 * MINUTE, row.at - random.whole(15, 50) * MINUTE);
  return [
    { kind: 'chat', chat, becomes: 'gone', at: from },
    { kind: 'chat', chat, becomes: 'member', at: row.shownAt + random.whole(15, 60) * MINUTE },
  ];
}

/** What people look up, until nothing is left. */
const questionsOf = (chat: Address, random: Random, start: number): readonly Timed[] =>
  Array.from({ length: 14 }, () => ({
    ...{ kind: 'ask' as const, chat, at: start + random.whole(3, 400) * MINUTE },
    ask: {
      kind: 'hostile' as const,
      line: random.pick([`/treasury ${PROJECT}`, `/project ${PROJECT}`, `/supply ${PROJECT}`, '/overview']),
    },
  }));

function kills(
  random: Random,
  { rows, start, calm }: { readonly rows: readonly LedgerRow[]; readonly start: number; readonly calm: number },
) {
  return Array.from({ length: random.whole(0, 3) }, (): Timed => {
    const at = random.chance(0.3) ? random.pick(rows).shownAt : start + random.whole(0, LENGTH);
    const kind = random.chance(0.75) ? ('kill' as const) : ('stop' as const);
    return { kind, down: random.whole(0, 10 * SECOND), after: random.whole(0, 25), at: Math.min(calm, at) };
  });
}
