/** /feeds [action] [feed]: secret addresses of this chat's calendar and of its alerts as an Atom feed. */
import { z } from 'zod';
import { FEED_KINDS, type FeedKind } from '../src/chat/feed-addresses.js';
import { reply, type ActionDraft, type BlockDraft, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { UserError, commandLine, line } from '../src/reply/index.js';

const ACTIONS = ['new', 'revoke'] as const;

export default defineCommand({
  name: 'feeds',
  summary: 'A calendar and an Atom feed of this chat for other apps',
  group: 'watching',
  audience: 'asker',
  personal: true,
  managersOnly: true,
  args: z.object({
    action: z.enum(ACTIONS).optional().describe('new: make an address; revoke: end it'),
    feed: z.enum(FEED_KINDS).optional().describe('calendar: market ends, launches and unlocks; alerts: an Atom feed'),
  }),
  examples: ['/feeds', '/feeds new calendar', '/feeds new alerts', '/feeds revoke calendar'],
  phrases: {
    '/feeds new alerts': `create an atom feed of our alerts | make an rss feed of this chat's alerts | new atom address | set up a feed of our alerts for a feed reader`,
    '/feeds new calendar': `create a calendar address | make a calendar feed | put the dates into my phone calendar | new calendar address | set up a calendar subscription`,
    '/feeds revoke calendar': `revoke the calendar address | delete our calendar link | the calendar link leaked so kill it | our calendar address is no longer secret`,
    '/feeds revoke alerts': `revoke the atom feed | the feed address leaked | delete our rss feed of alerts`,
    '/feeds': `calendar subscription | subscribe to a calendar | is there an ics link | ical address | atom feed | rss feed of this chat | feed url`,
  },
  manages: ({ action }) => action !== undefined,
  changes: ({ action }) => action !== undefined,
  elsewhere: true,

  async run({ action, feed }, context) {
    if (action === undefined) return overview(context, feed);
    if (feed === undefined)
      throw new UserError(action === 'new' ? 'A new address of what?' : 'Which address should end?', {
        actions: FEED_KINDS.map((kind) => ({ label: TITLES[kind], line: commandLine('feeds', action, kind) })),
      });
    return action === 'new' ? made(feed, context) : revoked(feed, context);
  },
});

const TITLES: Readonly<Record<FeedKind, string>> = { calendar: 'Calendar', alerts: 'Alerts feed' };
const SAYS: Readonly<Record<FeedKind, string>> = {
  calendar: 'Market ends, TWAP windows, launches, cliffs and unlocks, for any calendar app.',
  alerts: "This chat's alerts as an Atom feed, for any feed reader.",
};
const HOW: Readonly<Record<FeedKind, string>> = {
  calendar: 'Subscribe to it in your calendar app ("From URL"). Times that move and events that are cancelled follow by themselves.',
  alerts: 'Add it to your feed reader. A corrected alert is updated there.',
};
const NOT_PUBLIC = 'This bot has no public address, so other apps cannot reach it. Its operator can set PUBLIC_URL.';

function overview(context: Context, only: FeedKind | undefined): Reply {
  const { feeds, chat, place } = context;
  const known = feeds.read(chat);
  const kinds = only === undefined ? FEED_KINDS : [only];
  const blocks: BlockDraft[] = [
    {
      kind: 'list',
      items: kinds.map((kind) => {
        const at = known[kind];
        return {
          line: [{ strong: `${TITLES[kind]}: ` }, ...(at === undefined ? ['no address'] : ['address made ', { at }])],
          detail: [SAYS[kind]],
        };
      }),
    },
    line(feeds.isPublic ? 'An address is shown once, when it is made. A new one replaces it.' : NOT_PUBLIC),
  ];
  const actions = kinds.flatMap((kind): readonly ActionDraft[] => [
    ...(feeds.isPublic ? [{ label: `New ${TITLES[kind].toLowerCase()} address`, line: commandLine('feeds', 'new', kind) }] : []),
    ...(known[kind] === undefined ? [] : [{ label: `Revoke ${TITLES[kind].toLowerCase()}`, line: commandLine('feeds', 'revoke', kind) }]),
  ]);
  return reply({ finding: [{ strong: `Calendar and feed of ${place}` }], blocks, actions });
}

async function made(kind: FeedKind, { feeds, chat }: Context): Promise<Reply> {
  const had = feeds.read(chat)[kind] !== undefined;
  const url = await feeds.create(chat, kind);
  if (url === undefined) throw new UserError(NOT_PUBLIC);
  return reply({
    finding: [{ strong: `${TITLES[kind]} address` }, had ? '. The old one stopped working.' : ''],
    blocks: [
      line({ code: url }),
      line(HOW[kind]),
      line('Whoever has this address can read it. It is not shown again; if it gets lost or leaks, make a new one.'),
    ],
    actions: [
      { label: 'Revoke', line: commandLine('feeds', 'revoke', kind), emphasis: 'danger' },
      { label: 'Feeds', line: '/feeds' },
    ],
  });
}

async function revoked(kind: FeedKind, { feeds, chat }: Context): Promise<Reply> {
  const had = await feeds.revoke(chat, kind);
  return reply({
    tone: 'over',
    finding: [
      { strong: had ? `The ${TITLES[kind].toLowerCase()} address stopped working` : `There was no ${TITLES[kind].toLowerCase()} address` },
    ],
    actions: [
      ...(feeds.isPublic ? [{ label: 'New address', line: commandLine('feeds', 'new', kind) }] : []),
      { label: 'Feeds', line: '/feeds' },
    ],
  });
}
