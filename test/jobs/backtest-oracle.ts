/** When rules would have alerted, computed from the raw responses of the service with floats and loops. It shares no code with the evaluation. */

const HOURS = 3_600_000;
const DAYS = 24 * HOURS;

type Raw = Readonly<Record<string, unknown>>;

export interface RawService {
  /** All rows of a list. */
  rows(path: string): Promise<readonly Raw[]>;
  data(path: string): Promise<Raw>;
}

export interface Verdict {
  /** Moments of the alerts, oldest first. */
  readonly alerts: readonly number[];
  /** Events that are wanted but have no date. */
  readonly undated: number;
}

const dateIn = (row: Raw, ...names: readonly string[]): number | undefined => {
  for (const name of names) {
    const text = row[name];
    if (typeof text === 'string') return Date.parse(text);
  }
  return undefined;
};
const wordIn = (row: Raw, name: string): string => (typeof row[name] === 'string' ? row[name].toLowerCase() : '');
const numberIn = (row: Raw, name: string): number | undefined =>
  row[name] === null || row[name] === undefined ? undefined : Number(row[name]);

const STATE_OF: Readonly<Record<string, string>> = {
  initiated: 'draft',
  draft: 'draft',
  live: 'live',
  pending: 'live',
  passed: 'passed',
  approved: 'passed',
  failed: 'failed',
  rejected: 'failed',
  removed: 'removed',
};

/** The stage alone, of every proposal that the service lists for the project. */
export async function proposalAlerts(
  service: RawService,
  slug: string,
  { stages, now }: { stages: readonly string[]; now: number },
): Promise<Verdict> {
  const markets = new Map((await service.rows('/v1/global-dashboard/decision-markets?')).map((row) => [row['publicKey'], row]));
  const current = new Map(
    (await service.rows('/v1/global-dashboard/projects/decision-markets?')).map((row) => [row['proposalPublicKey'], row]),
  );
  const alerts: number[] = [];
  let undated = 0;
  for (const row of await service.rows(`/v1/proposal?slug=${slug}`)) {
    const market = markets.get(row['publicKey']) ?? {};
    const shown = current.get(row['publicKey']) ?? {};
    const word = wordIn(row, 'status') === 'resolved' ? wordIn(row, 'result') : wordIn(row, 'status') || wordIn(row, 'state');
    const state = STATE_OF[word] ?? 'unknown';
    const created = dateIn(row, 'creationDate') ?? dateIn(shown, 'proposalCreationDate');
    const start = dateIn(row, 'startDate') ?? dateIn(shown, 'proposalStartDate') ?? dateIn(market, 'startDate');
    const end = dateIn(row, 'endDate') ?? dateIn(market, 'endDate');
    const traded = Number(row['totalTrade']) > 0;
    const wasMarket = state === 'live' || state === 'passed' || state === 'failed';
    const reached: (readonly [stage: string, at: number | undefined])[] = [['created', created]];
    if (wasMarket || (state === 'removed' && traded)) reached.push(['live', start]);
    if (wasMarket) {
      reached.push(['twap', dateIn(shown, 'twapStartDate')]);
      reached.push(['ending', start === undefined || end === undefined ? undefined : end - Math.min(12 * HOURS, (end - start) / 4)]);
    }
    if (state === 'passed' || state === 'failed') reached.push([state, end]);
    if (state === 'removed') reached.push([state, end === undefined ? undefined : Math.min(end, now)]);
    for (const [stage, at] of reached) {
      if (!stages.includes(stage)) continue;
      if (at === undefined) undated += Math.min(end ?? now, now) >= now - 365 * DAYS ? 1 : 0;
      else if (at <= now && at >= now - 365 * DAYS) alerts.push(at);
    }
  }
  return { alerts: alerts.toSorted((a, b) => a - b), undated };
}

interface Point {
  readonly at: number;
  readonly value: number;
}

