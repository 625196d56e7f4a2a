/** /status: the state of the bot. */
import { z } from 'zod';
import { both, capitalised, several } from '../src/base/sentence-lists.js';
import { listName } from '../src/alerts/explanation/explain.js';
import { clockDoubtLine } from '../src/chat/clock-doubt.js';
import { reply, type Line, type Reply } from '../src/chat/reply.js';
import { counted, figuresOf, line, missingReason, pauseLine, right, staleReason, tableOf, type Figure } from '../src/reply/index.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Status } from '../src/dispatch/context.js';
import { duration } from '../src/domain/format.js';
import type { Instant } from '../src/domain/scalars.js';

export default defineCommand({
  name: 'status',
  summary: 'State of the bot, the data and the API budget',
  group: 'bot',
  audience: 'asker',
  args: z.object({}),
  examples: ['/status'],
  phrases: {
    '/status': `status | are you working | is the data stale | bot status | is the bot working | is the bot lagging | is your data up to date |
      are you even working nothing came since yesterday | are you online | is data stale or what | how many requests are left | api
      budget | figures look stale | does the bot function or is it broken | when was the data last updated | are you alive`,
  },

  async run(_, { status, operator, now }) {
    const state = await status();
    const problems = problemsOf(state, now);
    if (!operator) return inShort(state, problems, now);
    const { unknownProjects = [] } = state;
    if (unknownProjects.length > 0)
      problems.push([`PROJECTS names ${both(unknownProjects)}, which the service doesn't list. Correct it and restart.`]);
    if (state.log.failing) problems.push(['Log lines are being lost.']);
    const isPlanned = state.feeds.some(({ expected }) => expected !== undefined);
    return reply({
      tone: problems.length === 0 ? 'plain' : 'warning',
      finding: findingOf(state, problems),
      blocks: [
        figuresOf([
          ['service', serviceSays(state.service, now)],
          ...state.platforms.map(({ name, ok, says }): Figure => [capitalised(name), `${ok ? '' : '⚠ '}${says}`]),
          ['database', `${state.store.ok ? '' : '⚠ '}${state.store.says}`],
          logFigure(state.log),
          ['up', duration(now - state.runningSince, 2)],
        ]),
        line(`Data from ${state.service.name}`),
        ...remedyLine(state),
        ...budget(state, now),
        line(
          `Watching ${counted(state.watching.projects, 'project')}${wallets(state)} for ${counted(state.watching.chats, 'chat')} · ${counted(state.deliveries.sent, 'alert')} today, ${state.deliveries.waiting} waiting${oldest(state, now)}`,
        ),
        tableOf(
          ['Checks', right('Watched'), 'Oldest', 'Every', ...(isPlanned ? ['Detected within'] : []), right('Failing')],
          state.feeds
            .filter(({ watched, expected }) => watched > 0 || expected !== undefined)
            .map((feed) => [
              feed.id,
              String(feed.watched),
              feed.oldestCheck === undefined ? 'not yet' : `${duration(now - feed.oldestCheck)} ago`,
              feed.every === undefined ? '' : every(feed.every),
              ...(isPlanned ? [detectedWithin(feed)] : []),
              String(feed.failing),
            ]),
        ),
        { kind: 'list', items: state.gaps.map((gap) => ({ tone: 'warning' as const, line: [gap] })) },
      ],
      actions: [{ label: 'Refresh', line: '/status' }],
    });
  },
});

const LOG_TROUBLES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full, free some space',
  EDQUOT: 'the disk quota is used up, free some space',
  EPIPE: 'its reader is gone, restart the bot with its output connected',
  EAGAIN: 'its reader is too slow or stuck',
};

function logFigure({ count, because: code, failing }: Status['log']): Figure | undefined {
  if (count === 0 || code === undefined) return undefined;
  const why = LOG_TROUBLES[code] ?? code;
  return ['log', failing ? `⚠ ${counted(count, 'line')} lost: ${why}` : `${counted(count, 'line')} lost earlier (${code})`];
}

/** Words the state of the service; unknown if it was never called. */
const well = ({ service }: Status): string =>
  service.ok === undefined ? 'No problems so far. The analytics service has not been called yet.' : 'All systems OK';

function findingOf(state: Status, problems: readonly Line[]): Line {
  const sentences: readonly Line[] = problems.length === 0 ? [[well(state)]] : problems;
  const strong = (sentence: Line): Line => sentence.map((span) => (typeof span === 'string' ? { strong: span } : span));
  return sentences.flatMap((sentence, index) => [...(index === 0 ? [] : [' ']), ...strong(sentence)]);
}

