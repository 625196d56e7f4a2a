/** /why: why an alert was sent, or why there was none. */
import { z } from 'zod';
import { kindsFor, LAUNCHES_FEED, shortName, targetName, type Target } from '../../src/alerts/watchlist/entry.js';
import { capitalised } from '../../src/base/capitalised.js';
import { looksLikeDelivery } from '../../src/alerts/queue/queued-event.js';
import { covering } from '../../src/alerts/evaluation/match.js';
import type { OneSubject } from '../../src/alerts/explanation/explain.js';
import { clockDoubtLine } from '../../src/chat/clock-doubt.js';
import { reply, type Block, type Line, type Reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { line, commandLine, unknownMessage, UserError, snapshotLines, walletTitle } from '../../src/reply/index.js';
import type { Context } from '../../src/dispatch/context.js';
import { entryNamed, targetOf, titleOf } from '../../src/dispatch/watchlists/targets.js';
import { noAlertPage } from './no-alert.js';
import { alertPage } from './alert.js';
import { digestReason } from './digest.js';
import { explanationList, proposalReason } from './proposal.js';
import type { WalletAddress } from '../../src/domain/wallet.js';

const MAX_LATEST = 8;
const MAX_BUTTONS = 10;

export default defineCommand({
  name: 'why',
  summary: 'Why an alert came, or why it did not',
  args: z.object({
    topic: z.string().optional().describe('a project, a wallet, a proposal, all, or the id of an alert').meta({ complete: 'target' }),
    kind: z.string().optional().describe('the kind of alert').meta({ choices: 'kinds' }),
  }),
  group: 'watching',
  personal: true,
  examples: ['/why', '/why tide', '/why tide supply', '/why all supply'],
  async run(given, context) {
    const doubt = context.why.clockDoubt();
    const explained = await explain(given, context);
    if (doubt === undefined) return explained;
    const { blocks } = reply({ finding: [], blocks: [line('⚠ ', ...clockDoubtLine(doubt))] });
    return { ...explained, blocks: [...blocks, ...explained.blocks] };
  },
});

async function explain(
  { topic: requested, kind }: { readonly topic?: string | undefined; readonly kind?: string | undefined },
  context: Context,
): Promise<Reply> {
  const about = requested ?? (kind === undefined ? undefined : kind === LAUNCHES_FEED ? LAUNCHES_FEED : onlyOne(kind, context));
  if (about === undefined) return recentPage(context);
  const explanations = await context.why.ofDelivery(context.chat, about);
  const digest = explanations?.length === 0 ? await digestReason(about, context) : undefined;
  if (digest !== undefined) return digest;
  if (explanations !== undefined) return alertPage(about, explanations, context);
  if (looksLikeDelivery(about) && !(await isNamed(about, context))) throw unknownMessage();
  const proposal = (await isNamed(about, context)) ? undefined : await proposalReason(about, context);
  if (proposal !== undefined) return proposal;
  const kinds = context.kinds.map(({ id }) => id).filter((id) => kind === undefined || id === kind);
  const { subject, title, target } = await traceSubject(about, context);
  const [first, ...others] = kindsFor(target, kinds);
  if (first === undefined) throw new UserError(`There are no ${kind ?? ''} alerts for ${title}.`);
  if (target.kind === 'all' && kind !== LAUNCHES_FEED) return acrossProjects(kind, context);
  const chat = context.watchlists.read(context.chat);
  const walk = async (feed: string) => ({
    ...(await context.why.ofSilence(context.chat, subject, feed)),
    entry: covering({ feed, ...(subject === 'everything' ? {} : subject) }, chat)[0],
  });
  const { blocks, ...rest } = noAlertPage([await walk(first), ...(await Promise.all(others.map(walk)))], { title, target });
  return { ...rest, blocks: [...blocks, ...(target.kind === 'wallet' ? ageOf(target.address, context) : [])] };
}

const isNamed = async (text: string, { watchlists, chat, directory }: Context): Promise<boolean> =>
  entryNamed(text, watchlists.read(chat)) !== undefined || (await directory.named(text)).length > 0;

function onlyOne(kind: string, { watchlists, chat }: Context): string {
  const targets = watchlists.read(chat).entries.flatMap(({ target }) => (kindsFor(target, [kind]).length > 0 ? [target] : []));
  const own = targets.filter(({ kind: of }) => of === 'project' || of === 'wallet');
  const [only, ...others] = own;
  if (only !== undefined && others.length === 0 && targets.length === 1) return targetName(only);
  throw new UserError(`${capitalised(kind)} alerts of which entry? Add a project or a wallet.`, {
    usage: 'why',
    actions: own.slice(0, MAX_BUTTONS).map((target) => ({ label: shortName(target), line: commandLine('why', targetName(target), kind) })),
  });
}

function ageOf(address: WalletAddress, { refreshes, now }: Context): readonly Block[] {
  const standing = refreshes.standing(address);
  return reply({ finding: [], blocks: snapshotLines(standing, { standing, maxAge: refreshes.maxAge, now }) }).blocks;
}

async function traceSubject(
  text: string,
  context: Context,
): Promise<{ readonly subject: OneSubject; readonly title: string; readonly target: Target }> {
  const target = entryNamed(text, context.watchlists.read(context.chat))?.target ?? (await targetOf(text, context));
  if (target.kind === 'wallet') return { target, subject: { wallet: target.address }, title: walletTitle(target) };
  if (target.kind !== 'project') return { target, subject: 'everything', title: await titleOf(target, context) };
  const { name } = await context.directory.get(target.slug);
  return { target, subject: { project: target.slug }, title: name };
}

const MAX_SEARCHED = 200;

async function acrossProjects(kind: string | undefined, { why, chat, watchlists }: Context): Promise<Reply> {
  if (!watchlists.read(chat).entries.some(({ target }) => target.kind === 'all'))
    throw new UserError('This chat does not watch all projects.', {
      actions: [
        { label: 'Watchlist', line: '/watchlist' },
        { label: 'Watch all', line: '/watch all' },
      ],
    });
  const all = await why.lately(chat, MAX_SEARCHED);
  const explanations = all.filter(({ entry, event }) => entry?.target.kind === 'all' && (kind === undefined || event.feed === kind));
  const finding: Line = [{ strong: `All projects${kind === undefined ? '' : `, ${kind}`}` }];
  return reply({
    finding: [...finding, explanations.length === 0 ? ': no changes since this chat started watching' : ': latest events'],
    blocks: [explanationList(explanations.slice(0, MAX_LATEST))],
    actions: [{ label: 'History', line: '/history' }],
    fields: [
      { kind: 'text', label: 'Why no alert for one project', hint: 'its name', line: `/why {}${kind === undefined ? '' : ` ${kind}`}` },
    ],
  });
}

async function recentPage({ why, chat, watchlists }: Context): Promise<Reply> {
  if (watchlists.read(chat).entries.length === 0) {
    return reply({
      finding: ['Nothing is watched in this chat, so it gets no alerts'],
      actions: [{ label: 'Watch everything', line: '/watch all' }],
    });
  }
  const explanations = await why.lately(chat, MAX_LATEST);
  if (explanations.length === 0)
    return reply({ finding: ['No changes since this chat started watching'], actions: [{ label: 'Status', line: '/status' }] });
  return reply({
    finding: ['Latest events in this chat'],
    blocks: [explanationList(explanations)],
    actions: [{ label: 'History', line: '/history' }],
  });
}
