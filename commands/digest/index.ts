/** /digest [setting] [time]: a daily or weekly message with what changed. */
import { z } from 'zod';
import type { DigestSetting } from '../../src/alerts/digest/setting.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import type { Instant } from '../../src/base/clock.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { requirePosting } from '../../src/dispatch/watchlists/first-checks.js';
import { commandLine, UserError } from '../../src/reply/index.js';
import { readDigestTime, type DigestTime } from './read.js';
import { digestPage } from './page.js';

const DEFAULT_TIME = '09:00';
const MONDAY = 1;

const isChange = ({ setting, time }: Readonly<Record<string, string>>): boolean =>
  (setting !== undefined && setting !== 'now') || time !== undefined;

export default defineCommand({
  name: 'digest',
  summary: 'A daily or weekly message with what changed',
  group: 'watching',
  managersOnly: true,
  args: z.object({
    setting: z.enum(['daily', 'weekly', 'off', 'now', 'ring', 'silent']).optional().describe('how often, off, now, or its sound'),
    time: z.string().trim().min(1).optional().describe('such as 09:00, or Mon 09:00').meta({ rest: true }),
  }),
  examples: ['/digest', '/digest daily 09:00', '/digest weekly Mon 09:00', '/digest now', '/digest ring', '/digest off'],

  manages: isChange,
  changes: isChange,

  async run({ setting, time }, context) {
    if (time !== undefined && setting !== undefined && setting !== 'daily' && setting !== 'weekly')
      throw new UserError(`"${setting}" takes no time.`, {
        usage: 'digest',
        actions: [{ label: `Digest ${setting}`, line: commandLine('digest', setting) }],
      });
    if (setting === 'now') {
      if (context.watchlists.read(context.chat).entries.length === 0)
        throw new UserError('Nothing is watched here yet.', { actions: [{ label: 'Watch', line: '/watch' }] });
      // It asks for everything that is watched, and changes nothing.
      context.endTurn();
      return context.digests.preview(context.chat);
    }
    const change = changeOf(setting, time);
    if (change === undefined) return digestPage(context);
    const words = [setting, time].filter((word) => word !== undefined);
    if (setting !== 'off') await requirePosting(commandLine('digest', ...words), context);
    await context.watchlists.change(context.chat, (chat) => change(chat, context.now));
    return digestPage(context);
  },
});

type Change = (chat: Chat, now: Instant) => Chat;

function changeOf(setting: string | undefined, time: string | undefined): Change | undefined {
  if (setting === undefined && time === undefined) return undefined;
  if (setting === 'off') return withoutDigest;
  if (setting === 'ring' || setting === 'silent') return (chat) => withSound(chat, setting === 'ring');
  const read = readDigestTime([setting, time].filter((word) => word !== undefined).join(' '));
  if ('says' in read)
    throw new UserError(read.says, {
      usage: 'digest',
      actions: [
        { label: 'Daily 09:00', line: '/digest daily 09:00' },
        { label: 'Weekly', line: '/digest weekly Mon 09:00' },
      ],
    });
  return (chat, now) => ({ ...chat, digest: changed(chat.digest, read, now) });
}

const withoutDigest: Change = (chat) => {
  if (chat.digest === undefined) return chat;
  const { digest: _, ...rest } = chat;
  return rest;
};

function withSound(chat: Chat, rings: boolean): Chat {
  if (chat.digest === undefined)
    throw new UserError('No digest is on in this chat.', { actions: [{ label: 'Daily 09:00', line: '/digest daily 09:00' }] });
  const { rings: _, ...digest } = chat.digest;
  return { ...chat, digest: rings ? { ...digest, rings: true } : digest };
}

function changed(
  before: DigestSetting | undefined,
  { every = before?.every ?? 'day', weekday, at = before?.at ?? DEFAULT_TIME }: DigestTime,
  now: Instant,
): DigestSetting {
  const common = { at, since: before?.every === every ? before.since : now, ...(before?.rings === true ? { rings: true as const } : {}) };
  if (every === 'day') return { every, ...common };
  return { every, weekday: weekday ?? (before?.every === 'week' ? before.weekday : MONDAY), ...common };
}