/** The last row of each UTC day of the chart, oldest first. */
async function chartDays(
  service: RawService,
  slug: string,
): Promise<readonly { at: number; price: number; navPerShare: number; nav: number }[]> {
  const byDay = new Map<number, { at: number; price: number; navPerShare: number; nav: number }>();
  const rows = (await service.rows(`/v1/dao/treasury/nav-as-chart?slug=${slug}&range=ALL`)).flatMap((row) => {
    const [at, price, navPerShare, supply] = [
      dateIn(row, 'timestamp'),
      numberIn(row, 'tokenPrice'),
      numberIn(row, 'navPerAdjustedShare'),
      numberIn(row, 'adjustedSupply'),
    ];
    return at === undefined || price === undefined || navPerShare === undefined || supply === undefined
      ? []
      : [{ at, price, navPerShare, nav: navPerShare * supply }];
  });
  for (const row of rows.toSorted((a, b) => a.at - b.at)) byDay.set(Math.floor(row.at / DAYS), row);
  return [...byDay.values()];
}

export type Measured = 'premium' | 'price' | 'price24h' | 'nav';

export async function seriesOf(service: RawService, slug: string, measure: Measured): Promise<readonly Point[]> {
  const days = await chartDays(service, slug);
  const points: Point[] = [];
  for (const { at, price, navPerShare, nav } of days) {
    if (measure === 'premium') points.push({ at, value: ((price - navPerShare) / navPerShare) * 100 });
    if (measure === 'price') points.push({ at, value: price });
    if (measure === 'nav') points.push({ at, value: nav });
    if (measure === 'price24h') {
      const [before] = days
        .filter((one) => one.at <= at - HOURS)
        .toSorted((a, b) => Math.abs(at - DAYS - a.at) - Math.abs(at - DAYS - b.at));
      if (before !== undefined && Math.abs(at - DAYS - before.at) <= 6 * HOURS)
        points.push({ at, value: ((price - before.price) / before.price) * 100 });
    }
  }
  return points;
}

export type OracleRule =
  | { readonly when: 'above' | 'below'; readonly level: number; readonly band: number }
  | { readonly when: 'move'; readonly by: number; readonly in: 'percent' | 'difference' }
  /** `apart`: how much further a second extreme of the same side must be, of the last one. */
  | { readonly when: 'extreme'; readonly days: number; readonly apart: (last: number) => number }
  | { readonly when: 'z-score'; readonly least: number };

/** The rule begins with the first value of the year, which alerts of nothing. */
export function valueAlerts(all: readonly Point[], rule: OracleRule, now: number): Verdict {
  const year = all.filter(({ at }) => at >= now - 365 * DAYS && at <= now);
  const [first, ...others] = year;
  const alerts: number[] = [];
  if (first === undefined) return { alerts, undated: 0 };
  if (rule.when === 'above' || rule.when === 'below') {
    const sign = rule.when === 'above' ? 1 : -1;
    let armed = (first.value - rule.level) * sign <= 0;
    for (const { at, value } of others) {
      const beyond = (value - rule.level) * sign;
      if (beyond <= -rule.band) armed = true;
      if (beyond > 0 && armed) {
        alerts.push(at);
        armed = false;
      }
    }
  }
  if (rule.when === 'move') {
    let from = first.value;
    for (const { at, value } of others) {
      const moved = rule.in === 'percent' ? ((value - from) / Math.abs(from)) * 100 : value - from;
      if (value === from || Math.abs(moved) < rule.by) continue;
      alerts.push(at);
      from = value;
    }
  }
  if (rule.when === 'extreme') {
    let last: (Point & { readonly side: number }) | undefined;
    for (const { at, value } of year) {
      const isFirst = at === first.at;
      const since = at - rule.days * DAYS;
      const earlier = all.filter((one) => one.at < at);
      const window = earlier.filter((one) => one.at >= since).map((one) => one.value);
      const isCovered = earlier.some((one) => one.at <= since + DAYS);
      if (!isCovered || window.length === 0) continue;
      const [least, most] = [Math.min(...window), Math.max(...window)];
      const side = value > most || (isFirst && value === most) ? 1 : value < least || (isFirst && value === least) ? -1 : 0;
      if (side === 0) continue;
      const isNear = last?.side === side && last.at >= since && Math.abs(value - last.value) < rule.apart(last.value);
      if (isNear) continue;
      last = { at, value, side };
      if (!isFirst) alerts.push(at);
    }
  }
  if (rule.when === 'z-score') {
    let armed = true;
    let lastSide = 0;
    for (const { at, value } of year) {
      const past = all.filter((one) => one.at < at && one.at >= at - 365 * DAYS).map((one) => one.value);
      if (past.length < 30) continue;
      const mean = past.reduce((sum, one) => sum + one, 0) / past.length;
      const deviation = Math.sqrt(past.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (past.length - 1));
      if (deviation === 0) continue;
      const z = (value - mean) / deviation;
      const side = Math.abs(z) < rule.least ? 0 : Math.sign(z);
      if (Math.abs(z) <= rule.least - 0.5) armed = true;
      if (side !== 0 && side !== lastSide && lastSide !== 0) armed = true;
      if (side === 0 || !armed) continue;
      if (at !== first.at) alerts.push(at);
      armed = false;
      lastSide = side;
    }
  }
  return { alerts, undated: 0 };
}

