/** What should have been alerted in the month, by the truth alone, and what became of it; it knows messages, not the bot. */
import { DAY, HOUR } from '../../../src/base/clock.js';
import type { DeliveredEvent } from '../../../src/chat/notifier.js';
import { END, START, STEP, figuresAt, supplyAt, type Figures, type Market, type Month, type Project } from './truth.js';

export const KINDS = ['premium', 'supply', 'proposals', 'launches', 'runway', 'other'] as const;
export type Kind = (typeof KINDS)[number];

/** Something that a chat with Most and a rule at -10 percent waits for. */
export interface Happening {
  readonly kind: Kind;
  readonly at: number;
  /** From then on nobody can find it any more. */
  readonly until: number;
  readonly feed: string;
  readonly project: string;
  /** Whether a message is about it. */
  readonly is: (event: Reported) => boolean;
  /** Of a market of three days. */
  readonly isOfMarket: boolean;
}

export interface Reported extends Pick<DeliveredEvent, 'id' | 'feed' | 'stage' | 'topic' | 'facts'> {
  readonly project: string;
  readonly detectedAt: number;
  /** When a chat had it, and which. */
  readonly at: number;
  readonly chat: string;
  readonly isEdit: boolean;
}

/** Levels of premium: those of the presets, and a rule of the chat. */
const PREMIUMS = [
  { level: 0, band: 1 },
  { level: -10, band: 1 },
] as const;
const RUNWAY = { level: 6, band: 0.5 };
const LEAST_USD = 1_000;
/** Then the first checks have run. */
const FIRST_CHECKS = HOUR;

interface Stretch {
  readonly from: number;
  readonly until: number;
}

/** When a figure was on the other side of a level, having been beyond its band before. */
function crossings(figures: readonly Figures[], of: (one: Figures) => number, { level, band }: { level: number; band: number }) {
  const found: (Stretch & { readonly isAbove: boolean })[] = [];
  for (const isAbove of [true, false]) {
    const sign = isAbove ? 1 : -1;
    let isArmed = false;
    let from: number | undefined;
    for (const [step, one] of figures.entries()) {
      const distance = sign * (of(one) - level);
      const now = START + step * STEP;
      if (distance <= 0 && from !== undefined) {
        found.push({ from, until: now, isAbove });
        from = undefined;
      }
      if (distance < -band) isArmed = true;
      if (distance > 0 && isArmed) [isArmed, from] = [false, now];
    }
    if (from !== undefined) found.push({ from, until: END, isAbove });
  }
  return found;
}

const marketStages = ({ createdAt, liveAt, twapAt, endsAt, result }: Market) => [
  { stage: 'created', at: createdAt, until: END },
  { stage: 'live', at: liveAt, until: END },
  { stage: 'twap', at: twapAt, until: endsAt },
  { stage: 'ending', at: endsAt - 12 * HOUR, until: endsAt },
  { stage: result, at: endsAt, until: END },
];

const sameId = (event: Pick<Reported, 'id'>, id: number): boolean => event.id.split('/').at(-1) === String(id);

function ofProject(project: Project): readonly Happening[] {
  const { slug } = project;
  const from = (kind: Kind, feed: string, more: Pick<Happening, 'at' | 'is'> & Partial<Happening>): Happening => ({
    ...{ kind, feed, project: slug, until: END, isOfMarket: false },
    ...more,
  });
  const within = ({ from: at, until }: Stretch) => ({
    at,
    until,
    is: ({ detectedAt }: Reported) => detectedAt >= at && detectedAt < until,
  });
  const gap = ({ premium }: Figures): number => Number(premium);
  const months = ({ runway }: Figures): number => Number(runway);
  const large = ({ usd }: { readonly usd: number }): boolean => usd >= LEAST_USD;
  return [
    ...PREMIUMS.flatMap((rule) => crossings(project.figures, gap, rule)).map((one) => from('premium', 'premium', within(one))),
    ...crossings(project.figures, months, RUNWAY)
      .filter(({ isAbove }) => !isAbove)
      .map((one) => from('runway', 'treasury', within(one))),
    ...project.supply.filter(large).map(({ id, at }) => from('supply', 'supply', { at, is: (event) => sameId(event, id) })),
    ...project.movements.filter(large).map(({ id, at }) => from('other', 'movements', { at, is: (event) => sameId(event, id) })),
    ...project.markets.flatMap((market) =>
      marketStages(market).map(({ stage, at, until }) =>
        from('proposals', 'proposals', {
          at,
          until,
          isOfMarket: true,
          is: (event) => event.topic.endsWith(market.key) && event.stage === stage,
        }),
      ),
    ),
    ...project.growth.map((at, day) => from('other', 'growth', { at, is: ({ facts }) => facts['value'] === String(100 + day) })),
  ];
}

const ofLaunches = ({ launches }: Month): readonly Happening[] =>
  launches.flatMap(({ title, createdAt, liveAt, minimumAt, endsAt, result }) => {
    const stages = [
      { stage: 'new', at: createdAt, until: END },
      { stage: 'live', at: liveAt, until: END },
      ...(minimumAt === undefined ? [] : [{ stage: 'minimum', at: minimumAt, until: END }]),
      { stage: 'ending', at: endsAt - 6 * HOUR, until: endsAt },
      { stage: result, at: endsAt, until: END },
    ];
    return stages.map(({ stage, at, until }): Happening => {
      const is = (event: Reported): boolean => event.topic.endsWith(`${title}Launch`) && event.stage === stage;
      return { kind: 'launches', feed: 'launches', project: 'all', at, until, is, isOfMarket: false };
    });
  });

