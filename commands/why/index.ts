/** /why: why an alert was sent, or why there was none. */
import { z } from 'zod';
import { LAUNCHES_FEED, kindsFor, shortName, targetName, type Target } from '../../src/alerts/watchlist/entry.js';
import { capitalised } from '../../src/base/sentence-lists.js';
import { looksLikeDelivery } from '../../src/alerts/queue/queued-event.js';
import { dispositionLine, type Explanation, type OneSubject } from '../../src/alerts/explanation/explain.js';
import { clockDoubtLine } from '../../src/chat/clock-doubt.js';
import { reply, type Block, type BlockDraft, type Line, type Reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import {
  UserError,
  commandLine,
  line,
  optional,
  snapshotLines,
  unknownMessage,
  walletTitle,
  zoneName,
  zoneOf,
} from '../../src/reply/index.js';
import type { Context } from '../../src/dispatch/context.js';
import { entryNamed, targetOf, titleOf } from '../../src/dispatch/watchlists/targets.js';
import { noAlertPage } from './no-alert.js';
import { alertPage } from './alert.js';
import { keyFault, looksLikeKey, shortKey, type WalletAddress } from '../../src/domain/wallet.js';
import { digestWords } from '../../src/alerts/digest/setting.js';
import type { HistoryItem } from '../../src/alerts/explanation/history.js';
import { proposalDetail } from '../../src/analytics/endpoints/proposals.js';
import { slugSchema } from '../../src/domain/scalars.js';

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
  elsewhere: true,
  personal: true,
  examples: ['/why', '/why tide', '/why tide supply', '/why all supply'],
  phrases: {
    '/why {topic?} {kind?}': `why did I get that {project} alert | why | why no alert about {project} | why did you ping | why was there no alert about the
      mint of {project} | why did I not get an alert | reason for the last alert | why no {project} proposals | why did we just get
      that alert | you missed the {project} unlock why no alert | explain why {project} was so quiet yesterday | none of the supply
      alerts arrive anymore what is wrong | why did I just get a message about {project} | why was I not alerted | no {project} mint
      alert why | why no message when {project} crossed minus 10 | why did the raise not get posted | reason for the last {wallet}
      alert | why u ping | why did I not become alert of supply for {project}`,
  },
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
  const walk = async (feed: string) => context.why.ofSilence(context.chat, subject, feed);
  const { blocks, ...rest } = noAlertPage([await walk(first), ...(await Promise.all(others.map(walk)))], { title, target });
  return { ...rest, blocks: [...blocks, ...(target.kind === 'wallet' ? ageOf(target.address, context) : [])] };
}

const isNamed = async (text: string, { watchlists, chat, directory }: Context): Promise<boolean> =>
  entryNamed(text, watchlists.read(chat)) !== undefined || (await directory.named(text)).length > 0;

function onlyOne(kind: string, { watchlists, chat }: Context): string {
  const targets = watchlists.read(chat).entries.flatMap(({ target }) => (kindsFor(target, [kind]).length > 0 ? [target] : []));
  const own = targets.filter(({ kind: of }) => of === 'project' || of === 'wallet' || of === 'market');
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
  if (target.kind === 'market') return { target, subject: { market: target.topic }, title: await titleOf(target, context) };
  if (target.kind === 'screen') return { target, subject: { screen: target.filter }, title: targetName(target) };
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

/** Says why a digest was sent or skipped. Returns undefined for a message of alerts. */
async function digestReason(id: string, { history, watchlists, chat: address }: Context): Promise<Reply | undefined> {
  const found = await history.delivery(address, id, { page: 1, size: 1 });
  if (found?.delivery.summary === undefined || found.total > 0) return undefined;
  const chat = watchlists.read(address);
  const now = chat.digest === undefined ? 'off' : `${digestWords(chat.digest)} (${zoneName(zoneOf(chat))})`;
  const isSent = found.delivery.end !== 'dropped' && found.delivery.end !== 'expired' && found.delivery.end !== 'refused';
  return reply({
    finding: [{ strong: found.delivery.summary }, ...(isSent ? [': this chat has a digest switched on'] : [' not sent'])],
    blocks: [line(...endLine(found.delivery)), line(`The digest is now ${now}.`)],
    actions: [
      { label: 'Digest…', line: '/digest' },
      { label: 'History', line: '/history' },
    ],
  });
}

function endLine({ end, because, at, attempts }: HistoryItem): Line {
  const why = because === undefined ? '' : `: ${because}`;
  const tries = attempts > 1 ? ` (${attempts} attempts)` : '';
  switch (end) {
    case 'sent':
      return ['Sent ', { at }, tries];
    case 'maybe sent':
      return ['Maybe sent ', { at }, why];
    case 'under way':
      return ['Being sent since ', { at }, tries, why];
    case 'refused':
    case 'expired':
    case 'dropped':
      return ['Skipped ', { at }, why];
  }
}

const FEED = 'proposals';
const MAX_ALERTS = 8;

/** Shows the alerts about a proposal by its public key, without a request if the chat knows it. Returns undefined for other keys, such as a wallet's. */
async function proposalReason(key: string, context: Context): Promise<Reply | undefined> {
  if (!looksLikeKey(key) || keyFault(key) !== undefined) return undefined;
  const { why, chat, analytics, directory, signal } = context;
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
  const { name } = await directory.get(project);
  const { title } = answer.data;
  const shown = noAlertPage([trace], { title: name, target: { kind: 'project', slug: project } });
  const about = title === undefined ? `Proposal ${shortKey(key)}` : `"${title}"`;
  return {
    ...shown,
    finding: [{ strong: about }, ': nothing happened since this chat could see it. ', ...shown.finding],
    actions: [...shown.actions, ...reply({ finding: [], actions }).actions],
  };
}

const explanationList = (explanations: readonly Explanation[]): BlockDraft => ({
  kind: 'list',
  items: explanations.map((explanation) => ({
    line: explanation.headline,
    detail: [`${explanation.event.feed} · `, ...dispositionLine(explanation.disposition)],
  })),
});
