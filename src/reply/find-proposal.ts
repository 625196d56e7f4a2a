/** Finds a proposal by public key or title. */
import { omitUndefined } from '../base/omit-undefined.js';
import { brief } from '../base/one-line.js';
import { liveMarkets, search } from '../analytics/endpoints/dashboard.js';
import {
  EMPTY_PROPOSAL,
  proposalDetail,
  proposalIdentity,
  proposals,
  proposalTitles,
  type ProposalRow,
} from '../analytics/endpoints/proposals.js';
import type { Analytics } from '../analytics/analytics.js';
import { UnknownProjectError, type Directory } from '../analytics/directory.js';
import { AnalyticsError, type Trouble } from '../analytics/errors.js';
import type { ActionDraft } from '../chat/reply.js';
import { date } from '../domain/format.js';
import { phaseOf } from '../domain/market-phase.js';
import type { Project } from '../domain/project.js';
import { slugSchema, type Instant } from '../domain/scalars.js';
import { keyFault, looksLikeKey } from '../domain/wallet.js';
import { commandLine } from '../chat/command-line.js';
import { UserError } from '../reply/errors.js';
import { nearest } from '../reply/options.js';
import { optional } from '../reply/answers.js';
import { matching, shortened } from './proposals.js';

interface FindProposalDeps {
  readonly analytics: Analytics;
  readonly directory: Directory;
  readonly now: Instant;
  readonly signal?: AbortSignal | undefined;
}

export interface NamedProposal {
  readonly publicKey: string;
  readonly row: ProposalRow;
  readonly seen?: { readonly at: Instant; readonly dataAt?: Instant; readonly stale?: Trouble } | undefined;
}

export interface ProposalQuery {
  readonly project: string | undefined;
  readonly words: string | undefined;
  /** Words that were taken as options but may belong to the title. */
  readonly taken: readonly string[];
  readonly view: string;
  /** A decided proposal is found only if no other one fits. */
  readonly prefersOpen?: boolean;
  /** Public keys of proposals of which one is meant if its title fits. */
  readonly preferred?: ReadonlySet<string> | undefined;
}

export interface FoundProposal extends NamedProposal {
  readonly tookAll: boolean;
}

/** Finds a proposal. Rejects with a `UserError` that offers choices if none or several match. */
export async function findProposal(wanted: ProposalQuery, deps: FindProposalDeps): Promise<FoundProposal> {
  const { project, words } = wanted;
  if (project === undefined) throw await whichLive(wanted, deps);
  const key = [words, project].find((text) => text !== undefined && looksLikeKey(text));
  if (key !== undefined) return { ...(await loadProposal(checkedKey(key), undefined, deps)), tookAll: false };
  const { row, tookAll } = await inProject(wanted, deps);
  if (row.publicKey === undefined)
    throw new UserError(`"${row.title ?? row.id ?? 'That proposal'}" has no public key, so there are no details to show.`);
  return { ...(await loadProposal(row.publicKey, row, deps)), tookAll };
}

function checkedKey(text: string): string {
  const fault = keyFault(text);
  if (fault === undefined) return text;
  throw new UserError(`That's not a proposal's public key (${fault}). Paste the full key.`);
}

async function loadProposal(
  publicKey: string,
  row: ProposalRow | undefined,
  { analytics, directory, signal }: FindProposalDeps,
): Promise<NamedProposal> {
  const { answer, missing } = await optional(analytics.call(proposalDetail, { publicKey }, { signal }));
  if (answer === undefined && row === undefined) {
    if (missing?.trouble === 'unknown') throw new UserError('No proposal with that public key. Check that you pasted the full key.');
    throw missing ?? new Error('an answer or a failure');
  }
  const known = Object.fromEntries(Object.entries(answer?.data ?? {}).filter(([, value]) => value !== undefined));
  const whole: ProposalRow = { ...EMPTY_PROPOSAL, ...row, ...known, publicKey };
  const of = slugSchema.safeParse(whole.slug);
  const projectName = whole.projectName ?? (of.success ? (await directory.get(of.data)).name : undefined);
  return { publicKey, row: { ...whole, projectName }, seen: answer };
}

type Hit = Partial<ProposalRow>;

async function inProject(wanted: ProposalQuery, deps: FindProposalDeps): Promise<{ readonly row: ProposalRow; readonly tookAll: boolean }> {
  const { project: text = '', words, taken, view, prefersOpen = false, preferred } = wanted;
  const { analytics, directory, signal } = deps;
  let project: Project;
  try {
    project = await directory.find(text, signal);
  } catch (error) {
    // The text names no project, so all of it may be a title.
    if (!(error instanceof UnknownProjectError) || (error.several && words === undefined)) throw error;
    const title = [text, ...(words === undefined ? [] : [words])].join(' ');
    return { row: await findAnywhere(title, { ...wanted, error }, deps), tookAll: false };
  }
  const walk = await analytics.walk(proposals, { slug: project.slug }, proposalIdentity, { signal });
  const rows = newest(walk.rows);
  if (rows.length === 0)
    throw new UserError(
      walk.complete ? `${project.name} has no proposals.` : `${project.name}'s proposals couldn't be read. Try again later.`,
      {
        actions: listOf(project),
      },
    );
  if (words === undefined) {
    const live = rows.filter((row) => phaseOf(row) === 'live');
    const [only, ...others] = live.length === 0 ? rows : live;
    if (only !== undefined && others.length === 0) return { row: only, tookAll: false };
    throw choice(`Which proposal of ${project.name}?`, {
      rows: prefersOpen && live.length > 0 ? live : [...live, ...rows.filter((row) => !live.includes(row))],
      view,
      project,
      deps,
    });
  }
  const titled = matching(rows, words);
  const meant = meantAmong(titled, { prefersOpen, preferred });
  // "…the price" may be the last word of a title rather than a view: it counts as one if that identifies a proposal.
  const more = taken.length === 0 ? [] : matching(rows, [words, ...taken].join(' '));
  const [only, ...others] = meant;
  if (only !== undefined && others.length === 0) return { row: only, tookAll: false };
  const [settled, ...unsettled] = more;
  if (settled !== undefined && unsettled.length === 0) return { row: settled, tookAll: true };
  if (only !== undefined)
    throw choice(`${meant.length} proposals of ${project.name} match "${brief(words)}". Which one?`, { rows: meant, view, project, deps });
  const older = walk.complete ? undefined : await findInTitles(words, project, deps);
  if (older !== undefined) return { row: { ...EMPTY_PROPOSAL, ...older }, tookAll: false };
  const near = nearest(
    words,
    rows.flatMap(({ title }) => title ?? []),
  );
  throw choice(
    `No proposal of ${project.name} is called "${brief(words)}"${walk.complete ? '' : ' (your plan shows only some of them)'}.`,
    {
      rows: rows.filter(({ title }) => title !== undefined && near.includes(title)),
      view,
      project,
      deps,
    },
  );
}

/** Tells whether a proposal can still be followed. */
export function isOpen(row: ProposalRow): boolean {
  const phase = phaseOf(row);
  return phase === 'draft' || phase === 'live';
}

async function findInTitles(words: string, { slug }: Project, { analytics, signal }: FindProposalDeps): Promise<Hit | undefined> {
  const { answer } = await optional(analytics.call(proposalTitles, { slug }, { signal }));
  return matching(answer?.data.rows ?? [], words).find(({ publicKey }) => publicKey !== undefined);
}

/** Returns the proposals that are probably meant: the preferred one, else those that are not decided, else all. */
function meantAmong<T extends Hit>(
  rows: readonly T[],
  { prefersOpen = false, preferred }: Pick<ProposalQuery, 'prefersOpen' | 'preferred'>,
): readonly T[] {
  const chosen = rows.filter(({ publicKey }) => publicKey !== undefined && preferred?.has(publicKey) === true);
  if (chosen.length > 0) return chosen;
  const open = prefersOpen ? rows.filter((row) => isOpen({ ...EMPTY_PROPOSAL, ...row })) : [];
  return open.length === 0 ? rows : open;
}

/** Searches all projects. Rejects with `error` if nothing matches. */
async function findAnywhere(
  text: string,
  { error, view, prefersOpen = false, preferred }: Pick<ProposalQuery, 'view' | 'prefersOpen' | 'preferred'> & { readonly error: Error },
  deps: FindProposalDeps,
): Promise<ProposalRow> {
  const hits = await titledAnywhere(text, deps);
  const [first] = hits;
  if (first === undefined) throw error;
  if (hits.length === 1) return asRow(first);
  const ordered = meantAmong(await liveHitsFirst(hits, deps), { preferred });
  const meant = meantAmong(await stated(ordered.slice(0, MAX_CHOICES), deps), { prefersOpen });
  const [only, ...others] = meant;
  if (only !== undefined && others.length === 0) return asRow(only);
  const count = meant.some((row) => isOpen({ ...EMPTY_PROPOSAL, ...row })) ? `${meant.length} open proposals` : `${hits.length} proposals`;
  throw choice(`${count} match "${brief(text)}". Which one?`, { rows: meant, view, deps });
}

/** Sorts search results, which say nothing of states. Those that are live are few among many of the same title. */
export async function liveHitsFirst(
  hits: readonly Hit[],
  { analytics, signal }: Pick<FindProposalDeps, 'analytics' | 'signal'>,
): Promise<readonly Hit[]> {
  if (hits.length < 2) return hits;
  const { answer } = await optional(analytics.call(liveMarkets, {}, { signal }));
  const isLive = ({ publicKey }: Hit): boolean => answer?.data.rows.some((row) => row.publicKey === publicKey) === true;
  return [...hits.filter(isLive), ...hits.filter((hit) => !isLive(hit))];
}

const asRow = ({ publicKey, title, slug }: Hit): ProposalRow => ({ ...EMPTY_PROPOSAL, publicKey, title, slug });

/** The most results whose state is read on a plan with a monthly limit, and on one without, because each takes a request. */
const MAX_STATED = { limited: 3, unlimited: 10 } as const;

/** Reads the states of search results, which lack them. */
export async function stated(found: readonly Hit[], { analytics, directory, signal }: FindProposalDeps): Promise<readonly Hit[]> {
  const most = analytics.state().budget.limit === undefined ? MAX_STATED.unlimited : MAX_STATED.limited;
  const projects = (await optional(directory.all())).answer ?? [];
  return Promise.all(
    found.map(async (hit, index): Promise<Hit> => {
      const { publicKey } = hit;
      const detail =
        index < most && publicKey !== undefined ? await optional(analytics.call(proposalDetail, { publicKey }, { signal })) : undefined;
      const whole = { ...hit, ...omitUndefined(detail?.answer?.data ?? {}), title: hit.title };
      const projectName = whole.projectName ?? projects.find(({ slug }) => slug === whole.slug)?.name;
      return projectName === undefined ? whole : { ...whole, projectName };
    }),
  );
}

/** Returns proposals of any project by title; none if the search fails. */
export async function titledAnywhere(
  text: string,
  { analytics, signal }: Pick<FindProposalDeps, 'analytics' | 'signal'>,
): Promise<readonly Hit[]> {
  const { answer } = await optional(analytics.call(search, { search: text }, { signal }));
  return matching(
    (answer?.data.proposals ?? []).map(({ proposalKey, ...rest }) => ({ ...rest, publicKey: proposalKey })),
    text,
  );
}

const newest = (rows: readonly ProposalRow[]): readonly ProposalRow[] =>
  rows.toSorted((a, b) => (b.endsAt ?? b.createdAt ?? 0) - (a.endsAt ?? a.createdAt ?? 0));

const listOf = ({ slug }: Project): readonly ActionDraft[] => [{ label: 'All proposals', line: commandLine('proposals', slug) }];

const MAX_CHOICES = 6;

function choice(
  says: string,
  {
    rows,
    view,
    project,
    deps,
  }: { readonly rows: readonly Hit[]; readonly view: string; readonly project?: Project; readonly deps: FindProposalDeps },
): UserError {
  return new UserError(says, {
    actions: [...choices(rows, { view, now: deps.now }), ...(project === undefined ? [] : listOf(project))],
  });
}

export const choices = (rows: readonly Hit[], { view, now }: { readonly view: string; readonly now: Instant }): readonly ActionDraft[] =>
  rows
    .flatMap(({ publicKey, title, endsAt, createdAt, projectName, slug }) => {
      if (publicKey === undefined || keyFault(publicKey) !== undefined) return [];
      const at = endsAt ?? createdAt;
      const isElsewhere = rows.some((other) => other.title === title && other.slug !== slug);
      const day = at === undefined ? (projectName ?? slug) : date(at, now);
      const mark = isElsewhere && at !== undefined ? [slug, day].filter((part) => part !== undefined).join(' ') : day;
      return [
        { label: shortened(title ?? publicKey, mark), line: commandLine('proposal', publicKey, ...(view === 'summary' ? [] : [view])) },
      ];
    })
    .slice(0, MAX_CHOICES);

async function whichLive({ view }: ProposalQuery, deps: FindProposalDeps): Promise<UserError> {
  const { answer, missing } = await optional(deps.analytics.call(liveMarkets, {}, { signal: deps.signal }));
  if (missing instanceof AnalyticsError && missing.trouble === 'budget-spent') throw missing;
  const actions = choices(answer?.data.rows ?? [], { view, now: deps.now });
  return new UserError('Which proposal? Add a project and words of its title, or a public key.', {
    usage: 'proposal',
    actions: [...actions, { label: 'Proposals', line: '/proposals' }],
  });
}
