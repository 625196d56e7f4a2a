/** /privacy [delete me|chat]: what is stored, and its deletion. */
import { z } from 'zod';
import { MAX_ABSENCE } from '../src/alerts/watchlist/absence.js';
import type { ForgottenChat, Stored } from '../src/chat/privacy.js';
import { reply, type Line, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { UserError, counted, dotted, line } from '../src/reply/index.js';
import { brief } from '../src/base/one-line.js';
import { both, capitalised } from '../src/base/sentence-lists.js';
import { duration } from '../src/domain/format.js';
import { MAX_PER_CHAT, SOURCES_KEPT_FOR } from '../src/sources/kept-sources.js';

export default defineCommand({
  name: 'privacy',
  summary: 'Data stored about this chat and you, and how to delete it',
  group: 'bot',
  audience: 'asker',
  args: z.object({
    action: z.enum(['delete']).optional().describe('delete, or nothing to see what is stored'),
    scope: z
      .enum(['me', 'chat'])
      .optional()
      .describe('me: your name and id; chat: everything about this chat')
      .meta({ otherwise: 'Nobody can delete the data of someone else: they type /privacy delete me themselves.' }),
    confirm: z.enum(['yes']).optional().describe('yes to delete without another question'),
  }),
  examples: ['/privacy', '/privacy delete me', '/privacy delete chat'],
  phrases: {
    '/privacy': `what do you know about me | what data do you store | privacy | what data do you keep about this group | do you save my messages
      | gdpr | which data is stored about us`,
    '/privacy delete me': `delete my data | forget me | delete everything about me | nuke whatever data you keep on me | erase my name and id`,
    '/privacy delete chat': `delete everything you stored on this chat | forget this chat | erase all data of this group | delete the data of this channel`,
  },
  elsewhere: true,
  manages: ({ action, scope }) => action === 'delete' && scope === 'chat',
  changes: ({ confirm }) => confirm === 'yes',

  async run({ action, scope, confirm }, context) {
    if (action === undefined && scope === undefined) return shown(context);
    if (action === undefined || scope === undefined)
      throw new UserError('Delete what? Your name and id in every chat, or everything about this chat.', {
        usage: 'privacy',
        actions: deletions(context),
      });
    if (scope === 'me') return confirm === 'yes' ? withoutMe(context) : isMeSure(context);
    return confirm === 'yes' ? withoutChat(context) : areYouSure(context);
  },
});

const deletions = ({ isElsewhere }: Context) => [
  { label: 'Delete my name', line: '/privacy delete me' },
  { label: isElsewhere ? 'Delete its data' : 'Delete this chat', line: '/privacy delete chat' },
];

/** "this chat", or the name of the other chat that the question concerns. */
const chatWord = ({ isElsewhere, place }: Context): string => (isElsewhere ? place : 'this chat');

async function shown(context: Context): Promise<Reply> {
  const { chat, person } = await context.privacy.stored(context.chat, context.asker);
  return reply({
    finding: [{ strong: `Data stored about ${chatWord(context)} and you` }],
    blocks: [
      line({ strong: capitalised(chatWord(context)) }),
      { kind: 'list', items: chatLines(chat) },
      line({ strong: 'You' }),
      { kind: 'list', items: personLines(person, context) },
      line(
        'The analytics service sees which projects and wallets are requested, but not by whom. Commands behind long buttons are stored for 3 months after the button was last shown, and lists to import for up to 2 days; neither is linked to a person or a chat. The log of this bot contains chat ids.',
      ),
    ],
    actions: [...deletions(context), { label: 'Export watchlist', line: '/watchlist export' }],
  });
}

interface Item {
  readonly line: Line;
  readonly detail?: Line;
}

function chatLines({
  entries,
  exceptions,
  settings,
  waiting,
  sent,
  sentSince,
  ruleStates,
  live,
  edits,
  sources,
  kept,
}: Stored['chat']): readonly Item[] {
  const until = `Stored until someone deletes it, or until ${duration(MAX_ABSENCE)} after I left this chat`;
  return [
    {
      line: [
        `Watchlist: ${counted(entries, 'entry', 'entries')}${exceptions === 0 ? '' : ` with ${counted(exceptions, 'exception')}`}`,
        ...(settings.length === 0 ? [] : [`, ${both(settings)}`]),
      ],
      detail: [until],
    },
    {
      line: dotted(
        `Alerts: ${waiting} waiting`,
        sentSince === undefined ? `${sent} sent` : [`${sent} sent, the oldest `, { at: sentSince }],
        ruleStates === 0 ? undefined : `the state of ${counted(ruleStates, 'threshold')}`,
        live === undefined ? undefined : counted(live, 'live message'),
      ),
      detail: ['The last 30 days are stored for /why and /history, at most 300 messages'],
    },
    {
      line: [`Changes by the operator of this bot: ${edits === 0 ? 'none' : edits}`],
      detail: [
        'The operator can see and change this watchlist. Each change is stored with its time and shown by /history; the latest 20 are kept',
      ],
    },
    {
      line: [`Sources of replies: ${sources}`],
      detail: [
        `The command, the requests and the figures behind the Sources button, for ${duration(SOURCES_KEPT_FOR)}, the latest ${MAX_PER_CHAT} of a chat. The command stays for 2 months more`,
      ],
    },
    ...kept.map((says): Item => ({ line: [capitalised(says)] })),
    { line: ['Other messages of this chat: none'] },
  ];
}

function personLines({ here, elsewhere, pinged, kept }: Stored['person'], context: Context): readonly Item[] {
  const named = dotted(
    here === 0 ? undefined : `${counted(here, 'entry', 'entries')} in ${chatWord(context)}`,
    elsewhere === 0 ? undefined : `${counted(elsewhere, 'entry', 'entries')} in other chats`,
  );
  return [
    named.length === 0
      ? { line: ['Your name and id: not stored'], detail: ['They are stored on entries you add, so that /why can show who added them'] }
      : { line: ['Your name and id: on ', ...named], detail: ['Stored until the entry or your name is deleted'] },
    ...kept.map((says): Item => ({ line: [capitalised(says)] })),
    ...(pinged === 0 ? [] : [{ line: [`Your id: on ${counted(pinged, 'entry', 'entries')} that ping you`] }]),
    { line: ['Number of requests: in memory only, for a day'] },
  ];
}

async function isMeSure(context: Context): Promise<Reply> {
  const { person } = await context.privacy.stored(context.chat, context.asker);
  const { here, elsewhere, pinged, kept } = person;
  return reply({
    tone: 'warning',
    finding: [{ strong: 'Delete your name and id in every chat?' }, " This can't be undone."],
    blocks: [
      line(
        `${counted(here, 'entry', 'entries')} in ${chatWord(context)} and ${counted(elsewhere, 'entry', 'entries')} in other chats will show "someone" instead${pinged === 0 ? '' : `, and ${counted(pinged, 'entry', 'entries')} will stop pinging you`}. Their alerts continue.`,
      ),
      ...(kept.length === 0 ? [] : [line(`It also deletes ${both(kept)}.`)]),
    ],
    actions: [
      { label: 'Delete my name', line: '/privacy delete me yes', emphasis: 'danger' },
      { label: 'Cancel', line: '/privacy' },
    ],
  });
}

async function withoutMe(context: Context): Promise<Reply> {
  const { kept } = (await context.privacy.stored(context.chat, context.asker)).person;
  const count = await context.privacy.forgetPerson(context.chat, context.asker);
  return reply({
    finding: [
      {
        strong:
          count > 0
            ? `Your name and id are deleted from ${counted(count, 'entry', 'entries')}`
            : kept.length > 0
              ? 'What was stored about you is deleted'
              : "Your name and id weren't stored",
      },
      ...(count === 0 ? [] : ['. They now show "someone" and don\'t ping you.']),
    ],
    blocks: [line('Alerts continue. Entries you add or change later show your name again.')],
    actions: [{ label: 'Stored data', line: '/privacy' }],
  });
}

async function areYouSure(context: Context): Promise<Reply> {
  const { chat } = await context.privacy.stored(context.chat, context.asker);
  return reply({
    tone: 'warning',
    finding: [{ strong: `Delete everything about ${chatWord(context)}?` }, " This can't be undone."],
    blocks: [
      line(
        `Alerts stop. This deletes ${counted(chat.entries, 'entry', 'entries')}, ${counted(chat.waiting, 'waiting alert')} and the history of ${counted(chat.sent, 'alert')}. Export the watchlist first to keep a copy.`,
      ),
    ],
    actions: [
      { label: 'Delete everything', line: '/privacy delete chat yes', emphasis: 'danger' },
      { label: 'Export watchlist', line: '/watchlist export' },
      { label: 'Cancel', line: '/privacy' },
    ],
  });
}

async function withoutChat(context: Context): Promise<Reply> {
  const { file } = await context.privacy.forgetChat(context.chat);
  return reply({
    tone: 'over',
    finding: [{ strong: `Everything about ${chatWord(context)} is deleted` }, '. Alerts have stopped.'],
    blocks: [
      line(`Messages already posted ${context.isElsewhere ? 'there' : 'here'} stay until someone deletes them.`),
      ...(file === undefined ? [] : [line(ofFile(file))]),
    ],
    actions: [{ label: 'Watch', line: '/watch' }],
  });
}

const ofFile = ({ name, isForced }: NonNullable<ForgottenChat['file']>): string =>
  isForced
    ? `The operator's file "${brief(name)}" sets the watchlist of this chat whatever is changed here, so it comes back within a minute. Ask the operator to remove the file.`
    : `The operator's file "${brief(name)}" had set the watchlist. The name of the file stays stored, so that it isn't applied again unless the operator forces it.`;