function inShort(state: Status, problems: readonly Line[], now: Instant): Reply {
  return reply({
    tone: problems.length === 0 ? 'plain' : 'warning',
    finding: findingOf(state, problems),
    blocks: [line(`Up ${duration(now - state.runningSince, 2)}${oldest(state, now)}`)],
    actions: [{ label: 'Refresh', line: '/status' }],
  });
}

function problemsOf({ service, platforms, store, feeds, overdue, lateChats, clockDoubt }: Status, now: Instant): Line[] {
  const failing = feeds.filter((feed) => feed.failing > 0).map(({ id, failing: count }) => `${id} (${count})`);
  const sentences: readonly (string | Line)[] = [
    ...serviceProblem(service, now),
    ...platforms.filter(({ ok }) => !ok).map(({ name, problem }) => problem ?? `${capitalised(name)} isn't working.`),
    ...(store.ok ? [] : [store.problem]),
    ...(clockDoubt === undefined ? [] : [clockDoubtLine(clockDoubt)]),
    ...(service.ok !== false && failing.length > 0 ? [`Some checks are failing: ${failing.join(', ')}.`] : []),
    ...lateness(overdue, now),
    ...slowness(feeds),
    ...(lateChats === undefined
      ? []
      : [`Alerts are late in ${counted(lateChats.chats, 'chat')}, the longest by ${duration(now - lateChats.since)}.`]),
  ];
  return sentences.map((sentence) => (typeof sentence === 'string' ? [sentence] : sentence));
}

function serviceProblem({ ok, trouble = 'unreachable', pause }: Status['service'], now: Instant): readonly (string | Line)[] {
  const failing = ok === false && (pause === undefined || trouble !== 'limited') ? [staleReason(trouble)] : [];
  return [...failing, ...(pause === undefined ? [] : [pauseLine(pause, now)])];
}

function lateness(overdue: Status['overdue'], now: Instant): readonly string[] {
  const { late, first } = overdue ?? {};
  return [
    ...(late === undefined ? [] : [`Checks are late: ${late.checks} overdue, the longest by ${duration(now - late.since)}.`]),
    ...(first === undefined ? [] : [`First checks are late: ${first.checks} waiting, the longest for ${duration(now - first.since)}.`]),
  ];
}

const isSlow = ({ expected }: Status['feeds'][number]): boolean => expected !== undefined && expected.within > expected.useful;

/** Lists kinds whose events the plan detects too late for a useful alert. */
function slowness(feeds: Status['feeds']): readonly string[] {
  const slow = feeds.filter(isSlow);
  if (slow.length === 0) return [];
  const paused = slow.filter(({ expected }) => !Number.isFinite(expected?.within));
  if (paused.length > 0) return ['Checks are paused until the API budget has requests left.'];
  return [
    `Alerts can come late on this plan: ${slow.map(({ id, expected }) => `${id} up to ${duration(expected?.within ?? 0, 2)}`).join(', ')}.`,
  ];
}

function slowRemedy({ feeds }: Status): readonly ReturnType<typeof line>[] {
  const slow = feeds.filter((feed) => isSlow(feed) && Number.isFinite(feed.expected?.within));
  if (slow.length === 0) return [];
  const useful = new Map<number, string[]>();
  for (const { id, expected } of slow)
    if (expected !== undefined) useful.set(expected.useful, [...(useful.get(expected.useful) ?? []), id]);
  const parts = [...useful].map(([within, kinds]) => `${duration(within)} for ${both(kinds)}`);
  return [
    line(
      `An alert is of use within ${parts.join(', ')}. Take a larger plan and raise ANALYTICS_REQUESTS_PER_MONTH, or watch fewer projects.`,
    ),
  ];
}

function remedyLine(state: Status): readonly ReturnType<typeof line>[] {
  const { overdue, service } = state;
  if (overdue?.late === undefined && overdue?.first === undefined) return slowRemedy(state);
  if (service.budget.forChecks === 0) return [line('Checks are paused until the API budget has requests left.')];
  return [
    line(
      'Too many checks for the request rate. Raise POLL_MIN_SECONDS, raise ANALYTICS_REQUESTS_PER_SECOND if your plan allows it, or watch less.',
    ),
  ];
}

function serviceSays({ ok, trouble, lastMs, lastOkAt }: Status['service'], now: Instant): string {
  if (ok === undefined) return 'not called yet';
  if (ok) return lastMs === undefined ? 'ok' : `${Math.round(lastMs)} ms`;
  const since = lastOkAt === undefined ? 'no response yet' : `last response ${duration(now - lastOkAt)} ago`;
  return `⚠ ${missingReason(trouble ?? 'unreachable')}, ${since}`;
}

