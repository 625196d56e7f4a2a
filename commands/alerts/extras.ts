/** Two features of an entry on Discord: threads for proposals and launches, and publishing of messages. Both are off by default. */
import type { Entry } from '../../src/alerts/watchlist/entry.js';
import type { Extra } from '../../src/chat/notifier.js';
import type { ActionDraft, BlockDraft } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { UserError, commandLine, line } from '../../src/reply/index.js';
import { targetName } from '../../src/alerts/watchlist/entry.js';

export const EXTRA_TEXTS: Readonly<Record<Extra, (isOn: boolean, place: string) => string>> = {
  threads: (isOn) => (isOn ? 'each proposal and launch gets a thread, archived after its result' : 'no threads'),
  publish: (isOn, place) => (isOn ? `alerts are published, to servers that follow ${place}` : 'alerts are not published'),
};

/** Checks that the bot may do this in the channel, before anything is stored. Rejects with a `UserError` that names the missing permission or the kind of channel. */
export async function requireExtra(extra: Extra, { probe }: Pick<Context, 'probe'>): Promise<void> {
  const { blocked, extras } = await probe();
  if (blocked !== undefined) throw new UserError(blocked);
  if (extras === undefined) throw new UserError('Threads and publishing are for channels of a Discord server.');
  const because = extras[extra];
  if (because !== undefined) throw new UserError(because);
}

export function withExtra(entry: Entry, extra: Extra, isOn: boolean): Entry {
  const { [extra]: _, ...rest } = entry;
  return isOn ? { ...rest, [extra]: true } : rest;
}

/** Lists the features that are on. */
export const extraLines = (entry: Entry, { place }: Pick<Context, 'place'>): readonly BlockDraft[] => [
  ...(entry.threads === true ? [line('Threads: ', EXTRA_TEXTS.threads(true, place), '.')] : []),
  ...(entry.publish === true ? [line('Publishing: ', EXTRA_TEXTS.publish(true, place), '.')] : []),
];

/** Makes the buttons of the features, on Discord only. Platforms are recognised by `mayMention`, which only Discord has. */
export const extraActions = (entry: Entry, { asker }: Pick<Context, 'asker'>): readonly ActionDraft[] =>
  asker.mayMention === undefined || entry.target.kind === 'wallet'
    ? []
    : [
        {
          ...{ label: 'Threads', on: entry.threads === true },
          line: commandLine('alerts', targetName(entry.target), 'threads', entry.threads === true ? 'off' : 'on'),
        },
      ];
