/**
 * The month that the bot is played through, drawn from a seed: figures that move, markets of three days, launches, mints and burns, and so on. It is
 * the truth that the service answers from and the oracle judges by, and knows nothing of plans or of the bot.
 */
import { DAY, HOUR, MINUTE } from '../../../src/base/clock.js';
import type { Launch, Tranche } from '../../simulation/world/world.js';

export const START = Date.UTC(2026, 10, 1);
export const END = Date.UTC(2026, 11, 1);
/** Figures change at these steps and stay between them. */
export const STEP = 10 * MINUTE;
const STEPS = (END - START) / STEP;
const SUPPLY = 10_000_000;
const ONE_PROJECT_IN = { growth: 2, tranches: 4 };

/** What a treasury overview and a list say of a project. */
export interface Figures {
  readonly price: string;
  readonly navPerShare: string;
  /** Percent. */
  readonly premium: string;
  readonly dollars: string;
  readonly allowance: string;
  readonly runway: string;
}

export interface LedgerRow {
  readonly id: number;
  readonly at: number;
  readonly usd: number;
  readonly isIn: boolean;
  /** Of a mint or burn: at the price of its moment. */
  readonly tokens?: number;
}

export interface Market {
  readonly project: string;
  readonly key: string;
  readonly createdAt: number;
  readonly liveAt: number;
  readonly twapAt: number;
  readonly endsAt: number;
  readonly result: 'passed' | 'failed';
}

export interface Project {
  readonly slug: string;
  readonly name: string;
  readonly symbol: string;
  /** By step of the month. */
  readonly figures: readonly Figures[];
  readonly supply: readonly LedgerRow[];
  readonly movements: readonly LedgerRow[];
  readonly markets: readonly Market[];
  /** When each day's value appears, by day of the month; empty: it publishes none. */
  readonly growth: readonly number[];
}

export interface Month {
  readonly projects: readonly Project[];
  readonly launches: readonly Launch[];
  readonly tranches: readonly Tranche[];
}

type Roll = () => number;

/** A small generator of numbers between 0 and 1 (mulberry32): the same seed, the same month. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const between = (roll: Roll, from: number, to: number): number => from + roll() * (to - from);

/** Moments that come once in `every` on average, each independent of the others. */
function moments(roll: Roll, every: number, from = START): readonly number[] {
  const all: number[] = [];
  for (let at = from; ;) {
    at += Math.max(MINUTE, -Math.log(1 - roll()) * every);
    if (at >= END) return all;
    all.push(Math.floor(at));
  }
}

/** A value of each step: it stays for days, then moves to another within hours. */
function moving(roll: Roll, { every, draw, noise }: { every: number; draw: () => number; noise: number }): readonly number[] {
  const turns = moments(roll, every).map((at) => ({ at, takes: between(roll, 30 * MINUTE, 12 * HOUR), to: draw() }));
  let from = draw();
  let next = 0;
  return Array.from({ length: STEPS }, (_, step) => {
    const now = START + step * STEP;
    const isOver = ({ at, takes }: { at: number; takes: number }): boolean => at + takes <= now;
    for (let turn = turns[next]; turn !== undefined && isOver(turn); turn = turns[next]) [from, next] = [turn.to, next + 1];
    const turn = turns[next];
    const part = turn === undefined || turn.at > now ? 0 : (now - turn.at) / turn.takes;
    return from + ((turn?.to ?? from) - from) * part + between(roll, -noise, noise);
  });
}

/** A value of each step that jumps now and then by one of these factors. */
function jumping(roll: Roll, { first, every, factors }: { first: number; every: number; factors: readonly number[] }): readonly number[] {
  const jumps = moments(roll, every).map((at) => ({ at, by: factors[Math.floor(roll() * factors.length)] ?? 1 }));
  return Array.from({ length: STEPS }, (_, step) =>
    jumps.reduce((value, { at, by }) => (at <= START + step * STEP ? value * by : value), first),
  );
}

function figuresOf(roll: Roll): readonly Figures[] {
  const gaps = moving(roll, { every: 7 * DAY, draw: () => between(roll, -28, 18), noise: 0.3 });
  const dollars = jumping(roll, { first: between(roll, 1, 8) * 1e6, every: 20 * DAY, factors: [0.88, 0.85, 1.12, 1.18] });
  const allowances = jumping(roll, { first: between(roll, 1.5, 6) * 1e5, every: 60 * DAY, factors: [0.5, 0.6, 1.6, 2] });
  return gaps.map((gap, step) => {
    const [held = 0, allowance = 0] = [dollars[step], allowances[step]];
    const nav = Math.round((held / SUPPLY) * 1e6) / 1e6;
    const price = Math.round(nav * (1 + gap / 100) * 1e6) / 1e6;
    return {
      price: price.toFixed(6),
      navPerShare: nav.toFixed(6),
      premium: (100 * (price / nav - 1)).toFixed(4),
      dollars: held.toFixed(2),
      allowance: allowance.toFixed(2),
      runway: (held / allowance).toFixed(2),
    };
  });
}

