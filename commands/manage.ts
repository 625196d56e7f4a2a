/** /manage [chat]: sets up a channel or group from a private chat with the bot, on platforms that tell who administers it. */
import { z } from 'zod';
import { both } from '../src/base/sentence-lists.js';
import type { ManagedChat } from '../src/chat/inbound.js';
import { reply, type ActionDraft, type Line, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { typedThere } from '../src/dispatch/other-channel.js';
import { UserError, commandLine, counted, line, textOption } from '../src/reply/index.js';

export default defineCommand({
  name: 'manage',
  summary: 'Set up a channel or group from a private chat with me',
  group: 'watching',
  open: true,
  args: z.object({
    chat: textOption('the @name of a channel or group that you administer, or "done"'),
  }),
  examples: ['/manage', '/manage done'],
  phrases: {
    '/manage': `manage a channel from here | manage my channel | set up my channel from this chat | manage a group from a private chat | which
      channels can I manage | configure our channel from here | I want to manage another chat | set you up for my channel without
      typing there | administer a channel | change the alerts of my channel from here | manage the group remotely | add you to my
      channel | let me manage the alerts of a group privately | control my channel from the dm`,
    '/manage done': `stop managing the channel | done managing | I am done with managing that group | leave the channel's management | no longer
      manage the channel from here | quit managing my channel | finish managing`,
  },
  changes: ({ chat }) => chat !== undefined,

  async run({ chat: named }, context): Promise<Reply> {
    const { managed } = context.asker;
    if (managed === undefined) return onlyInPrivate();
    const { known, chosen } = await managed.read();
    if (named === undefined) return overview({ known, chosen }, context);
    if (named.toLowerCase() !== 'done') return begun(named, context);
    await managed.leave();
    return left(chosen);
  },
});

const onlyInPrivate = (): Reply =>
  reply({
    finding: [{ strong: 'Channels and groups of Telegram are managed from a private chat with me' }],
    blocks: [
      line('Write ', { code: '/manage' }, ' there, so that no command has to be typed before subscribers.'),
      line(
        'On Discord, choose the channel in the option ',
        { code: 'channel' },
        ' of ',
        { code: '/watch' },
        ', ',
        { code: '/alerts' },
        ' and the like.',
      ),
    ],
    actions: [
      { label: 'Watch', line: '/watch' },
      { label: 'Help', line: '/help' },
    ],
  });

const DONE: ActionDraft = { label: 'Done', line: '/manage done' };

const again = ({ channel }: ManagedChat): string => commandLine('manage', channel);

interface Shown {
  readonly known: readonly ManagedChat[];
  readonly chosen?: ManagedChat | undefined;
}

function overview({ known, chosen }: Shown, { chat, inviteLinks }: Context): Reply {
  const others = known.filter(({ channel }) => channel !== chosen?.channel);
  return reply({
    tone: chosen === undefined ? 'plain' : 'live',
    finding: chosen === undefined ? [{ strong: 'Manage a channel or group from here' }] : managing(chosen),
    blocks: [
      line('Pick one that you administer, or add me to a new one with a link. Your rights and mine there are checked at each change.'),
      ...(chosen === undefined ? [] : [line(...concerns(chosen))]),
    ],
    links: inviteLinks(chat),
    actions: [
      ...others.map((one) => ({ label: one.name, line: again(one) })),
      ...(chosen === undefined ? [] : [{ label: 'Watch', line: typedThere('/watch', { elsewhere: chosen }) }, DONE]),
    ],
    chatPicker: true,
  });
}

const managing = ({ name }: ManagedChat): Line => [{ strong: `You are managing ${name}` }, ' from here'];

const concerns = ({ name }: ManagedChat): Line => [
  ...[{ code: '/watch' }, ', ', { code: '/alerts' }, ', ', { code: '/mute' }, ', ', { code: '/board' }],
  ` and the like that you type here change ${name}. Buttons stay with the chat that they were shown for.`,
];

/** Starts managing a chat. Names missing permissions before anything is stored. */
async function begun(named: string, { asker, otherChat, watchlists }: Context): Promise<Reply> {
  const { chat, channel, name, probe } = await otherChat(channelIn(named));
  const retry = { actions: [{ label: 'Try again', line: again({ channel, name }) }] };
  if (probe.blocked !== undefined) throw new UserError(probe.blocked, retry);
  if (probe.missing.length > 0)
    throw new UserError(
      [`I can't post alerts in ${name}: I need `, { strong: both(probe.missing) }, ' there. Grant it, then try again.'],
      retry,
    );
  await asker.managed?.choose({ channel, name });
  const { entries } = watchlists.read(chat);
  const there = (text: string): string => typedThere(text, { elsewhere: { channel } });
  return reply({
    tone: 'live',
    finding: managing({ channel, name }),
    blocks: [
      line(entries.length === 0 ? 'Nothing is watched there yet.' : `Watched there: ${counted(entries.length, 'entry', 'entries')}.`),
      line(...concerns({ channel, name })),
    ],
    actions: [
      { label: 'Watch', line: there('/watch'), emphasis: 'primary' },
      ...(entries.length === 0
        ? [{ label: 'Watch all', line: there('/watch all') }]
        : [
            { label: 'Watchlist', line: there('/watchlist') },
            { label: 'Board', line: there('/board') },
          ]),
      DONE,
    ],
  });
}

/** Reads a channel from a pasted name, link or id. Our own buttons have ids. */
function channelIn(named: string): string {
  const [, name] = /^(?:https:\/\/)?t\.me\/(\w{4,32})\/?$/iu.exec(named) ?? [];
  if (name !== undefined) return `@${name}`;
  if (/^(?:@\w{4,32}|-?\d{5,20})$/u.test(named)) return named;
  throw new UserError('Which channel or group? Pick it from the list, or type its @name.', {
    actions: [{ label: 'Pick', line: '/manage' }],
  });
}

const left = (chosen: ManagedChat | undefined): Reply =>
  reply({
    tone: 'over',
    finding:
      chosen === undefined
        ? [{ strong: 'You are managing no other chat' }]
        : [{ strong: `You are no longer managing ${chosen.name} from here` }, '. Its alerts continue.'],
    blocks: [line('Commands that you type here change this private chat.')],
    actions: [...(chosen === undefined ? [] : [{ label: chosen.name, line: again(chosen) }]), { label: 'Other chat', line: '/manage' }],
  });
