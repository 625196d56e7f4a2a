/** /status: the state of the bot. */
import { z } from 'zod';
import { either } from '../src/base/sentence-lists.js';
import { reply, type Reply } from '../src/chat/reply.js';
import { missingReason, staleReason } from '../src/replies/trouble-texts.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Status } from '../src/dispatch/context.js';
import { counted, line } from '../src/replies/blocks.js';
import { duration } from '../src/domain/format.js';
import type { Instant } from '../src/domain/scalars.js';

export default defineCommand({
  name: 'status',
  summary: 'Whether everything works, and how old the data is',
  group: 'bot',
  audience: 'asker',
  args: z.object({}),
  examples: ['/status'],

  async run(_, { status, operator, now }) {
    const state = await status();
    const problems = problemsOf(state, now);
    if (!operator) return inShort(state, problems, now);
    const { unknownProjects = [] } = state;
    if (unknownProjects.length > 0)
      problems.push(`The service lists no project ${either(unknownProjects)}. Correct PROJECTS and restart the bot.`);
    if (state.log.failing) problems.push('Log lines are dropped.');
    return reply({
      tone: problems.length === 0 ? 'plain' : 'warning',
      finding: [{ strong: problems.length === 0 ? well(state) : problems.join(' ') }],
      blocks: [
        {
          kind: 'figures',
          items: [
            { label: 'service', value: serviceSays(state.service, now) },
            ...state.platforms.map(({ name, ok, says }) => ({ label: name, value: `${ok ? '' : '⚠ '}${says}` })),
            { label: 'store', value: `${state.store.ok ? '' : '⚠ '}${state.store.says}` },
            ...logFigure(state.log),
            { label: 'running for', value: duration(now - state.runningSince, 2) },
          ],
        },
        line(`answers come from ${state.service.name}`),
        ...remedyLine(state),
        ...budget(state, now),
        line(
          `watching ${counted(state.watching.projects, 'project')}${wallets(state)} for ${counted(state.watching.chats, 'chat')} · sent today ${state.deliveries.sent}, waiting ${state.deliveries.waiting}${oldest(state, now)}`,
        ),
        {
          kind: 'table',
          columns: [
            { title: 'Kind' },
            { title: 'Watched', align: 'right' },
            { title: 'Oldest look' },
            { title: 'Every' },
            { title: 'Failing', align: 'right' },
          ],
          rows: state.feeds.map((feed) => [
            feed.id,
            String(feed.watched),
            feed.oldestLook === undefined ? (feed.watched === 0 ? '' : 'not yet') : `${duration(now - feed.oldestLook)} ago`,
            feed.every === undefined ? '' : every(feed.every),
            String(feed.failing),
          ]),
        },
        { kind: 'list', items: state.gaps.map((gap) => ({ tone: 'warning' as const, line: [gap] })) },
      ],
      actions: [{ label: 'Refresh', line: '/status' }],
    });
  },
});

const LOG_TROUBLES: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full; free some space',
  EDQUOT: 'its disk quota is used up; free some space',
  EPIPE: 'nobody reads it; restart the bot with its output connected',
  EAGAIN: 'whatever reads it is too slow or stuck',
};

function logFigure({ count, because: code, failing }: Status['log']): readonly { label: string; value: string }[] {
  if (count === 0 || code === undefined) return [];
  const why = LOG_TROUBLES[code] ?? code;
  return [
    {
      label: 'log',
      value: failing ? `⚠ ${counted(count, 'line')} dropped: ${why}` : `${counted(count, 'line')} dropped earlier (${code})`,
    },
  ];
}

/** Nothing is known about a service that was never called. */
const well = ({ service }: Status): string =>
  service.ok === undefined ? 'Nothing fails, but the service was not asked yet.' : 'All well.';

function inShort(state: Status, problems: readonly string[], now: Instant): Reply {
  return reply({
    tone: problems.length === 0 ? 'plain' : 'warning',
    finding: [{ strong: problems.length === 0 ? well(state) : problems.join(' ') }],
    blocks: [line(`running for ${duration(now - state.runningSince, 2)}${oldest(state, now)}`)],
    actions: [{ label: 'Refresh', line: '/status' }],
  });
}

function problemsOf({ service, platforms, store, feeds, overdue }: Status, now: Instant): string[] {
  const failing = feeds.filter((feed) => feed.failing > 0).map(({ id, failing: count }) => `${id} (${count})`);
  return [
    ...(service.ok === false ? [staleReason(service.trouble ?? 'unreachable')] : []),
    ...platforms.filter(({ ok }) => !ok).map(({ name, problem }) => problem ?? `${name} does not work.`),
    ...(store.ok ? [] : [store.problem]),
    ...(service.ok !== false && failing.length > 0 ? [`Some looks fail: ${failing.join(', ')}.`] : []),
    ...lateness(overdue, now),
  ];
}

