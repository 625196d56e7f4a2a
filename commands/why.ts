/** /why: what became of an alert here, and why something was not told. A button under each alert carries its delivery's id. */
import { z } from 'zod';
import { fateLine, type OneSubject, type Step, type Story, type Way } from '../src/alerts/why.js';
import { calledHere, kindsFor, targetName, type Target } from '../src/alerts/entry.js';
import { reply, type Block, type Line, type Reply } from '../src/chat/reply.js';
import { duration } from '../src/domain/format.js';
import { defineCommand } from '../src/dispatch/command.js';
import { UserMistake } from '../src/dispatch/mistake.js';
import type { Context } from '../src/dispatch/context.js';
import { entryNamed, targetOf } from '../src/dispatch/targets.js';
import { snapshotLines } from '../src/dispatch/wallet/snapshot.js';
import { walletTitle } from '../src/dispatch/wallets.js';
import type { WalletAddress } from '../src/domain/wallet.js';

const LATELY = 8;

export default defineCommand({
  name: 'why',
  summary: 'Why an alert came, or why it did not',
  args: z.object({
    about: z.string().optional().describe('a project, a wallet, or the id of an alert').meta({ complete: 'project' }),
    kind: z.string().optional().describe('an alert kind, such as supply'),
  }),
  examples: ['/why', '/why tide', '/why tide supply'],
  async run({ about, kind }, context) {
    if (about === undefined) return lately(context);
    const stories = await context.why.ofDelivery(context.chat, about);
    if (stories !== undefined) return told(stories);
    const kinds = context.kinds.map(({ id }) => id).filter((id) => kind === undefined || id === kind.toLowerCase());
    if (kinds.length === 0)
      throw new UserMistake(`There is no alert kind "${kind}". There are ${context.kinds.map(({ id }) => id).join(', ')}.`);
    const { subject, title, target } = await asked(about, context);
    const own = kindsFor(target, kinds);
    if (own.length === 0) throw new UserMistake(`There is no ${kind} news of ${title}.`);
    const ways = await Promise.all(own.map(async (feed) => context.why.ofSilence(context.chat, subject, feed)));
    const { blocks, ...rest } = silence(title, ways);
    return { ...rest, blocks: [...blocks, ...(target.kind === 'wallet' ? ageOf(target.address, context) : [])] };
  },
});

/** News of holdings can be no younger than the snapshot. */
function ageOf(address: WalletAddress, { refreshes, now }: Context): readonly Block[] {
  const standing = refreshes.standing(address);
  return reply({ finding: [], blocks: snapshotLines(standing, { standing, maxAge: refreshes.maxAge, now }) }).blocks;
}

/** What the question is about, and as which target it would be watched. */
async function asked(
  text: string,
  context: Context,
): Promise<{ readonly subject: OneSubject; readonly title: string; readonly target: Target }> {
  const target = entryNamed(text, context.watchlists.read(context.chat))?.target ?? (await targetOf(text, context));
  if (target.kind === 'wallet') return { target, subject: { wallet: target.address }, title: walletTitle(target) };
  const project = target.kind === 'project' ? await context.directory.get(target.slug) : await context.directory.find(text, context.signal);
  return { target: { kind: 'project', slug: project.slug }, subject: { project: project.slug }, title: project.name };
}

function told(stories: readonly Story[]): Reply {
  const [first] = stories;
  if (first === undefined) return reply({ finding: ['This alert is too old: its events are no longer kept'] });
  const finding: Line =
    first.entry === undefined
      ? ['You were told because this chat watched it then']
      : [
          'You are told because this chat watches ',
          { strong: calledHere(first.entry.target) ?? targetName(first.entry.target) },
          ` → ${first.event.feed} (set by ${first.entry.by} `,
          { at: first.entry.since },
          ')',
        ];
  return reply({
    finding,
    blocks: [
      { kind: 'list', items: stories.map((story) => ({ line: story.headline, detail: [...whenLine(story), ...fateLine(story.fate)] })) },
    ],
  });
}

function whenLine({ event }: Story): Line {
  const seen: Line = ['seen ', { at: event.seenAt }];
  const age: Line = event.occurredAt === undefined ? [] : ['changed ', { at: event.occurredAt }, ', '];
  const late = event.occurredAt === undefined ? '' : ` (${duration(event.seenAt - event.occurredAt)} later)`;
  return [...age, ...seen, `${late} · `];
}

async function lately({ why, chat, watchlists }: Context): Promise<Reply> {
  if (watchlists.read(chat).entries.length === 0) {
    return reply({
      finding: ['This chat watches nothing, so nothing is told here'],
      actions: [{ label: 'Watch everything', line: '/watch all' }],
    });
  }
  const stories = await why.lately(chat, LATELY);
  if (stories.length === 0)
    return reply({ finding: ['Nothing has changed since this chat began to watch'], actions: [{ label: 'Status', line: '/status' }] });
  return reply({
    finding: ['The latest news, and what became of it here'],
    blocks: [
      {
        kind: 'list',
        items: stories.map((story) => ({ line: story.headline, detail: [`${story.event.feed} · `, ...fateLine(story.fate)] })),
      },
    ],
  });
}

function silence(name: string, ways: readonly (Way & { readonly latest?: Story })[]): Reply {
  const stuck = ways.some((way) => way.steps.some((step) => !step.ok));
  return reply({
    finding: [{ strong: name }, stuck ? ': how far news got on its way here' : ': everything seen was told here'],
    blocks: ways.map((way): Block => ({ kind: 'list', more: 0, items: [wayItem(way), ...way.steps.map(stepItem)] })),
  });
}

type Item = Extract<Block, { kind: 'list' }>['items'][number];

/** The kind, and the latest of its news. */
const wayItem = ({ feed, latest }: Way & { readonly latest?: Story }): Item => ({
  tone: 'plain',
  line: [
    { strong: feed },
    ...(latest ? [': ', ...latest.headline.map((span) => (typeof span === 'object' && 'strong' in span ? span.strong : span))] : []),
  ],
});

const stepItem = ({ name, ok, says }: Step): Item => ({ tone: 'plain', line: [`${ok ? '✓' : '✗'} ${name}: `, ...says] });
