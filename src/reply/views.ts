/** Defines the view of a project, and checks whether an item belongs to the named project. */
import type { Analytics, Walk } from '../analytics/analytics.js';
import { reply, type ActionDraft, type BlockDraft, type Line, type Reply, type Tone } from '../chat/reply.js';
import type { ChartDraft } from '../chat/chart.js';
import type { Project } from '../domain/project.js';
import type { Instant, Slug } from '../domain/scalars.js';
import { commandLine } from '../chat/command-line.js';
import type { WalletLabels } from './wallets.js';
import { UserError } from './errors.js';
import { choiceActions, commandActions, line, counted } from './blocks.js';
import { optional } from './answers.js';
import { projects, projectsLaunch, type ProjectRow } from '../analytics/endpoints/dashboard.js';
import { both } from '../base/sentence-lists.js';
import { isNegative, isZero } from '../domain/decimal.js';

export interface ProjectViewDeps {
  readonly analytics: Analytics;
  readonly project: Project;
  readonly page: number;
  readonly now: Instant;
  readonly signal: AbortSignal | undefined;
  /** The labels in the chat's watchlist. */
  readonly labels?: WalletLabels;
}

export interface ViewReply extends Pick<Reply, 'asOf' | 'stale'> {
  readonly tone?: Tone;
  readonly finding: Line;
  readonly blocks: readonly BlockDraft[];
  readonly links?: Reply['links'];
  readonly actions?: readonly ActionDraft[];
  readonly chart?: ChartDraft | undefined;
  readonly files?: Reply['files'];
}

/** Rejects with an `AnalyticsError` when there is nothing to show. */
export type ProjectView = (deps: ProjectViewDeps) => Promise<ViewReply>;

interface ViewButtons {
  readonly command: string;
  readonly names: readonly string[];
  readonly view: string;
  readonly slug: string;
  readonly others: readonly string[];
}

export const viewReply = (shown: ViewReply, { command, names, view, slug, others }: ViewButtons): Reply =>
  reply({
    ...shown,
    actions: [
      ...choiceActions(names, view, (other) => commandLine(command, slug, other)),
      ...(shown.actions ?? []),
      ...commandActions(slug, ...others),
    ],
  });

export const notOfProject = (what: string, project: Project): UserError =>
  new UserError(`That ${what} isn't ${project.name}'s. Leave out the project to find it by number.`);

interface OwnershipQuery {
  /** A noun, such as "movement". */
  readonly what: string;
  readonly project: Project | undefined;
  readonly id: string;
  readonly list: (slug: Slug) => Promise<Walk<{ readonly id: string }>>;
}

/** Finds the owner's `slug`. `doubt` warns if the list is incomplete; if a complete list lacks the id, rejects with a `UserError`. */
export async function ownershipOf({
  what,
  project,
  id,
  list,
}: OwnershipQuery): Promise<{ readonly slug?: Slug; readonly doubt: readonly BlockDraft[] }> {
  if (project === undefined) return { doubt: [] };
  const { answer } = await optional(list(project.slug));
  if (answer?.rows.some((row) => row.id === id)) return { slug: project.slug, doubt: [] };
  if (answer?.complete) throw notOfProject(what, project);
  return { doubt: [line(`⚠ Couldn't verify that this ${what} is ${project.name}'s.`)] };
}

export type ProjectRows = Walk<ProjectRow>;

const identify = ({ slug, mint, name }: ProjectRow): string => slug ?? mint ?? name ?? '';

/** Reads the rows of all projects; with `activity` also trading figures. Rejects with an `AnalyticsError`. */
export async function projectRows(
  analytics: Analytics,
  { activity, signal }: { readonly activity: boolean; readonly signal: AbortSignal | undefined },
): Promise<ProjectRows> {
  const [found, second] = await Promise.all([
    analytics.walk(projectsLaunch, {}, identify, { signal }),
    activity ? optional(analytics.walk(projects, {}, identify, { signal })) : undefined,
  ]);
  const more = new Map((second?.answer?.rows ?? []).map((row) => [identify(row), row]));
  const merged = found.rows.map((row) => {
    const { proposals, liveProposals, volume } = more.get(identify(row)) ?? row;
    return { ...row, proposals, liveProposals, volume };
  });
  const others = [...more].filter(([id]) => !found.rows.some((row) => identify(row) === id)).map(([, row]) => row);
  return {
    ...found,
    rows: [...merged, ...others].map(trusted),
    at: second?.answer !== undefined && second.answer.at < found.at ? second.answer.at : found.at,
  };
}

export const hiddenRows = ({ hidden, cut }: Pick<ProjectRows, 'hidden' | 'cut'>): readonly BlockDraft[] => [
  ...(hidden > 0 ? [line(`⚠ ${counted(hidden, 'more project')} not included in this bot's data plan.`)] : []),
  ...(cut === undefined ? [] : [line('⚠ Incomplete: some projects may be missing.')]),
];

const MAX_WITHOUT_NAV = 3;

/** Names projects that a list cannot compare with their NAV, because only a project's own page may have it. */
export function withoutNav(rows: readonly ProjectRow[], says: 'left out' | 'not counted'): readonly BlockDraft[] {
  const named = rows.flatMap(({ symbol, name, slug }) => (slug === undefined ? [] : [{ name: symbol ?? name ?? slug, slug }]));
  const [first] = named;
  if (first === undefined) return [];
  const more = rows.length - Math.min(named.length, MAX_WITHOUT_NAV);
  const names = both([...named.slice(0, MAX_WITHOUT_NAV).map((one) => one.name), ...(more > 0 ? [`${more} more`] : [])]);
  return [
    line(
      `${counted(rows.length, 'project')} ${says}, because the list has no NAV of ${names}. `,
      { code: commandLine('premium', first.slug) },
      ' shows it if the project page has it.',
    ),
  ];
}

/** Removes the figures of a stale row, which has a price but a market cap of zero. */
function trusted(row: ProjectRow): ProjectRow {
  const stale =
    row.marketCap !== undefined && isZero(row.marketCap) && row.price !== undefined && !isZero(row.price) && !isNegative(row.price);
  return stale ? { ...row, marketCap: undefined, fdv: undefined, navPerShare: undefined, premium: undefined, treasury: undefined } : row;
}
