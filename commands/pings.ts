/** /pings [action] [kinds]: roles that members of a Discord server give themselves to be pinged for some alerts. */
import { z } from 'zod';
import { PINGS, PING_TITLES, pingsWith, withoutPing, type Ping, type Pings } from '../src/alerts/watchlist/pings.js';
import type { Chat } from '../src/alerts/watchlist/watchlists.js';
import { both } from '../src/base/sentence-lists.js';
import type { PingRoles, ReplacedRoles } from '../src/chat/ping-roles.js';
import type { Address } from '../src/chat/address.js';
import { reply, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { requirePosting } from '../src/dispatch/watchlists/first-checks.js';
import { UserError, line, textOption } from '../src/reply/index.js';

const ROLE_NAMES: Readonly<Record<Ping, string>> = {
  proposals: 'Proposal pings',
  launches: 'Launch pings',
  discounts: 'Deep discount pings',
};

export default defineCommand({
  name: 'pings',
  summary: 'Roles that members take themselves, to be pinged for some alerts',
  group: 'watching',
  personal: true,
  args: z.object({
    action: z
      .enum(['on', 'off', 'take'])
      .optional()
      .describe('on: make the roles and post the buttons; off: end the mentions; take: take or leave a role yourself'),
    kinds: textOption('which of proposals, launches and discounts').meta({ rest: true }),
  }),
  examples: ['/pings', '/pings on', '/pings on proposals discounts', '/pings take proposals', '/pings off', '/pings off launches'],
  phrases: {
    '/pings': `ping roles | which roles can I take | what ping roles are there | show the ping roles | roles for pings | how do I get the ping role |
      self assign roles | how do members opt in to pings | opt-in roles for alerts | which roles get mentioned here | notification roles`,
    '/pings on': `set up ping roles | make roles for pings | create the ping roles | let members choose what they are pinged for | make
      self-assignable roles for alerts | post the buttons for the ping roles | turn ping roles on | add roles that members can take`,
    '/pings off': `turn ping roles off | no more ping roles | stop mentioning the ping roles | remove the ping roles | disable ping roles | end the
      role mentions`,
    '/pings take {pinged}': `give me the role for launches | I want the proposal ping role | take the launch role | get me the role for deep discounts | add
      me to the proposal pings | I'd like to be pinged for proposals like the others | join the launch pings | leave the launch ping
      role | take me out of the proposal pings | remove my discount role | opt me in to launch pings | opt out of proposal pings`,
  },
  manages: ({ action }) => isSetup(action),
  changes: ({ action }) => action !== undefined,

  async run({ action, kinds }, context): Promise<Reply> {
    const { pingRoles } = context.asker;
    if (pingRoles === undefined) throw new UserError('Ping roles are for channels of a Discord server, where Navwatch is installed.');
    if (action === undefined) return page(context);
    const chosen = chosenKinds(kinds);
    if (action === 'on') return setUp(chosen, pingRoles, context);
    if (action === 'off') return switchOff(chosen, context);
    const [only, ...others] = chosen;
    if (only === undefined || others.length > 0)
      throw new UserError('Which role?', { actions: PINGS.map((ping) => ({ label: PING_TITLES[ping], line: `/pings take ${ping}` })) });
    return toggle(only, pingRoles, context);
  },
});

const isSetup = (action: string | undefined): boolean => action === 'on' || action === 'off';

function chosenKinds(text = ''): readonly Ping[] {
  const words = text
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter((word) => word !== '');
  const strange = words.find((word) => !PINGS.some((ping) => ping === word));
  if (strange !== undefined) throw new UserError(`"${strange}" has no ping role. Choose from ${both(PINGS)}.`);
  return words.length === 0 ? PINGS : PINGS.filter((ping) => words.includes(ping));
}

async function setUp(chosen: readonly Ping[], pingRoles: PingRoles, context: Context): Promise<Reply> {
  const { watchlists, chat } = context;
  if (watchlists.read(chat).entries.length === 0)
    throw new UserError('Nothing is watched here yet.', { actions: [{ label: 'Watch', line: '/watch' }] });
  const again = ['/pings on', ...(chosen.length === PINGS.length ? [] : chosen)].join(' ');
  const retry = { actions: [{ label: 'Try again', line: again }] };
  await requirePosting(again, context);
  const blocked = await pingRoles.blocked();
  if (blocked !== undefined) throw new UserError(blocked, retry);
  const made = await pingRoles.make(chosen.map((purpose) => ({ purpose, name: ROLE_NAMES[purpose] })));
  await mentionInstead(made.replaced, context);
  if (made.kind === 'refused') throw new UserError(made.says, retry);
  const pings: Pings = Object.fromEntries(chosen.flatMap((ping) => (made.roles[ping] === undefined ? [] : [[ping, made.roles[ping]]])));
  // Roles that were set up here before stay set up.
  await watchlists.change(chat, (before) => ({ ...before, pings: { ...before.pings, ...pings } }));
  const failure = await pingRoles.post(invitation(chosen));
  if (failure !== undefined) throw new UserError(['The roles are ready, but their message was not posted. ', failure], retry);
  return page(context, made.warning);
}

/** Other channels of the server mention the same roles. */
async function mentionInstead(replaced: ReplacedRoles, { watchlists }: Context): Promise<void> {
  for (const [old, role] of replaced)
    for (const address of mentioning(old, watchlists))
      await watchlists.change(address, (chat) => withPings(chat, chat.pings && pingsWith(chat.pings, old, role)));
}

const mentioning = (role: string, watchlists: Context['watchlists']): readonly Address[] =>
  [...watchlists.addresses()].filter((address) => Object.values(watchlists.compact(address)?.bare.pings ?? {}).includes(role));

async function switchOff(chosen: readonly Ping[], context: Context): Promise<Reply> {
  await context.watchlists.change(context.chat, (chat) =>
    withPings(
      chat,
      chosen.reduce<Pings | undefined>((left, ping) => left && withoutPing(left, left[ping]), chat.pings),
    ),
  );
  return page(context);
}

async function toggle(ping: Ping, pingRoles: PingRoles, { watchlists, chat: here }: Context): Promise<Reply> {
  const what = PING_TITLES[ping].toLowerCase();
  const change = await pingRoles.toggle(ping);
  if (change.kind === 'refused') throw new UserError(change.says);
  // Nearly always this chat pings the role. Only if it does not, all chats are searched for one that does.
  if (change.kind === 'given' && watchlists.read(here).pings?.[ping] !== change.role && mentioning(change.role, watchlists).length === 0)
    return answer(`You have the role now, but no channel pings for ${what}. Press again to leave it.`);
  if (change.kind === 'given') return answer(`You're pinged for ${what} now. Press again to stop.`);
  if (change.kind === 'taken') return answer(`You're not pinged for ${what}. Press again to start.`);
  if (change.kind === 'absent') throw new UserError([`There is no ping role for ${what} here. `, ...SET_UP]);
  for (const address of mentioning(change.role, watchlists))
    await watchlists.change(address, (chat) => withPings(chat, chat.pings && withoutPing(chat.pings, change.role)));
  throw new UserError([`The role for ${what} was deleted, so nobody is pinged for them. `, ...SET_UP]);
}

const SET_UP = ['Somebody with Manage Roles can set it up: ', { code: '/pings on' }] as const;

const answer = (says: string): Reply => reply({ tone: 'live', finding: [says], audience: 'asker' });

function withPings(chat: Chat, pings: Pings | undefined): Chat {
  const { pings: _, ...rest } = chat;
  return pings === undefined ? rest : { ...rest, pings };
}

const invitation = (chosen: readonly Ping[]): Reply =>
  reply({
    finding: [{ strong: 'Choose what you want to be pinged for' }],
    blocks: [
      line('A press gives you the role, another one takes it away. The roles have no permissions.'),
      ...(chosen.includes('discounts') ? [line('Deep discounts: premium alerts at 10% below NAV or more.')] : []),
    ],
    actions: chosen.map((ping) => ({ label: PING_TITLES[ping], line: `/pings take ${ping}` })),
  });

function page({ watchlists, chat, place }: Context, warning?: string): Reply {
  const { pings = {} } = watchlists.read(chat);
  const on = PINGS.filter((ping) => pings[ping] !== undefined);
  return reply({
    tone: on.length === 0 ? 'plain' : 'live',
    finding: [{ strong: on.length === 0 ? `Ping roles: off in ${place}` : `Ping roles: on in ${place}` }],
    blocks: [
      ...(warning === undefined ? [] : [line(`⚠ ${warning}`)]),
      line('Members press a button to be pinged for some alerts, and press it again to stop. One role of the server for each:'),
      {
        kind: 'list',
        items: PINGS.map((ping) => ({
          tone: on.includes(ping) ? ('live' as const) : ('over' as const),
          line: [{ strong: PING_TITLES[ping] }, ` "${ROLE_NAMES[ping]}"`],
          ...(ping === 'discounts' ? { detail: ['premium alerts at 10% below NAV or more'] } : {}),
        })),
      },
      line('The roles have no permissions, and I give a role only while it has none. Silent alerts ping nobody.'),
      ...(on.length === 0 ? [] : [line('Off ends the mentions. The roles stay in the server until somebody deletes them.')]),
    ],
    actions: [
      {
        label: on.length === 0 ? 'Make roles and post' : 'Post again',
        line: ['/pings on', ...(on.length === PINGS.length ? [] : on)].join(' '),
        ...(on.length === 0 ? { emphasis: 'primary' as const } : {}),
      },
      ...(on.length === 0 ? [] : [{ label: 'Off', line: '/pings off' }]),
    ],
    audience: 'asker',
  });
}