const whole = (count: number): string => count.toLocaleString('en-US');

const wallets = ({ watching: { wallets: count = 0 } }: Status): string => (count === 0 ? '' : ` and ${counted(count, 'wallet')}`);

function budget(state: Status, now: Instant): readonly ReturnType<typeof line>[] {
  const { service, plan } = state;
  const { used, limit, resetsAt, questions, reserved, forChecks } = service.budget;
  const questionsText = questions === undefined ? '' : ` (${whole(questions)} for questions)`;
  const rest = [...paceLine(service), ...capsLine(service, now)];
  if (limit === undefined)
    return [line(`API requests this month: ${whole(used)}${questionsText}, no limit`), ...listLines(state, now), ...rest];
  const left =
    reserved === undefined
      ? ''
      : ` · ${whole(limit - used)} left: ${whole(reserved)} reserved for questions, ${whole(forChecks ?? 0)} for checks`;
  return [
    line(`API budget: ${whole(used)} of ${whole(limit)} used${questionsText}, resets in ${duration(resetsAt - now)}${left}`),
    ...planLine(plan),
    ...listLines(state, now),
    ...rest,
  ];
}

function planLine(plan: Status['plan']): readonly ReturnType<typeof line>[] {
  if (plan === undefined || !plan.limited) return [];
  const parts = [
    ...(plan.refreshes === undefined ? [] : [`wallet refresh every ${every(plan.refreshes)}`]),
    ...(plan.stretch > 1 ? ['⚠ the budget is too small to check everything once a week'] : []),
  ];
  return parts.length === 0 ? [] : [line(`Planned: ${parts.join(' · ')}`)];
}

const MAX_NAMED = 8;

/** Shows the state of the lists that are read for all projects, and the trust in them. */
function listLines({ lists = [] }: Status, now: Instant): readonly ReturnType<typeof line>[] {
  return lists.map(({ list, at, every: interval, isFailing, trust, uncovered }) => {
    const name = capitalised(listName(list));
    if (isFailing) return line(`⚠ ${name}: can't be read, so each project is checked by itself`);
    const parts = [
      at === undefined ? 'not read yet' : `read ${duration(now - at)} ago`,
      ...(interval === undefined ? [] : [`every ${every([interval, interval])}`]),
      ...(trust === undefined ? [] : [`believed ${percents(trust)}`]),
      ...(uncovered.length === 0 ? [] : [`checked by themselves: ${several(uncovered, MAX_NAMED)}`]),
    ];
    return line(`${name}: ${parts.join(' · ')}`);
  });
}

function percents(trust: readonly [number, number]): string {
  const [least, most] = trust.map((part) => `${Math.round(part * 100)}%`);
  return least === most ? `${most}` : `${least} to ${most}`;
}

function paceLine({ pace }: Status['service']): readonly ReturnType<typeof line>[] {
  if (pace === undefined) return [];
  const slower = pace.now < pace.full ? `, slowed from ${perSecond(pace.full)} by the service` : '';
  return [line(`Request rate: up to ${perSecond(pace.now)}${slower}`)];
}

const perSecond = (requests: number): string => `${whole(Number(requests.toPrecision(2)))} per second`;

function capsLine({ planLimits: caps }: Status['service'], now: Instant): readonly ReturnType<typeof line>[] {
  if (caps === undefined || (caps.rows === undefined && caps.pages === undefined)) return [];
  const parts = [
    ...(caps.rows === undefined ? [] : [`${caps.rows} rows per request`]),
    ...(caps.pages === undefined ? [] : [`${counted(caps.pages, 'page')} per list`]),
  ];
  const learned = caps.learnedAt === undefined ? '' : ` (seen ${duration(now - caps.learnedAt)} ago)`;
  return [line(`Plan limits: ${parts.join(', ')}${learned}`)];
}

function every([shortest, longest]: readonly [number, number]): string {
  const text = (time: number): string => (Number.isFinite(time) ? duration(time) : 'paused');
  const [from, to] = [text(shortest), text(longest)];
  return from === to ? from : `${from} to ${to}`;
}

const detectedWithin = (feed: Status['feeds'][number]): string =>
  feed.expected === undefined
    ? ''
    : `${isSlow(feed) ? '⚠ ' : ''}${Number.isFinite(feed.expected.within) ? duration(feed.expected.within, 2) : 'paused'}`;

function oldest({ feeds }: Status, now: Instant): string {
  const checks = feeds.flatMap(({ oldestCheck }) => oldestCheck ?? []);
  return checks.length === 0 ? '' : ` · oldest check ${duration(now - Math.min(...checks), 2)} ago`;
}
