/** This feed watches vesting tranches (§4.5, §2.11): their state, cliff, and a price near a threshold. */
import { z } from 'zod';
import { performancePackage, trancheLadder, unlockSchedule, type Cliff } from '../analytics/endpoints/holders.js';
import { AnalyticsError } from '../analytics/errors.js';
import { isPast, ladderOf, twapNow, type LadderTranche } from '../analytics/tranche-ladder.js';
import { DAY, later } from '../base/clock.js';
import type { Tone } from '../chat/reply.js';
import { compare, isNegative, isZero } from '../domain/decimal.js';
import { tokens, price, share } from '../domain/format.js';
import { decimal, decimalSchema, instantSchema, type Instant } from '../domain/scalars.js';
import { REMINDER_STAGE } from '../domain/reminder.js';
import { offered, unoffered, type AlertKind } from './alert-kind.js';
import { defineFeed, type Snapshot, type FoundEvent, type PriorityWindow, type Subject } from './feed.js';
import { projectOf } from './check-subject.js';
import { SAMPLE } from '../domain/sample-project.js';
import { oneLine } from './date-phrases.js';

/** Percent by which the price must rise to the threshold. Up to `NEAR` it is near, above `AWAY` it is not; in between nothing changes. */
const NEAR = decimal('10');
const AWAY = decimal('15');

const IN_SIGHT = 7 * DAY;

const knownSchema = z.object({
  /** The current state; `states` has all that were seen. */
  state: z.string().optional(),
  states: z.array(z.string()).readonly(),
  past: z.boolean().optional(),
  near: z.boolean().optional(),
  crossings: z.int(),
});
type Known = z.infer<typeof knownSchema>;

const watermarkSchema = z.object({
  tranches: z.record(z.string(), knownSchema),
  /** Cliffs that were alerted, or had passed at the first check. */
  cliffs: z.array(z.string()).readonly(),
});

const factsSchema = z.object({
  name: z.string(),
  symbol: z.string().optional(),
  /** 0 is the tranche that unlocks first. Absent for a cliff. */
  order: z.int().optional(),
  tokens: decimalSchema.optional(),
  was: z.string().optional(),
  state: z.string().optional(),
  cliffAt: instantSchema.optional(),
  threshold: decimalSchema.optional(),
  twap: decimalSchema.optional(),
  distance: decimalSchema.optional(),
});
type Facts = z.infer<typeof factsSchema>;

export interface Ladder {
  readonly rungs: readonly LadderTranche[];
  /** The time-weighted price in USD. */
  readonly twap: Facts['twap'];
  readonly at: Instant;
}

const alerts: AlertKind<Facts> = {
  words: ['tranche changed', 'tranches changed'],
  rank: 'unlock',
  stages: {
    state: offered('unlock', 'tranche changed', 'tranches changed'),
    cliff: offered('soon', 'cliff passed', 'cliffs passed'),
    near: offered('unlock', 'price near an unlock', 'prices near an unlock'),
    [REMINDER_STAGE]: unoffered('soon', 'reminder', 'reminders'),
  },
  stageGroups: { unlock: ['state'] },
  filters: ['stages', 'remind'],
  measures: [],
  defaultRules: [],
  important: { says: 'unlocks', filters: { stages: ['unlock', 'cliff'] }, thresholds: [] },
  most: { says: 'unlocks', filters: {}, thresholds: [] },
  sound: 'rings',
  size: () => ({ noun: 'change' }),
  offers: { example: 'stages:cliff,near', hint: 'stages cliff, near', percents: [], thresholds: [], moves: [] },
};

export const vesting = defineFeed({
  id: 'vesting',
  summary: 'team tranches unlocked, cliffs passed and prices near an unlock',
  order: 80,
  alerts,
  scope: 'project',
  every: 10,
  data: 'state',
  watermark: watermarkSchema,
  facts: factsSchema,

  async read(subject, { analytics, options }): Promise<Snapshot<Ladder>> {
    const input = { slug: projectOf(subject).slug };
    const { data, at } = await analytics.call(trancheLadder, input, options);
    // Read the package only if a tranche lacks its cliff, and the price only while a tranche is locked.
    const [box, schedule] = await Promise.all([
      data.rows.some(({ cliff }) => cliff === undefined) ? part(analytics.call(performancePackage, input, options)) : undefined,
      ladderOf(data.rows, undefined).some(({ unlocked }) => !unlocked) ? part(analytics.call(unlockSchedule, input, options)) : undefined,
    ]);
    const twap = twapNow(schedule?.data.rows ?? [], at)?.twap;
    const rungs = ladderOf(data.rows, twap).map((rung) => ({ ...rung, cliff: rung.cliff ?? box?.data.cliff }));
    return { data: { rungs, twap, at }, at, complete: true, hidden: 0, broken: data.broken };
  },

  history: { unavailable: 'The service shows tranches as they are now and has no history of them.' },

  diff(subject, before, { data: { rungs, twap, at } }) {
    const tranches = new Map(Object.entries(before?.tranches ?? {}));
    const cliffs = new Set(before?.cliffs);
    const events: FoundEvent<Facts>[] = [];
    for (const rung of rungs.toSorted(inOrder)) {
      const key = String(rung.order);
      const known = tranches.get(key);
      const now = seen(known, rung, at);
      tranches.set(key, now);
      const cliff = cliffKey(rung.cliff);
      const passed = known?.past === false && now.past === true && !cliffs.has(cliff);
      if (passed || (before === undefined && now.past === true)) cliffs.add(cliff);
      if (known === undefined) continue;
      const { order, tokens, threshold, distance, state } = rung;
      const facts = { order, tokens, threshold, twap, distance };
      if (passed)
        events.push(
          eventOf(subject, { id: `cliff/${cliff}`, stage: 'cliff', at: dateOf(rung.cliff, at), facts: { cliffAt: rung.cliff?.at } }),
        );
      if (state !== undefined && known.state !== undefined && !known.states.includes(state))
        events.push(eventOf(subject, { id: `${key}/${state}`, stage: 'state', facts: { ...facts, was: known.state, state } }));
      if (now.crossings > known.crossings) events.push(eventOf(subject, { id: `${key}/near/${now.crossings}`, stage: 'near', facts }));
    }
    return { watermark: { tranches: Object.fromEntries(tranches), cliffs: [...cliffs] }, events };
  },

  priorityWindows: ({ rungs, at }) => {
    const locked = rungs.filter(({ unlocked }) => !unlocked);
    const ahead = new Set(locked.flatMap(({ cliff }) => (cliff?.at !== undefined && isPast(cliff, at) !== true ? [cliff.at] : [])));
    const cliffs = [...ahead]
      .filter((moment) => moment <= later(at, IN_SIGHT))
      .map((endsAt): PriorityWindow => ({ kind: 'vesting', endsAt }));
    return locked.some(({ distance, reached }) => reached === false && isNear(distance) === true)
      ? [...cliffs, { kind: 'vesting' }]
      : cliffs;
  },

  dates: (subject, { data: { rungs, at } }) => {
    const { slug, name, symbol } = projectOf(subject);
    const ahead = new Map<Instant, number>();
    for (const { order, cliff, unlocked } of rungs.toSorted(inOrder))
      if (!unlocked && cliff?.at !== undefined && isPast(cliff, at) !== true && !ahead.has(cliff.at)) ahead.set(cliff.at, order);
    return [...ahead].map(([cliffAt, order]) => {
      // The topic of a cliff has the number of its first tranche, because the time may move.
      const topic = `vesting/${slug}/cliff/${order}`;
      return { topic, what: 'cliff' as const, at: cliffAt, title: name, project: slug, facts: { name, symbol, cliffAt } };
    });
  },

  content({ facts, stage, project }) {
    const { name, symbol = 'tokens', order, tokens: size, state, was, cliffAt, threshold, twap, distance } = facts;
    const which = order === undefined ? 'tranche' : `tranche ${order + 1}`;
    const details = oneLine([
      ...(threshold === undefined ? [] : [[`unlocks at ${price(threshold)}`]]),
      ...(threshold === undefined || twap === undefined ? [] : [[`TWAP ${price(twap)}`]]),
      ...(size === undefined ? [] : [[`${tokens(size)} ${symbol}`]]),
    ]);
    const about = { about: name, actions: [{ label: 'Vesting', line: `/vesting ${project}` }] };
    if (stage === 'cliff')
      return {
        ...about,
        tone: 'warning',
        headline: [{ strong: `${name}'s team passed its vesting cliff` }],
        details: [
          ...(cliffAt === undefined ? [] : [['Cliff: ', { at: cliffAt }]]),
          ['From now on a tranche unlocks when its price is reached'],
        ],
      };
    if (stage === 'near')
      return {
        ...about,
        tone: 'warning',
        headline: [{ strong: `${name}'s ${which} ${distanceText(distance)}` }],
        details,
      };
    return {
      ...about,
      tone: TONE_OF[state?.toLowerCase() ?? ''] ?? 'plain',
      headline: [{ strong: `${name}'s ${which} is now ${wordsOf(state)}` }, ` (was ${wordsOf(was)})`],
      details,
    };
  },

  sample: () =>
    eventOf(SAMPLE, {
      id: '1/near/1',
      stage: 'near',
      facts: { order: 1, tokens: decimal('2580000'), threshold: decimal('0.9'), twap: decimal('0.828'), distance: decimal('8.7') },
    }),
});

const TONE_OF: Readonly<Record<string, Tone>> = { unlocked: 'live', 'cliff-twap-pending': 'warning' };
const WORDS_OF: Readonly<Record<string, string>> = {
  unlocked: 'unlocked',
  locked: 'locked',
  'cliff-twap-pending': 'past its cliff, waiting for its price',
};
const wordsOf = (state: string | undefined): string => WORDS_OF[state?.toLowerCase() ?? ''] ?? `"${state}"`;

const distanceText = (distance: Facts['distance']): string => {
  if (distance === undefined) return 'is near its unlock price';
  return isNegative(distance) || isZero(distance) ? 'reached its unlock price' : `is ${share(distance)} from its unlock price`;
};

const inOrder = (a: LadderTranche, b: LadderTranche): number =>
  a.order - b.order || JSON.stringify(a).localeCompare(JSON.stringify(b), 'en');

const cliffKey = (cliff: Cliff | undefined): string => String(cliff?.at ?? 'undated');
const dateOf = (cliff: Cliff | undefined, now: Instant): Instant | undefined =>
  cliff?.at !== undefined && cliff.at <= now ? cliff.at : undefined;

/** Tells whether the price is near the tranche's threshold; undefined between the bounds or without a price. */
function isNear(distance: LadderTranche['distance']): boolean | undefined {
  if (distance === undefined) return undefined;
  if (compare(distance, NEAR) <= 0) return true;
  return compare(distance, AWAY) > 0 ? false : undefined;
}

function seen(known: Known | undefined, rung: LadderTranche, at: Instant): Known {
  const { state, distance, unlocked } = rung;
  // An unlocked tranche counts as near. A first check between the two bounds counts as away, because no alert was sent yet.
  const near = unlocked ? true : (isNear(distance) ?? known?.near ?? (distance === undefined ? undefined : false));
  return {
    state: state ?? known?.state,
    states: [...new Set([...(known?.states ?? []), ...(state === undefined ? [] : [state])])].toSorted(),
    past: isPast(rung.cliff, at) ?? known?.past,
    near,
    crossings: (known?.crossings ?? 0) + (known?.near === false && near === true && !unlocked ? 1 : 0),
  };
}

function eventOf(
  subject: Subject,
  of: { readonly id: string; readonly stage: string; readonly at?: Instant | undefined; readonly facts: Omit<Facts, 'name' | 'symbol'> },
): FoundEvent<Facts> {
  const { slug, name, symbol } = projectOf(subject);
  const id = `vesting/${slug}/${of.id}`;
  return { id, topic: id, stage: of.stage, project: slug, occurredAt: of.at, facts: { name, symbol, ...of.facts } };
}

/** Returns undefined if the request fails: the watermark then keeps its values. */
async function part<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (cause) {
    if (cause instanceof AnalyticsError) return undefined;
    throw cause;
  }
}
