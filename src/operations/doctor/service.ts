/** Turns the calls of the service walk into findings. */
import type { AnalyticsClient } from '../../analytics/client.js';
import { ENDPOINTS } from '../../analytics/endpoints/index.js';
import type { Row } from '../../analytics/endpoint-row.js';
import type { Clock } from '../../base/clock.js';
import type { Finding } from '../../base/finding.js';
import { createDirectory, unknownSlugText, type UnknownSlug } from '../../analytics/directory.js';
import { slugsAsListed } from '../../analytics/project-lookup.js';
import { AnalyticsError } from '../../analytics/errors.js';
import { groupedDelays } from '../../chat/status-strip.js';
import { duration } from '../../domain/format.js';
import type { Slug } from '../../domain/scalars.js';
import { FEEDS } from '../../feeds/index.js';
import { delaysOfPlan } from '../../jobs/expected-delays.js';
import { LINKS, unfitTemplates, type LinkTemplates, type LinkValues } from '../../domain/links.js';
import { costOf, walk, type RowReport, type WalkResult } from './walk.js';

export interface ServiceExaminationDeps {
  readonly analytics: AnalyticsClient;
  /** The service's name for people. */
  readonly name: string;
  readonly project: string | undefined;
  /** The slugs of PROJECTS. */
  readonly projects: readonly Slug[] | undefined;
  /** The projects that the bot has stored, by default none. */
  readonly known?: readonly Slug[] | undefined;
  readonly agreed: boolean;
  readonly most: number | undefined;
  /** Why no call may be made: the ledger cannot be read. */
  readonly barred?: string | undefined;
  /** The bot's monthly limit, which does not apply to this service. */
  readonly limitElsewhere?: number | undefined;
  readonly clock: Clock;
  readonly rows?: readonly Row[];
  readonly links: LinkTemplates;
  readonly onFinding: (finding: Finding) => void;
  readonly onRow: (report: RowReport) => void;
}

/** Examines the service, and reports findings as they come. */
export async function examineService(question: ServiceExaminationDeps): Promise<WalkResult | undefined> {
  const { analytics, name, agreed, most, barred, limitElsewhere, clock, rows = ENDPOINTS, links, onFinding, onRow } = question;
  await analytics.ready();
  const cost = costOf(rows);
  const { used, limit } = analytics.state().budget;
  const left = limit === undefined ? undefined : Math.max(0, limit - used);
  const month =
    limitElsewhere !== undefined
      ? `they are not counted; the bot's own calls are, up to ${limitElsewhere} a month`
      : left === undefined
        ? 'no monthly limit is set'
        : barred === undefined
          ? `${left} of the ${limit} calls of this month are left`
          : `how many of the ${limit} calls of this month are left is not known`;
  const given = most === undefined ? '' : `; at most ${most} are made (--budget)`;
  if ((limit ?? limitElsewhere) !== undefined) for (const finding of planFindings(question)) onFinding(finding);
  onFinding({
    mark: 'none',
    about: 'cost',
    says: `${cost} calls to ${name}, one an operation, more where one has to be repeated; ${month}${given}`,
  });
  if (barred !== undefined) {
    onFinding({ mark: 'warn', about: 'service', says: barred });
    return undefined;
  }
  if (left !== undefined && !agreed && most === undefined) {
    const says = 'not walked, because a monthly limit is set; add --yes to spend these calls, or --budget 20 to spend at most 20';
    onFinding({ mark: 'warn', about: 'service', says });
    return undefined;
  }
  const { unlisted, listed } = await projectsInLists(question);
  if (unlisted.length > 0)
    onFinding({
      mark: 'warn',
      about: 'PROJECTS',
      says: `the service does not list ${unlisted.map(unknownSlugText).join(', ')}; correct PROJECTS`,
    });
  const project = question.project ?? listed[0];
  const walked = await walk({ analytics, rows, project, most, clock, onFinding: onRow });
  for (const finding of [...notAsked(walked), ...unfitLinks(walked.links, links)]) onFinding(finding);
  for (const finding of conclusions(walked, { name, wanted: project })) onFinding(finding);
  return walked;
}

/** Requests per month of usual plans. */
const PLANS = [500, 5_000, 100_000] as const;
/** Reports how soon changes are detected on each plan if all known projects are watched. Makes no request. */
function planFindings({ projects, known = [], clock }: ServiceExaminationDeps): readonly Finding[] {
  const watched = projects ?? known;
  if (watched.length === 0) return [];
  return PLANS.map((limit): Finding => {
    const delays = delaysOfPlan({ projects: watched, limit, feeds: FEEDS, now: clock.now() });
    const parts = groupedDelays(delays).map(({ within, kinds }) => `${duration(within)} (${kinds.join(', ')})`);
    const of = watched.length === 1 ? '1 project' : `${watched.length} projects`;
    return {
      mark: 'none',
      about: 'plan',
      says: `${limit.toLocaleString('en-US')} requests a month detect changes of ${of} within about ${parts.join(', ')}`,
    };
  });
}

