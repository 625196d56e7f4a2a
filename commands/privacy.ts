/** /privacy [delete me|chat]: what is stored, and its deletion. */
import { z } from 'zod';
import { KEPT_AFTER } from '../src/alerts/watchlist/reachability.js';
import type { Stored } from '../src/chat/privacy.js';
import { reply, type Line, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { UserError } from '../src/replies/user-error.js';
import { both } from '../src/base/sentence-lists.js';
import { counted, dotted, line } from '../src/replies/blocks.js';
import { duration } from '../src/domain/format.js';

export default defineCommand({
  name: 'privacy',
  summary: 'What is stored about this chat and about you, and how to delete it',
  group: 'bot',
  audience: 'asker',
  args: z.object({
    do: z.enum(['delete']).optional().describe('to delete something; without it, what is stored is shown'),
    what: z.enum(['me', 'chat']).optional().describe('your name and id everywhere, or everything about this chat'),
    sure: z.enum(['yes']).optional().describe('that it is really to be deleted'),
  }),
  examples: ['/privacy', '/privacy delete me', '/privacy delete chat'],
  manages: ({ do: deed, what }) => deed === 'delete' && what === 'chat',

  async run({ do: deed, what, sure }, context) {
    if (deed === undefined && what === undefined) return shown(context);
    if (deed === undefined || what === undefined)
      throw new UserError('What should be deleted? “me” is your name and id in every chat, “chat” is everything about this chat.', {
        usage: 'privacy',
        actions: DELETIONS,
      });
    if (what === 'me') return sure === 'yes' ? withoutMe(context) : isMeSure(context);
    return sure === 'yes' ? withoutChat(context) : areYouSure(context);
  },
});

const DELETIONS = [
  { label: 'Delete me', line: '/privacy delete me' },
  { label: 'Delete this chat', line: '/privacy delete chat' },
];

async function shown(context: Context): Promise<Reply> {
  const { chat, person } = await context.privacy.stored(context.chat, context.asker);
  return reply({
    finding: [{ strong: 'What I keep about this chat, and about you' }],
    blocks: [
      line({ strong: 'This chat' }),
      { kind: 'list', items: chatLines(chat) },
      line({ strong: 'You' }),
      { kind: 'list', items: personLines(person) },
      line(
        'The analytics service is told which projects and wallets are asked about, never by whom. A button whose line is long has it kept for three months after it was last shown, and one that holds a list to import for a day or two, without a word of who pressed it or where. Whoever runs this bot has a log, which names chats by their ids.',
      ),
    ],
    actions: [...DELETIONS, { label: 'Export the list', line: '/watchlist export' }],
  });
}

interface Item {
  readonly line: Line;
  readonly detail?: Line;
}

function chatLines({ entries, settings, waiting, told, toldSince, levels, kept }: Stored['chat']): readonly Item[] {
  const until = `until somebody deletes it, or I have been gone from here for ${duration(KEPT_AFTER)}`;
  return [
    {
      line: [`its watchlist: ${counted(entries, 'entry', 'entries')}`, ...(settings.length === 0 ? [] : [`, and ${both(settings)}`])],
      detail: [until],
    },
    {
      line: dotted(
        `its alerts: ${waiting} waiting`,
        toldSince === undefined ? `${told} that went out` : [`${told} that went out, the oldest `, { at: toldSince }],
        levels === 0 ? undefined : `the state of ${counted(levels, 'rule')}`,
      ),
      detail: ['the latest 300 are remembered, for /why and /history'],
    },
    ...kept.map((says): Item => ({ line: [says] })),
    { line: ['nothing else of what is written here'] },
  ];
}

function personLines({ here, elsewhere, pinged }: Stored['person']): readonly Item[] {
  const named = dotted(
    here === 0 ? undefined : `${counted(here, 'entry', 'entries')} of this chat`,
    elsewhere === 0 ? undefined : `${counted(elsewhere, 'entry', 'entries')} of other chats`,
  );
  return [
    named.length === 0
      ? { line: ['your name and id: nowhere'], detail: ['they are kept with what you set up, so that “Why?” can say who did'] }
      : { line: ['your name and id, on what you set up: ', ...named], detail: ['as long as the entry stands, or until you delete them'] },
    ...(pinged === 0 ? [] : [{ line: [`your id, on ${counted(pinged, 'entry', 'entries')} whose alerts ping you`] }]),
    { line: ['how much you asked: counted in memory alone, for a day'] },
  ];
}

async function isMeSure(context: Context): Promise<Reply> {
  const { person } = await context.privacy.stored(context.chat, context.asker);
  const { here, elsewhere, pinged } = person;
  return reply({
    tone: 'warning',
    finding: [{ strong: 'Take your name and id out of everything you set up, in every chat?' }, ' That cannot be taken back'],
    blocks: [
      line(
        `${counted(here, 'entry', 'entries')} of this chat and ${counted(elsewhere, 'entry', 'entries')} of other chats would say “someone”${pinged === 0 ? '' : `, and ${counted(pinged, 'entry', 'entries')} would ping you no more`}. What they watch goes on.`,
      ),
    ],
    actions: [
      { label: 'Delete me', line: '/privacy delete me yes' },
      { label: 'Keep it', line: '/privacy' },
    ],
  });
}

async function withoutMe(context: Context): Promise<Reply> {
  const count = await context.privacy.forgetPerson(context.chat, context.asker);
  return reply({
    finding: [
      { strong: count === 0 ? 'Your name and id stood nowhere' : `Your name and id are gone from ${counted(count, 'entry', 'entries')}` },
      ...(count === 0 ? [] : ['; they say “someone” now, and ping you no more']),
    ],
    blocks: [line('What they watch goes on. What you set up from here on bears your name again.')],
    actions: [{ label: 'What is kept', line: '/privacy' }],
  });
}

async function areYouSure(context: Context): Promise<Reply> {
  const { chat } = await context.privacy.stored(context.chat, context.asker);
  return reply({
    tone: 'warning',
    finding: [{ strong: 'Delete everything about this chat?' }, ' That cannot be taken back'],
    blocks: [
      line(
        `Alerts stop, and ${counted(chat.entries, 'entry', 'entries')}, ${counted(chat.waiting, 'waiting alert')} and the history of ${chat.told} go. The list can be exported before.`,
      ),
    ],
    actions: [
      { label: 'Delete everything', line: '/privacy delete chat yes' },
      { label: 'Export the list', line: '/watchlist export' },
      { label: 'Keep it', line: '/privacy' },
    ],
  });
}

async function withoutChat(context: Context): Promise<Reply> {
  await context.privacy.forgetChat(context.chat);
  return reply({
    tone: 'over',
    finding: [{ strong: 'Everything about this chat is deleted' }, '; no more alerts come here'],
    blocks: [line('Messages that stand here already are yours to delete.')],
    actions: [{ label: 'Watch', line: '/watch' }],
  });
}
