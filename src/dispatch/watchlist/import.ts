/**
 * /watchlist import: says what a list would change, and changes it when somebody presses the button. The button carries the list itself and what the
 * chat's own list was when it was shown, so nothing is remembered in between, and what nobody was shown is never done.
 */
import type { Entry } from '../../alerts/entry.js';
import type { Chat } from '../../alerts/watchlists.js';
import { reply, type ActionDraft, type BlockDraft, type Line, type Reply } from '../../chat/reply.js';
import type { Context } from '../context.js';
import { UserMistake } from '../mistake.js';
import { both } from '../nearest.js';
import { counted, dotted, line } from '../parts.js';
import { titleOf } from '../targets.js';
import { checkRight, firstLooks, whatWasSeen } from './begin.js';
import { entryDetail, settingsLine } from './export.js';
import { FILE_VERSION, fileEntryOf, settingsOf } from './list-file.js';
import { changesAnything, fingerprint, planOf, type Mode, type Plan } from './plan.js';
import { readList, type List } from './read-list.js';
import { resolve, type Resolved } from './resolve.js';

/** So many of each are named; the rest are counted. */
const MOST_NAMED = 25;

interface Asked {
  readonly mode: Mode;
  /** Whether the asker said to change the list; else it is only said what would change. */
  readonly may: boolean;
  /** What was pasted. A file goes before it. */
  readonly text: string | undefined;
}

export async function imported({ mode, may, text }: Asked, context: Context): Promise<Reply> {
  const written = await listText(text, context);
  if (written === undefined) return howTo();
  const read = readList(written);
  if (!read.read) throw new UserMistake(read.says, { actions: [{ label: 'How to import', line: '/watchlist import' }] });
  await checkRight('/watchlist import', context);
  const { list } = read;
  const resolved = await resolve(list, context);
  if (list.seen === undefined || !may) return shown({ list, resolved, context });
  return carriedOut({ list, resolved, context, mode, seen: list.seen });
}

async function listText(text: string | undefined, { files }: Context): Promise<string | undefined> {
  if (files.length > 1) throw new UserMistake(`Send one list at a time; ${files.length} files came.`);
  return files[0] === undefined ? text : files[0].read();
}

interface Ready {
  readonly list: List;
  readonly resolved: Resolved;
  readonly context: Context;
}

const ids = ({ kinds }: Context): readonly string[] => kinds.map(({ id }) => id);

function plan(chat: Chat, mode: Mode, { resolved: { wishes, settings }, context }: Ready): Plan {
  const by = { by: context.asker.name, byId: context.asker.id };
  return planOf({ chat, wishes, settings, mode, by, now: context.now, kinds: ids(context) });
}

/** What would change. Nothing does. */
async function shown(ready: Ready, before?: string): Promise<Reply> {
  const { context, resolved } = ready;
  const chat = context.watchlists.read(context.chat);
  const adding = plan(chat, 'add', ready);
  const replacing = plan(chat, 'replace', ready);
  const refused = [...resolved.refused, ...adding.refused];
  const does = changesAnything(adding);
  // A list that could not be read whole takes nothing away.
  const replaces = refused.length === 0 && replacing.removed.length > 0;
  const finding: Line = does
    ? [{ strong: `This list would ${both(deeds(adding))}` }, '; nothing is changed yet']
    : [{ strong: adding.unchanged.length > 0 ? 'This chat watches all of that already' : 'There is nothing in that list to watch' }];
  return reply({
    tone: refused.length > 0 || before !== undefined ? 'warning' : 'plain',
    finding: before === undefined ? finding : [before, ' ', ...finding],
    blocks: [
      ...(await report(adding, context)),
      ...named(
        'Not taken over',
        refused.map(({ where, what, because }) => ({ line: [`${where}: `, { code: what }], detail: [because] })),
      ),
      ...resolved.notes.map((note) => line(note)),
      ...(replaces ? [line(`“Replace all” would also stop ${both(await titles(replacing.removed, context))}.`)] : []),
    ],
    actions: [
      ...(does ? [button('Import', 'import', { ...ready, plan: adding, chat })] : []),
      ...(replaces ? [button('Replace all', 'replace', { ...ready, plan: replacing, chat })] : []),
      { label: does || replaces ? 'Leave it as it is' : 'Watchlist', line: '/watchlist' },
    ],
  });
}

function button(
  label: string,
  word: 'import' | 'replace',
  { list, plan: { wishes }, chat, context }: Ready & { plan: Plan; chat: Chat },
): ActionDraft {
  const carried = {
    navwatch: 'watchlist',
    version: FILE_VERSION,
    ...(list.settings ?? { keep: true }),
    seen: fingerprint(chat, ids(context)),
    entries: wishes.map(({ written }) => written),
  };
  return { label, line: `/watchlist ${word} ${JSON.stringify(carried)}` };
}