/** What happened in the month until `end`. */
export function happeningsOf(month: Month, end: number): readonly Happening[] {
  const ofTranches = month.tranches.map(({ project, order, at }): Happening => {
    const is = (event: Reported): boolean => event.stage === 'state' && event.facts['order'] === order;
    return { kind: 'other', feed: 'vesting', project, at, until: END, is, isOfMarket: false };
  });
  return [...month.projects.flatMap(ofProject), ...ofLaunches(month), ...ofTranches].filter(
    ({ at }) => at >= START + FIRST_CHECKS && at < end,
  );
}

export interface Judged {
  /** Milliseconds until the first alert; infinite for what was missed. What has no alert yet in the last day is left out. */
  readonly delays: ReadonlyMap<Kind, readonly number[]>;
  /** Not alerted while it could be found, or by the end of the month a day later. */
  readonly missed: ReadonlyMap<Kind, number>;
  readonly counts: ReadonlyMap<Kind, number>;
  readonly marketEvents: number;
  readonly marketEventsMissed: number;
  readonly wrong: readonly string[];
  readonly doubled: readonly string[];
}

/** `end`: how far the month was played. */
export function judge(month: Month, reports: readonly Reported[], end: number): Judged {
  const byFeed = new Map<string, Reported[]>();
  for (const report of reports) {
    const key = `${report.feed}/${report.feed === 'launches' ? 'all' : report.project}`;
    byFeed.set(key, [...(byFeed.get(key) ?? []), report]);
  }
  const [delays, missed, counts] = [new Map<Kind, number[]>(), new Map<Kind, number>(), new Map<Kind, number>()];
  const add = (to: Map<Kind, number>, kind: Kind): void => void to.set(kind, (to.get(kind) ?? 0) + 1);
  let [marketEvents, marketEventsMissed] = [0, 0];
  for (const happening of happeningsOf(month, end)) {
    const { kind, at, until, feed, project, is, isOfMarket } = happening;
    const alerted = (byFeed.get(`${feed}/${project}`) ?? []).filter((report) => report.at >= at && is(report)).map((report) => report.at);
    const isGone = alerted.length === 0 && (until < end || at < end - DAY);
    add(counts, kind);
    if (isOfMarket) marketEvents += 1;
    if (isGone) {
      add(missed, kind);
      if (isOfMarket) marketEventsMissed += 1;
    }
    if (isGone || alerted.length > 0) delays.set(kind, [...(delays.get(kind) ?? []), Math.min(...alerted) - at]);
  }
  const wrong = reports.flatMap((report) => contradiction(month, report) ?? []);
  return { delays, missed, counts, marketEvents, marketEventsMissed, wrong, doubled: doubledIn(reports) };
}

/** The same event in two messages of a chat; an edit is no second message. */
function doubledIn(reports: readonly Reported[]): readonly string[] {
  const seen = new Set<string>();
  const doubled: string[] = [];
  for (const { chat, id, isEdit } of reports) {
    if (isEdit) continue;
    const key = `${chat} ${id}`;
    if (seen.has(key)) doubled.push(key);
    seen.add(key);
  }
  return doubled;
}

/** Why the figures of a message contradict the truth when they were read; undefined: they do not. */
function contradiction(month: Month, report: Reported): string | undefined {
  const { feed, stage, facts, project: slug, topic, detectedAt, id } = report;
  const project = month.projects.find((one) => one.slug === slug);
  const says = (what: string): string => `${new Date(detectedAt).toISOString()} ${id}: ${what}`;
  if (feed === 'launches') {
    const known = ofLaunches(month).some((one) => one.at <= detectedAt && one.is(report));
    return known ? undefined : says(`a launch is not ${stage}`);
  }
  if (project === undefined) return says('no such project');
  switch (feed) {
    case 'premium':
    case 'treasury': {
      const truths = [figuresAt(project, detectedAt), figuresAt(project, detectedAt - STEP)];
      const names = feed === 'premium' ? (['price', 'navPerShare'] as const) : (['runway', 'allowance'] as const);
      const isTrue = truths.some((truth) =>
        names.every((name) => facts[name] === undefined || Number(facts[name]) === Number(truth[name])),
      );
      return isTrue ? undefined : says(`${names.map((name) => String(facts[name])).join(', ')} was never so`);
    }
    case 'supply': {
      const row = project.supply.find((one) => sameId(report, one.id));
      const isTrue = row !== undefined && row.at <= detectedAt && Number(facts['supplyAfter']) === supplyAt(project, row.at);
      return isTrue ? undefined : says(`${String(facts['amount'])}, supply ${String(facts['supplyAfter'])}`);
    }
    case 'proposals': {
      const market = project.markets.find(({ key }) => topic.endsWith(key));
      const isTrue = market !== undefined && marketStages(market).some((one) => one.stage === stage && one.at <= detectedAt);
      return isTrue ? undefined : says(`a market is not ${stage}`);
    }
    default:
      return undefined;
  }
}