function lateness(overdue: Status['overdue'], now: Instant): readonly string[] {
  const { late, first } = overdue ?? {};
  return [
    ...(late === undefined ? [] : [`Checks are running late: ${late.checks} overdue, the longest by ${duration(now - late.since)}.`]),
    ...(first === undefined
      ? []
      : [`New checks are running late: ${first.checks} not run yet, the longest waiting for ${duration(now - first.since)}.`]),
  ];
}

function remedyLine({ overdue, service }: Status): readonly ReturnType<typeof line>[] {
  if (overdue?.late === undefined && overdue?.first === undefined) return [];
  if (service.budget.forLooks === 0) return [line('checks go on when requests are left again, see the budget')];
  return [
    line(
      'more checks are due than the service answers: raise POLL_MIN_SECONDS, or ANALYTICS_REQUESTS_PER_SECOND where your plan allows it, or watch less',
    ),
  ];
}

function serviceSays({ ok, trouble, lastMs, lastOkAt }: Status['service'], now: Instant): string {
  if (ok === undefined) return 'not asked yet';
  if (ok) return lastMs === undefined ? 'ok' : `ok (${Math.round(lastMs)} ms)`;
  const since = lastOkAt === undefined ? 'no answer yet' : `last answer ${duration(now - lastOkAt)} ago`;
  return `⚠ ${missingReason(trouble ?? 'unreachable')}, ${since}`;
}

const wallets = ({ watching: { wallets: count = 0 } }: Status): string => (count === 0 ? '' : `, ${counted(count, 'wallet')}`);

function budget({ service, plan }: Status, now: Instant): readonly ReturnType<typeof line>[] {
  const { used, limit, resetsAt, questions, reserved, forLooks } = service.budget;
  const questionsText = questions === undefined ? '' : `, ${questions} of them for questions`;
  const rest = [...paceLine(service), ...capsLine(service, now)];
  if (limit === undefined) return [line(`requests this month ${used}${questionsText}, no limit set`), ...rest];
  const left = reserved === undefined ? '' : ` · ${limit - used} left: ${reserved} kept for questions, ${forLooks ?? 0} for looks`;
  return [
    line(`budget ${used} of ${limit} this month, resets in ${duration(resetsAt - now)}${questionsText}${left}`),
    ...planLine(plan),
    ...rest,
  ];
}

function planLine(plan: Status['plan']): readonly ReturnType<typeof line>[] {
  if (plan === undefined || !plan.limited) return [];
  const parts = [
    ...(plan.lists === undefined ? [] : [`lists that tell what changed every ${every(plan.lists)}`]),
    ...(plan.refreshes === undefined ? [] : [`wallets refreshed every ${every(plan.refreshes)}`]),
    ...(plan.stretch > 1 ? ['the budget is too small to look at everything once a week'] : []),
  ];
  return parts.length === 0 ? [] : [line(`plan: ${parts.join(' · ')}`)];
}

function paceLine({ pace }: Status['service']): readonly ReturnType<typeof line>[] {
  if (pace === undefined) return [];
  const slower = pace.now < pace.full ? `, slowed from ${perSecond(pace.full)} because the service asked for it` : '';
  return [line(`pace ${perSecond(pace.now)}${slower}`)];
}

const perSecond = (requests: number): string => `${Number(requests.toPrecision(2))} requests a second`;

function capsLine({ planLimits: caps }: Status['service'], now: Instant): readonly ReturnType<typeof line>[] {
  if (caps === undefined || (caps.rows === undefined && caps.pages === undefined)) return [];
  const parts = [
    ...(caps.rows === undefined ? [] : [`${caps.rows} rows a request`]),
    ...(caps.pages === undefined ? [] : [`${counted(caps.pages, 'page')} of a list`]),
  ];
  const learned = caps.learnedAt === undefined ? '' : `, found out ${duration(now - caps.learnedAt)} ago`;
  return [line(`the plan gives at most ${parts.join(' and ')}${learned}`)];
}

function every([shortest, longest]: readonly [number, number]): string {
  const text = (time: number): string => (Number.isFinite(time) ? duration(time) : 'never until calls are left');
  const [from, to] = [text(shortest), text(longest)];
  return from === to ? from : `${from} to ${to}`;
}

function oldest({ feeds }: Status, now: Instant): string {
  const checks = feeds.flatMap(({ oldestLook }) => oldestLook ?? []);
  return checks.length === 0 ? '' : `, oldest look ${duration(now - Math.min(...checks), 2)}`;
}