/** Changes the chat in one go, unless its list is another one than was shown. */
async function carriedOut({ mode, seen, ...ready }: Ready & { mode: Mode; seen: string }): Promise<Reply> {
  const { context } = ready;
  let done: Plan | undefined;
  await context.watchlists.change(context.chat, (chat) => {
    if (fingerprint(chat, ids(context)) !== seen) return chat;
    done = plan(chat, mode, ready);
    return changesAnything(done) ? done.after : chat;
  });
  if (done === undefined) return shown(ready, 'Nothing was changed, because the watchlist has changed meanwhile. Look again:');
  const looks = await firstLooks(
    done.added.map(({ target }) => target),
    context,
  );
  const { refused } = done;
  return reply({
    tone: refused.length > 0 ? 'warning' : 'live',
    finding: [{ strong: changesAnything(done) ? `Done: ${both(deeds(done, 'past'))}` : 'This chat watches all of that already' }],
    blocks: [
      ...(await report(done, context)),
      ...named(
        'Not taken over',
        refused.map(({ what, because }) => ({ line: [{ code: what }], detail: [because] })),
      ),
      ...(done.added.length === 0 ? [] : [line(...whatWasSeen(looks))]),
    ],
    actions: [
      { label: 'Watchlist', line: '/watchlist' },
      { label: 'Alert kinds', line: '/alerts' },
    ],
  });
}

/** "add 3 entries", "change the timezone": what a plan does, or has done. */
function deeds({ added, changed, removed, settings }: Plan, tense: 'future' | 'past' = 'future'): readonly string[] {
  const verb = (future: string, past: string): string => (tense === 'future' ? future : past);
  const some = (list: readonly unknown[], word: string): readonly string[] =>
    list.length === 0 ? [] : [`${word} ${counted(list.length, 'entry', 'entries')}`];
  return [
    ...some(added, verb('add', 'added')),
    ...some(changed, verb('change', 'changed')),
    ...some(removed, verb('remove', 'removed')),
    ...(settings.length === 0 ? [] : [`${verb('set', 'set')} the chat’s ${both(settings)}`]),
  ];
}

async function report({ added, changed, unchanged, removed, settings, after }: Plan, context: Context): Promise<readonly BlockDraft[]> {
  const written = { kinds: ids(context), now: context.now };
  const lines = async (entries: readonly Entry[]) =>
    Promise.all(
      entries.map(async (entry) => ({
        line: [await titleOf(entry.target, context)],
        detail: entryDetail(fileEntryOf({ entry, chat: after.address }, written)),
      })),
    );
  const changedLines = await Promise.all(
    changed.map(async ({ entry, parts }) => ({
      line: dotted(await titleOf(entry.target, context), both(parts)),
      detail: entryDetail(fileEntryOf({ entry, chat: after.address }, written)),
    })),
  );
  return [
    ...(settings.length === 0 ? [] : [line(`The chat’s ${both(settings)}: `, ...settingsLine(settingsOf(after, written)))]),
    ...named('Added', await lines(added)),
    ...named('Changed', changedLines),
    ...named('Removed', await lines(removed)),
    ...(unchanged.length === 0 ? [] : [line(`Unchanged: ${counted(unchanged.length, 'entry', 'entries')}.`)]),
  ];
}

const titles = async (entries: readonly Entry[], context: Context): Promise<readonly string[]> =>
  Promise.all(entries.map(async ({ target }) => titleOf(target, context)));

function named(title: string, items: readonly { readonly line: Line; readonly detail?: Line }[]): readonly BlockDraft[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, MOST_NAMED);
  return [line({ strong: title }), { kind: 'list', items: shown, more: items.length - shown.length }];
}

const howTo = (): Reply =>
  reply({
    finding: [{ strong: 'Which list should this chat watch?' }, ' Send it along with /watchlist import, or paste it behind those words.'],
    blocks: [
      {
        kind: 'list',
        items: [
          { line: ['a file that ', { code: '/watchlist export' }, ' gave, in any chat'] },
          { line: ['a list of wallets, one on a line: ', { code: '<public key> fund-1' }, ', with commas or tabs as well'] },
          { line: ['projects in such a list by their names, and ', { code: 'all' }, ' or ', { code: 'launches' }] },
        ],
      },
      line('I say first what would change.'),
    ],
    fields: [{ kind: 'text', label: 'Paste a list', hint: '<public key> fund-1', line: '/watchlist import {}' }],
    actions: [
      { label: 'Export', line: '/watchlist export' },
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });
