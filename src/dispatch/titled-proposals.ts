/** Lists of proposals by words of their titles. */
import { UnknownProjectError } from '../analytics/directory.js';
import { EMPTY_PROPOSAL, proposalDetail, proposalIdentity, proposals, type ProposalRow } from '../analytics/endpoints/proposals.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { brief } from '../base/one-line.js';
import { reply, type Reply } from '../chat/reply.js';
import { phaseOf } from '../domain/market-phase.js';
import type { Project } from '../domain/project.js';
import type { Instant } from '../domain/scalars.js';
import { shortKey } from '../domain/wallet.js';
import { counted, commandLine, choices, titledAnywhere, optional, PAGE_SIZE, proposalItem, matching } from '../reply/index.js';
import type { Context } from './context.js';

const MAX_BUTTONS = 4;

/** Text that names no project may be words of a title. */
export async function projectOrTitles(title: string, text: string, context: Context): Promise<Project | Reply> {
  try {
    return await context.directory.find(text, context.signal);
  } catch (error) {
    if (!(error instanceof UnknownProjectError) || error.several) throw error;
    const rows = await titledAnywhere(title, context);
    if (rows.length === 0) throw error;
    return titledPage(await stated(rows, context), title, context.now);
  }
}

export async function titled(words: string, context: Context): Promise<Reply> {
  return titledPage(await stated(await titledAnywhere(words, context), context), words, context.now);
}

export async function titledIn({ slug, name }: Project, words: string, { analytics, signal, now }: Context): Promise<Reply> {
  const { rows } = await analytics.walk(proposals, { slug }, proposalIdentity, { signal });
  return titledPage(matching(rows, words), words, now, { name, slug });
}

function titledPage(found: readonly Partial<ProposalRow>[], words: string, now: Instant, project?: Pick<Project, 'name' | 'slug'>): Reply {
  const rows = found.map((row): ProposalRow => ({ ...EMPTY_PROPOSAL, ...row })).slice(0, PAGE_SIZE);
  const whose = project === undefined ? '' : ` of ${project.name}`;
  return reply({
    finding: [
      {
        strong: `${found.length === 0 ? 'No proposals' : counted(found.length, 'proposal')}${whose} ${found.length === 1 ? 'matches' : 'match'} "${brief(words)}"`,
      },
      found.length > rows.length ? `, showing ${rows.length}` : '',
    ],
    blocks: [
      {
        kind: 'list',
        items: rows.map((row) => (hasState(row) ? proposalItem(row, { now, named: project === undefined }) : titleItem(row))),
      },
    ],
    actions: [
      ...choices(rows, { view: 'summary', now }).slice(0, MAX_BUTTONS),
      project === undefined
        ? { label: 'Live proposals', line: '/proposals' }
        : { label: 'All proposals', line: commandLine('proposals', project.slug) },
    ],
  });
}

type Hit = Partial<ProposalRow>;

/** Each costs a request. */
const MAX_STATED = 3;

/** Search results lack them. */
async function stated(found: readonly Hit[], { analytics, directory, signal }: Context): Promise<readonly Hit[]> {
  const isLimited = analytics.state().budget.limit !== undefined;
  const most = isLimited ? MAX_STATED : PAGE_SIZE;
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

const hasState = (row: ProposalRow): boolean => phaseOf(row) !== undefined;

const titleItem = ({ title, publicKey, projectName, slug }: ProposalRow) => ({
  line: [
    { strong: title ?? publicKey ?? 'Untitled' },
    ` (${projectName ?? slug ?? 'unknown project'})${title === undefined || publicKey === undefined ? '' : ` ${shortKey(publicKey)}`}`,
  ],
});