/** Dollars; about one in two is above ten thousand, most are above one thousand. */
const size = (roll: Roll): number => Math.round(Math.exp(9.2 + 1.3 * (roll() + roll() + roll() - 1.5) * 2));

/** Dollars of a burn: nearly all are below one thousand. */
const tinySize = (roll: Roll): number => Math.round(Math.exp(5.3 + 1.2 * (roll() + roll() + roll() - 1.5) * 2));
const mintSize = (roll: Roll): number => Math.round(Math.exp(between(roll, Math.log(20_000), Math.log(600_000))));

/** Many tiny burns, and few and large mints. */
function supplyOf(roll: Roll, figures: readonly Figures[]): readonly LedgerRow[] {
  // A few projects burn several times a day, most once in weeks.
  const burnEvery = DAY / (0.05 * 60 ** (roll() ** 2));
  const burns = moments(roll, burnEvery, START - 20 * burnEvery).map((at) => ({ at, usd: tinySize(roll), isIn: false }));
  const mints = moments(roll, 30 * DAY, START - 40 * DAY).map((at) => ({ at, usd: mintSize(roll), isIn: true }));
  return [...burns, ...mints]
    .toSorted((a, b) => a.at - b.at)
    .map((row, index) => {
      const { price } = figures[Math.max(0, Math.floor((row.at - START) / STEP))] ?? { price: '1' };
      return { ...row, id: 1_000 + index, tokens: Math.max(1, Math.round(row.usd / Number(price))) };
    });
}

const ledger = (roll: Roll, every: number): readonly LedgerRow[] =>
  moments(roll, every, START - 20 * every).map((at, index) => ({ id: 1_000 + index, at, usd: size(roll), isIn: roll() < 0.5 }));

function marketsOf(roll: Roll, project: string, projects: number): readonly Market[] {
  // About two are live on a day, however many projects there are; never two in one project.
  const begins = moments(roll, 1.5 * projects * DAY, START - 5 * DAY);
  return begins
    .filter((at, index) => at - (begins[index - 1] ?? 0) > 5 * DAY)
    .map((liveAt, index) => ({
      ...{ project, key: `${project.replaceAll('-', '')}Market${index + 1}`, liveAt },
      ...{ createdAt: liveAt - DAY, twapAt: liveAt + DAY, endsAt: liveAt + 3 * DAY },
      result: roll() < 0.5 ? 'passed' : 'failed',
    }));
}

/** A day's value appears some time after midnight. */
const growthOf = (roll: Roll): readonly number[] =>
  Array.from({ length: 30 }, (_, day) => Math.floor(START + day * DAY + between(roll, 5 * MINUTE, 3 * HOUR)));

const launchesOf = (roll: Roll): readonly Launch[] =>
  moments(roll, 6 * DAY, START - 2 * DAY).map((liveAt, index) => {
    const isComplete = roll() < 0.7;
    const endsAt = liveAt + 4 * DAY;
    return {
      ...{ project: `launch-${index + 1}`, title: `Launch ${index + 1}`, createdAt: liveAt - DAY, liveAt, endsAt },
      ...(isComplete ? { minimumAt: Math.floor(between(roll, liveAt + HOUR, endsAt - HOUR)) } : {}),
      result: isComplete ? 'complete' : 'refunding',
    };
  });

const tranchesOf = (roll: Roll, project: string): readonly Tranche[] => {
  const cliffAt = Math.floor(between(roll, START + 2 * DAY, END - 5 * DAY));
  return [0, 1].map((order) => ({ project, order, cliffAt, at: cliffAt + (1 + order) * DAY, state: 'unlocked' }));
};

export function drawMonth(count: number, seed = 20_261_101): Month {
  const roll = dice(seed + count);
  const projects = Array.from({ length: count }, (_, index): Project => {
    const slug = `project-${index + 1}`;
    const figures = figuresOf(roll);
    return {
      ...{ slug, name: `Project ${index + 1}`, symbol: `P${index + 1}`, figures },
      supply: supplyOf(roll, figures),
      movements: ledger(roll, between(roll, 1, 6) * DAY),
      markets: marketsOf(roll, slug, count),
      growth: index % ONE_PROJECT_IN.growth === 0 ? growthOf(roll) : [],
    };
  });
  const vesting = projects.filter((_, index) => index % ONE_PROJECT_IN.tranches === 0);
  return { projects, launches: launchesOf(roll), tranches: vesting.flatMap(({ slug }) => tranchesOf(roll, slug)) };
}

export function figuresAt({ figures }: Project, now: number): Figures {
  const found = figures[Math.min(figures.length - 1, Math.max(0, Math.floor((now - START) / STEP)))];
  if (found === undefined) throw new Error('a project without figures');
  return found;
}

export const supplyAt = ({ supply }: Project, now: number): number =>
  supply.reduce((sum, { at, tokens = 0, isIn }) => (at <= now ? sum + (isIn ? tokens : -tokens) : sum), SUPPLY);
