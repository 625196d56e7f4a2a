/** /board [action]: one message with the figures of what this chat watches, kept up to date and pinned. */
import { z } from 'zod';
import type { Chat } from '../src/alerts/watchlist/watchlists.js';
import { platformOf } from '../src/chat/address.js';
import { reply, type ActionDraft, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { requirePosting } from '../src/dispatch/watchlists/first-checks.js';
import { changePart, undoChange } from '../src/dispatch/watchlists/undo.js';
import { UserError, line } from '../src/reply/index.js';

const ACTIONS = ['on', 'unpinned', 'off', 'undo'] as const;

export default defineCommand({
  name: 'board',
  summary: 'One pinned message with the figures of what is watched here',
  group: 'watching',
  managersOnly: true,
  args: z.object({
    action: z.enum(ACTIONS).optional().describe('on: post and pin it; unpinned: only post it; off: end it; undo: the last change'),
    change: z.coerce.number().int().positive().optional().describe('with undo: the change as its button numbers it'),
  }),
  examples: ['/board', '/board on', '/board unpinned', '/board off', '/board undo'],
  phrases: {
    '/board on': `pin a board with our projects | post a pinned board | keep a pinned message with the prices of what we watch | turn on the board | put up a board | pin a message with our projects and prices | can you pin the prices | post the price board`,
    '/board unpinned': `post the board without pinning it | a board but don't pin it | board unpinned | keep the board but no pin`,
    '/board off': `turn off the board | remove the board | stop the pinned board | remove the pinned message | get rid of the pinned message | unpin that | take the pinned prices down | mute the board | silence the board | pause the board | no board please | no more board`,
    '/board': `is there a board | is the board on`,
  },
  manages: ({ action }) => action !== undefined,
  changes: ({ action }) => action !== undefined,
  elsewhere: true,

  async run({ action, change: number }, context): Promise<Reply> {
    if (action === undefined) return page(context);
    if (number !== undefined && action !== 'undo') throw new UserError(`"${action}" takes no number.`, { usage: 'board' });
    if (action === 'undo') return page(context, await undoChange('board', number, context));
    if (action === 'off') return page(context, await changePart({ part: 'board', edit: withoutBoard }, context));
    if (context.watchlists.read(context.chat).entries.length === 0)
      throw new UserError(context.isElsewhere ? `Nothing is watched in ${context.place} yet.` : 'Nothing is watched here yet.', {
        actions: [{ label: 'Watch', line: '/watch' }],
      });
    if (platformOf(context.chat) === 'webhook') throw new UserError('A webhook has no board. Its messages cannot all be edited.');
    await requirePosting(`/board ${action}`, context);
    const { pin } = await context.probe();
    if (action === 'on' && pin?.missing !== undefined)
      throw new UserError(
        [
          `I can't pin ${context.isElsewhere ? `in ${context.place}` : 'here'}: I need `,
          { strong: pin.missing },
          '. Grant it and try again, or post the board unpinned.',
        ],
        {
          actions: [
            { label: 'Try again', line: '/board on' },
            { label: 'Without a pin', line: '/board unpinned' },
          ],
        },
      );
    const instead = action === 'on' ? (pin === undefined ? NO_PINS : pin.instead) : undefined;
    const isPinned = action === 'on' && instead === undefined;
    const edit = (chat: Chat): Chat => ({ ...chat, board: { since: chat.board?.since ?? context.now, pin: isPinned } });
    const { undo } = await changePart({ part: 'board', edit }, context);
    return page(context, { undo, instead });
  },
});

function withoutBoard(chat: Chat): Chat {
  const { board: _, ...rest } = chat;
  return rest;
}

const NO_PINS = 'Messages cannot be pinned here, so the board is posted without a pin.';
const WHAT = 'Price, premium, NAV and the premium of the last month for up to 10 projects, and the votes and launches that end next.';

interface Changed {
  readonly undo?: readonly ActionDraft[];
  /** Says what people can do where the bot pins nothing. */
  readonly instead?: string | undefined;
}

function page({ watchlists, chat, place }: Context, { undo = [], instead }: Changed = {}): Reply {
  const { board } = watchlists.read(chat);
  return reply({
    tone: board === undefined ? 'plain' : 'live',
    finding: [{ strong: `Board: ${board === undefined ? 'off' : board.pin ? 'on, pinned' : 'on'}` }],
    blocks:
      board === undefined
        ? [line(`One message in ${place}, kept up to date. `, WHAT)]
        : [
            line(WHAT),
            line('It is edited when a figure changes, every 3 minutes at most, and posted again if it is deleted. Alerts go first.'),
            ...(instead === undefined ? [] : [line(instead)]),
          ],
    actions: [
      { label: 'On', line: '/board on', on: board?.pin === true },
      { label: 'Without a pin', line: '/board unpinned', on: board?.pin === false },
      { label: 'Off', line: '/board off', on: board === undefined },
      ...undo,
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });
}