interface ProjectsInLists {
  readonly unlisted: readonly UnknownSlug[];
  /** The slugs as the lists write them, in the order of PROJECTS. */
  readonly listed: readonly Slug[];
}

/** Compares PROJECTS with the service's lists, or with the stored projects if calls are few. Without either, PROJECTS are taken as written. */
async function projectsInLists({ analytics, projects, known = [], clock, most }: ServiceExaminationDeps): Promise<ProjectsInLists> {
  if (projects === undefined) return { unlisted: [], listed: [] };
  if (most !== undefined) return { unlisted: [], listed: [...slugsAsListed(projects, known)].map(([slug, listed]) => listed ?? slug) };
  const directory = createDirectory({ analytics, clock, only: projects });
  try {
    await directory.refresh('question');
  } catch (cause) {
    if (!(cause instanceof AnalyticsError)) throw cause;
  }
  const unlisted = directory.unknown();
  const found = projects.filter((slug) => !unlisted.some((one) => one.slug === slug));
  return { unlisted, listed: await Promise.all(found.map(async (slug) => (await directory.named(slug))[0]?.slug ?? slug)) };
}

/** Up to this many are named instead of counted. */
const FEW = 3;

function notAsked({ rows }: WalkResult): readonly Finding[] {
  const byReason = new Map<string, string[]>();
  for (const { status, says = '', id } of rows) if (status === 'not asked') byReason.set(says, [...(byReason.get(says) ?? []), id]);
  return [...byReason].map(([reason, ids]) => ({
    mark: 'none',
    about: 'not asked',
    says: `${ids.length <= FEW ? ids.join(', ') : `${ids.length} operations`}: ${reason}`,
  }));
}

function conclusions(
  { rows, calls, project }: WalkResult,
  { name, wanted }: { name: string; wanted: string | undefined },
): readonly Finding[] {
  const about = 'service';
  const answered = rows.filter(({ status }) => status === 'answered').length;
  const sum = (count: (report: RowReport) => number): number => rows.reduce((total, one) => total + count(one), 0);
  const fields = (of: 'found' | 'missing' | 'guessed' | 'unexpected') => sum((report) => report.fields?.[of].length ?? 0);
  const key = rows.find(({ status }) => status === 'key-refused');
  if (key !== undefined) return [{ mark: 'fail', about, says: `${name}: ${key.says ?? 'the key is refused'}` }];
  const silent = rows.find(({ status }) => status === 'unreachable' || status === 'timeout');
  if (answered === 0) return [{ mark: 'fail', about, says: `${name}: ${silent?.says ?? 'no operation was answered'}` }];
  const stranger = wanted !== undefined && rows.some(({ id, status }) => id === 'project.overview' && status === 'unknown');
  return [
    ...(stranger
      ? [{ mark: 'fail', about: 'project', says: `the service knows no project called ${wanted}; give another --project` } as const]
      : []),
    {
      mark: 'none',
      about,
      says: `${answered} of ${rows.length} operations answered for ${project ?? 'no project'} with ${calls} calls, and the two that start a refresh are never called; stated names: ${fields('found')} found, ${fields('missing')} missing; guessed names: ${fields('guessed')}; unexpected fields: ${fields('unexpected')}`,
    },
  ];
}

const about = 'links';

const hostOf = (template: string): string | undefined => (template === '' ? undefined : new URL(template).host);

/** Checks that proposal links lead to a page for people, because an explorer shows only the raw account. */
export function proposalLinkFinding({ proposal, transaction, wallet }: LinkTemplates): Finding {
  const host = hostOf(proposal);
  const remedy = `give the address of the projects' governance site, such as ${LINKS.proposal.usual}`;
  if (host === undefined) return { mark: 'warn', about, says: `LINK_PROPOSAL is empty, so proposals have no link; ${remedy}` };
  return [transaction, wallet].some((template) => hostOf(template) === host)
    ? { mark: 'warn', about, says: `LINK_PROPOSAL leads to the raw account on ${host}; ${remedy}` }
    : { mark: 'ok', about, says: `proposals lead to ${host}` };
}

/** Finds link templates that do not fit the `values` that the service sent. */
const unfitLinks = (values: LinkValues, links: LinkTemplates): readonly Finding[] =>
  unfitTemplates(links, values).map((kind) => ({
    mark: 'warn',
    about,
    says: `what the service sends does not fit LINK_${kind.toUpperCase()}, so there is no such link; set one of its chain and site, or leave it empty`,
  }));
