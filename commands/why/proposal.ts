/** Alerts about one proposal, named by its public key. */
import { proposalDetail } from '../../src/analytics/endpoints/proposals.js';
import { dispositionLine, type Explanation } from '../../src/alerts/explanation/explain.js';
import { covering } from '../../src/alerts/evaluation/match.js';
import { reply, type BlockDraft, type Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { slugSchema } from '../../src/domain/scalars.js';
import { keyFault, looksLikeKey, shortKey } from '../../src/domain/wallet.js';
import { commandLine, optional } from '../../src/reply/index.js';
import { noAlertPage } from './no-alert.js';

const FEED = 'proposals';
const MAX_ALERTS = 8;

/** What this chat knows is answered without a request. Undefined for the key of something else, such as a wallet. */
export async function proposalReason(key: string, context: Context): Promise<Reply | undefined> {
  if (!looksLikeKey(key) || keyFault(key) !== undefined) return undefined;
  const { why, chat, watchlists, analytics, directory, signal } = context;
  const explanations = await why.ofProposal(chat, key, MAX_ALERTS);
  const actions = [{ label: 'Proposal', line: commandLine('proposal', key) }];
  if (explanations.length > 0)
    return reply({
      finding: [{ strong: `Proposal ${shortKey(key)}` }, ': its latest events'],
      blocks: [explanationList(explanations)],
      actions: [...actions, { label: 'History', line: '/history' }],
    });
  const { answer } = await optional(analytics.call(proposalDetail, { publicKey: key }, { signal }));
  const of = slugSchema.safeParse(answer?.data.slug);
  if (answer === undefined || !of.success) return undefined;
  const project = of.data;
  const trace = await why.ofSilence(chat, { project }, FEED);
  const entry = covering({ feed: FEED, project }, watchlists.read(chat))[0];
  const { name } = await directory.get(project);
  const { title } = answer.data;
  const shown = noAlertPage([{ ...trace, entry }], { title: name, target: { kind: 'project', slug: project } });
  const about = title === undefined ? `Proposal ${shortKey(key)}` : `"${title}"`;
  return {
    ...shown,
    finding: [{ strong: about }, ': nothing happened since this chat could see it. ', ...shown.finding],
    actions: [...shown.actions, ...reply({ finding: [], actions }).actions],
  };
}

export const explanationList = (explanations: readonly Explanation[]): BlockDraft => ({
  kind: 'list',
  items: explanations.map((explanation) => ({
    line: explanation.headline,
    detail: [`${explanation.event.feed} · `, ...dispositionLine(explanation.disposition)],
  })),
});
