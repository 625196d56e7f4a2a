/**
 * Launches, growth, tranches and moves of NAV in some of the seeds, drawn from numbers of their own: the rest of a seed is what it was without them.
 */
import { DAY, MINUTE, SECOND } from '../../../src/base/clock.js';
import type { Address } from '../../../src/chat/address.js';
import { seeded, type Random } from '../machine/random.js';
import type { GrowthDay, Launch, Nav, Tranche } from '../world/world.js';
import type { Ask, Kind, Scenario, Timed } from './scenario.js';

const OWN_NUMBERS = 0x9047;
const AGAIN = 0xa6a1;
const TITLES = ['Lagoon', 'Meadow'] as const;
const METRICS = ['fees', 'traders'] as const;
const FIRST_VALUE = 2_001;
const BASE_DAYS = 4;
/** Where so many rows come, messages count what they do not name. */
const FEW_ROWS = 8;

/** In which times of a profile something happens, and how many of them a stage of a launch may last: long enough to be an alert of its own, or not. */
const TIMES = {
  minutes: { unit: SECOND, stages: [8, 12, 16, 130, 140, 150] },
  hours: { unit: 4 * MINUTE, stages: [3, 9, 14, 18] },
} as const;

export function withMore(scenario: Scenario): Scenario {
  const { seed, profile, world, chats, requestsPerMonth } = scenario;
  if ((profile !== 'minutes' && profile !== 'hours') || requestsPerMonth !== undefined || world.rows.length > FEW_ROWS) return scenario;
  const random = seeded(seed ^ OWN_NUMBERS);
  const from = { random, again: seeded(seed ^ AGAIN), start: scenario.start, ...TIMES[profile], project: random.pick(world.projects) };
  const planned = random.chance(0.25) ? [launchOf(from)] : [];
  const growth = random.chance(0.15) ? restatedAgain(growthOf(from), from) : [];
  const launches = planned.map((launch) => restatedLaunch(launch, from));
  const asked = chats.flatMap((chat) => {
    const watch = scenario.steps.find((step) => step.kind === 'ask' && step.chat === chat && WATCHES.has(step.ask.kind));
    if (watch?.kind !== 'ask') return [];
    const project = ('project' in watch.ask ? watch.ask.project : undefined) ?? from.project;
    const on = (feed: Kind): readonly Timed[] => [turnedOn(chat, watch.at, { kind: 'mode', project, feed, on: true })];
    return [
      ...(launches.length > 0 && random.chance(0.85) ? on('launches') : []),
      ...(growth.length > 0 && random.chance(0.85) ? on('growth') : []),
    ];
  });
  const tranches = random.chance(0.2) ? tranchesOf(from) : [];
  const navs = profile === 'hours' && random.chance(0.6) ? navsOf(from) : [];
  const moves = navs.length === 0 ? [] : chats.flatMap((chat) => moveOf(chat, from));
  // After what a chat asks at the same moment.
  const steps = [...scenario.steps, ...asked, ...moves].toSorted((a, b) => a.at - b.at);
  return { ...scenario, world: { ...world, launches, growth, tranches, navs }, steps };
}

const WATCHES: ReadonlySet<Ask['kind']> = new Set(['watch', 'import']);
const turnedOn = (chat: Address, at: number, ask: Ask): Timed => ({ kind: 'ask', chat, at, ask });

interface From {
  readonly random: Random;
  /** What was added later has numbers of its own as well. */
  readonly again: Random;
  readonly start: number;
  readonly unit: number;
  readonly stages: readonly number[];
  readonly project: string;
}

function launchOf({ random, start, unit, stages, project }: From): Launch {
  const liveAt = start + random.whole(10, 25) * unit;
  const minimumAt = liveAt + random.pick(stages) * unit;
  const endsAt = minimumAt + random.pick(stages) * unit;
  const isMet = random.chance(0.7);
  return {
    ...{ project, title: random.pick(TITLES), createdAt: start + random.whole(-20, 8) * unit, liveAt },
    ...(isMet ? { minimumAt } : {}),
    ...{ endsAt, result: isMet ? 'complete' : 'refunding' },
  };
}

/** Its final amount may be restated, to one that it never had. */
const restatedLaunch = (launch: Launch, { again, unit }: From): Launch =>
  again.chance(0.5) ? { ...launch, restated: { at: launch.endsAt + again.whole(20, 90) * unit, to: again.whole(201, 299) } } : launch;

/** Days that were there before, and of each metric one or two new ones; some are restated. */
function growthOf({ random, start, unit, project }: From): readonly GrowthDay[] {
  const dayBefore = (days: number): string => new Date(start - days * DAY).toISOString().slice(0, 10);
  let value = FIRST_VALUE;
  const next = (): number => (value += random.whole(1, 40));
  return METRICS.flatMap((metric) => {
    const fresh = random.whole(1, 2);
    return Array.from({ length: fresh + BASE_DAYS }, (_, index): GrowthDay => {
      const at = index < fresh ? start + random.whole(30, 70) * unit : start - DAY;
      const restated = random.chance(index < fresh ? 0.5 : 0.15)
        ? { at: Math.max(at, start + 40 * unit) + random.whole(10, 180) * unit, to: next() }
        : undefined;
      return { project, metric, day: dayBefore(index + 1), at, value: next(), restated: restated === undefined ? [] : [restated] };
    });
  });
}

/** A restated day once or twice more, also sooner than the pause after its correction is over. */
function restatedAgain(growth: readonly GrowthDay[], { again, unit }: From): readonly GrowthDay[] {
  if (unit > SECOND || !again.chance(0.5)) return growth;
  const chosen = growth.find(({ restated }) => restated.length > 0);
  let value = Math.max(...growth.flatMap((one) => [one.value, ...one.restated.map(({ to }) => to)]));
  return growth.map((one) => {
    const [first] = one.restated;
    if (one !== chosen || first === undefined) return one;
    const restated = [first];
    let { at } = first;
    for (let times = again.whole(1, 2); times > 0; times -= 1) {
      at += again.whole(60, 260) * unit;
      value += again.whole(1, 40);
      restated.push({ at, to: value });
    }
    return { ...one, restated };
  });
}

/** Passed by its cliff first, then one after another. */
function tranchesOf({ random, start, unit, project }: From): readonly Tranche[] {
  const cliffAt = start + random.whole(20, 50) * unit;
  return Array.from({ length: random.whole(1, 3) }, (_, order) => ({
    ...{ project, order, cliffAt, at: cliffAt + random.whole(1, 40) * unit },
    state: random.pick(['cliff-twap-pending', 'unlocked'] as const),
  }));
}

const NAV = 10_000_000;
/** Of the one before, in percent; some of them only together far enough. */
const STEPS = [3, -3, 7, -7, 12] as const;
/** Longer than a cooldown and the time until a check. */
const STEP = 24;

function navsOf({ random, start, unit, project }: From): readonly Nav[] {
  const values = [NAV];
  return Array.from({ length: 4 }, (_, index) => {
    const last = values.at(-1) ?? NAV;
    const possible = STEPS.map((step) => Math.round((last * (100 + step)) / 100));
    // A text shows three digits.
    const dollars = random.pick(possible.filter((one) => values.every((other) => Math.abs(one / other - 1) > 0.015)));
    values.push(dollars);
    return { project, at: start + ((index + 0.5) * STEP + random.whole(0, 3)) * unit, dollars };
  });
}

const moveOf = (chat: Address, { start, unit, project }: From): readonly Timed[] => [
  { kind: 'ask', chat, at: start + unit, ask: { kind: 'move', project, percent: MOVE } },
];
const MOVE = 5;