/** Of each metric from its second value on: the larger of its changes against the day before and the mean of the seven before. */
export async function growthAlerts(
  service: RawService,
  slug: string,
  { percent, now }: { percent: number; now: number },
): Promise<Verdict> {
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const feed = await service.data(`/v1/growth-feed?slug=${slug}&from=${day(now - 365 * DAYS)}&to=${day(now - DAYS)}`);
  const alerts: number[] = [];
  for (const metric of feed['metrics'] as readonly Raw[]) {
    const values = new Map(
      (metric['observations'] as readonly Raw[])
        .filter(({ value }) => value !== null)
        .map((one) => [Date.parse(String(one['date']).slice(0, 10)), Number(one['value'])]),
    );
    const days = [...values.keys()].toSorted((a, b) => a - b);
    for (const at of days.slice(1)) {
      const value = values.get(at) ?? 0;
      const yesterday = values.get(at - DAYS);
      const week: number[] = [];
      for (let back = 1; back <= 7; back += 1) {
        const earlier = values.get(at - back * DAYS);
        if (earlier !== undefined) week.push(earlier);
      }
      const compared = [...(yesterday === undefined ? [] : [yesterday])];
      if (week.length > 0) compared.push(week.reduce((sum, one) => sum + one, 0) / week.length);
      const changes = compared.map((before) =>
        before === 0 ? (value === 0 ? 0 : Infinity) : (Math.abs(value - before) / Math.abs(before)) * 100,
      );
      // Without anything to compare with the size is unknown, and passes.
      if (changes.length === 0 || Math.max(...changes) >= percent) alerts.push(at + DAYS);
    }
  }
  return { alerts: alerts.filter((at) => at >= now - 365 * DAYS).toSorted((a, b) => a - b), undated: 0 };
}

interface Sizes {
  readonly usd?: number;
  readonly percent?: number;
  /** One of the two is enough. */
  readonly either?: boolean;
  readonly types?: readonly string[];
  readonly now: number;
}

/** Of mints and burns, or of movements. */
export async function ledgerAlerts(
  service: RawService,
  path: string,
  { usd, percent, either = false, types, now }: Sizes,
): Promise<Verdict> {
  const alerts: number[] = [];
  let undated = 0;
  for (const row of await service.rows(path)) {
    if (types !== undefined && !types.includes(wordIn(row, 'type'))) continue;
    const [value, change] = [numberIn(row, 'usdValue'), numberIn(row, 'change')];
    const isSmall = usd !== undefined && value !== undefined && Math.abs(value) < usd;
    const isThin = percent !== undefined && change !== undefined && Math.abs(change) < percent;
    if (either ? isSmall && isThin : isSmall || isThin) continue;
    const at = dateIn(row, 'timestamp');
    if (at === undefined) undated += 1;
    else if (at <= now && at >= now - 365 * DAYS) alerts.push(at);
  }
  return { alerts: alerts.toSorted((a, b) => a - b), undated };
}
