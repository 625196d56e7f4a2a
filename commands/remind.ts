/** /remind [target] [times]: how long before an end this chat is reminded of it. */
import { z } from 'zod';
import { kindsFor, shortName, targetName, type Entry } from '../src/alerts/watchlist/entry.js';
import { allIn, entryHere, exceptionsInForce, follows } from '../src/alerts/watchlist/exceptions.js';
import { remindersOf, withOwnReminders, withReminders } from '../src/alerts/watchlist/reminders.js';
import type { Chat } from '../src/alerts/watchlist/watchlists.js';
import { isDigestOnly, isOff, rulesFor } from '../src/alerts/rules/presets.js';
import { REMINDED_KINDS } from '../src/alerts/rules/kinds.js';
import { brief } from '../src/base/one-line.js';
import { both } from '../src/base/sentence-lists.js';
import { reply, type ActionDraft, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { edited } from '../src/dispatch/watchlists/exceptions.js';
import { requirePosting } from '../src/dispatch/watchlists/first-checks.js';
import { inDigestLines, undoActions } from '../src/dispatch/watchlists/rule-text.js';
import { entryOf, titleOf } from '../src/dispatch/watchlists/targets.js';
import { changePart, readUndo, undoChange } from '../src/dispatch/watchlists/undo.js';
import { MAX_REMINDERS, offsetsText, readOffset } from '../src/domain/reminder.js';
import { slug, type Instant } from '../src/domain/scalars.js';
import { UserError, commandLine, line, requireManager, textOption } from '../src/reply/index.js';

export default defineCommand({
  name: 'remind',
  summary: 'Reminders before a vote, launch or cliff ends',
  group: 'watching',
  elsewhere: true,
  args: z.object({
    target: textOption('an entry of the watchlist; without it, everything watched here').meta({ complete: 'entry' }),
    before: textOption('such as 1d,1h, off, or usual').meta({ rest: true }),
  }),
  examples: ['/remind 1d,1h', '/remind', '/remind tide 1d', '/remind tide off', '/remind tide usual', '/remind off', '/remind undo'],
  phrases: {
    '/remind {project?} {ahead}': `remind me a day before the {project} vote ends | remind me 1h before any vote ends | remind me 1d before {project} ends |
      remind us 2 hours before the {project} vote ends | ping me an hour before the {project} proposal closes | remind me 30 min before
      votes end | tell me 1 day before the {project} launch closes | reminder 1d before votes end | set a reminder 6h before the
      {project} vote ends | let me know a day before any vote ends | remind me 12h before {project} unlocks | {project} reminder 1h
      before the end`,
    '/remind {project?} off': `no reminders for {project} | stop the reminders | turn off reminders | reminders off | don't remind me of {project} votes |
      stop reminding me | no more reminders`,
    '/remind {project?} usual': `use the usual reminders for {project} again | {project} reminders as for the rest of this chat | reset the reminders of {project}`,
    '/remind': `reminders | my reminders | which reminders are set | show reminders | do we have reminders | when are we reminded | reminder
      settings | why did I get no reminder | why was there no reminder`,
  },
  manages: ({ target, before }) => target !== undefined || before !== undefined,
  changes: ({ target, before }) => target !== undefined || before !== undefined,

  async run({ target, before }, context): Promise<Reply> {
    const undo = readUndo([target, before].filter((part) => part !== undefined).join(' '));
    if (undo !== undefined) return undone(undo.number, context);
    const words = [target, before].flatMap((part) => part?.split(/[\s,]+/u) ?? []).filter((word) => word !== '');
    if (words.length === 0) return page(context);
    const { name, offsets } = readWords(words);
    if (offsets === undefined) return name === '' ? page(context) : page(context, await entryOf(name, context));
    await requireManager(context.asker);
    if (offsets !== 'usual' && offsets.length > 0) await requirePosting(commandLine('remind', ...words), context);
    if (name === '' || /^(?:any|every|everything)$/iu.test(name)) return changeChat(offsets === 'usual' ? [] : offsets, context);
    return changeEntry(await entryOf(name, context), offsets, context);
  },
});

interface Request {
  readonly name: string;
  /** Undefined if nothing is to be changed. */
  readonly offsets?: readonly number[] | 'usual';
}

/** The least length of a public key. A word of this length is a key and not a time, although many keys begin with a digit. */
const MIN_KEY = 32;

/** Parses the words. The times come last; a number and its unit may be two words. Throws a `UserError`. */
function readWords(words: readonly string[]): Request {
  // A public key has capitals.
  const rest = words
    .map((word) => (word.length >= MIN_KEY ? word : word.toLowerCase()))
    .filter((word) => word !== 'before' && word !== 'and');
  const last = rest.at(-1) ?? '';
  const isName = (word: string): boolean => readOffset(word) === undefined && (!/^\d/u.test(word) || word.length >= MIN_KEY);
  if (last === 'off' || last === 'none') return { name: rest.slice(0, -1).join(' '), offsets: [] };
  if (last === 'usual') return { name: rest.slice(0, -1).join(' '), offsets: 'usual' };
  const from = rest.findIndex((word, index) => !isName(word) && rest.slice(index).every((one) => !isName(one) || /^[a-z]+$/u.test(one)));
  if (from === -1) return { name: rest.join(' ') };
  const times = rest
    .slice(from)
    .join(' ')
    .replaceAll(/(\d)\s+([a-z])/gu, '$1$2')
    .split(' ');
  const offsets = times.map((word) => {
    const minutes = readOffset(word);
    if (minutes !== undefined) return minutes;
    throw new UserError(`"${brief(word)}" is no time before an end. Write 5min to 30d, such as 1d,1h.`, { example: '/remind tide 1d,1h' });
  });
  const distinct = [...new Set(offsets)].toSorted((a, b) => b - a);
  if (distinct.length > MAX_REMINDERS)
    throw new UserError(`There is room for ${MAX_REMINDERS} reminders. Leave some out.`, { example: '/remind tide 1d,1h' });
  return { name: rest.slice(0, from).join(' '), offsets: distinct };
}

async function changeChat(offsets: readonly number[], context: Context): Promise<Reply> {
  // A refusal changes nothing.
  if (context.watchlists.read(context.chat).entries.length === 0) throw nothingWatched();
  const edit = (chat: Chat): Chat => withReminders(chat, offsets, context.now);
  const { after, undo } = await changePart({ part: 'reminders', edit }, context);
  return pageOf(after, undefined, context, undo);
}

async function undone(number: number | undefined, context: Context): Promise<Reply> {
  await requireManager(context.asker);
  const { undo } = await undoChange('reminders', number, context);
  return pageOf(context.watchlists.read(context.chat), undefined, context, undo);
}

const nothingWatched = (): UserError => new UserError('Nothing is watched here yet.', { actions: [{ label: 'Watch', line: '/watch' }] });

const kindsOf = (entry: Entry): readonly string[] => kindsFor(entry.target, REMINDED_KINDS);

async function changeEntry(entry: Entry, offsets: readonly number[] | 'usual', context: Context): Promise<Reply> {
  const edit = (one: Entry, chat: Chat): Entry =>
    kindsOf(one)
      // A kind that is only in the digest has no reminders that could be switched off.
      .filter((kind) => !isOff(one, kind) && (offsets.length > 0 || !isDigestOnly(one, kind)))
      .reduce((before, kind) => withOwnReminders(before, kind, offsets === 'usual' ? usualOffsets(one, kind, chat) : offsets), one);
  const { after, chat } = await edited(entry, { edit }, context);
  return pageOf(chat, after, context, undoActions(after));
}

/** Returns the reminders after a reset. A project of the entry for all projects gets those of that entry. */
function usualOffsets(entry: Entry, kind: string, chat: Chat): readonly number[] | undefined {
  const all = follows(entry) ? allIn(chat) : undefined;
  return all && rulesFor(all, kind).filters.remind;
}

const page = async (context: Context, entry?: Entry): Promise<Reply> => pageOf(context.watchlists.read(context.chat), entry, context);

const words = (offsets: readonly number[]): string => (offsets.length === 0 ? 'off' : `${offsetsText(offsets)} before`);

async function pageOf(chat: Chat, entry: Entry | undefined, context: Context, undo: readonly ActionDraft[] = []): Promise<Reply> {
  if (chat.entries.length === 0) throw nothingWatched();
  const own = (chat.remind ?? []).map(({ before }) => before);
  const entries = entry === undefined ? everyEntry(chat, context.now).filter((one) => hasOwn(one)) : [entry];
  const items = await Promise.all(
    entries.map(async (one) => ({ line: [{ strong: await titleOf(one.target, context) }, `: ${entryText(one, chat)}`] })),
  );
  const name = entry === undefined ? [] : [targetName(entry.target)];
  return reply({
    tone: own.length + entries.length > 0 ? 'live' : 'over',
    finding:
      entry === undefined
        ? [{ strong: `Reminders for everything watched here: ${words(own)}` }]
        : [{ strong: `Reminders for ${await titleOf(entry.target, context)}` }, `: ${entryText(entry, chat)}`],
    blocks: [
      ...(entry === undefined ? [] : inDigestLines(entry, kindsOf(entry))),
      ...(entry === undefined && items.length > 0 ? [{ kind: 'list' as const, items }] : []),
      line(
        'They come before the end of a vote, its TWAP window, the close of a launch and a vesting cliff. They replace "ending soon" alerts.',
      ),
    ],
    actions: [
      { label: '1 day and 1 hour', line: commandLine('remind', ...name, '1d,1h') },
      { label: '1 hour', line: commandLine('remind', ...name, '1h') },
      { label: 'Off', line: commandLine('remind', ...name, 'off') },
      ...(entry !== undefined && hasOwn(entry)
        ? [{ label: follows(entry) ? 'As for all projects' : 'As for the chat', line: commandLine('remind', ...name, 'usual') }]
        : []),
      ...undo,
      { label: "What's next", line: entry?.target.kind === 'project' ? commandLine('next', shortName(entry.target)) : '/next' },
    ],
  });
}

/** Returns the entries, and the projects that differ from the entry for all projects. */
const everyEntry = (chat: Chat, now: Instant): readonly Entry[] =>
  chat.entries.flatMap((entry) => [
    entry,
    ...exceptionsInForce(entry, now).flatMap(([project]) => {
      const one = entryHere(chat, { kind: 'project', slug: slug(project) });
      return one !== undefined && follows(one) ? [one] : [];
    }),
  ]);

/** Tells whether an entry has its own reminders, which includes exceptions with rules. */
const hasOwn = (entry: Entry): boolean =>
  kindsOf(entry).some(
    (kind) => rulesFor(entry, kind).filters.remind !== undefined && (!follows(entry) || entry.exception?.rules?.[kind] !== undefined),
  );

/** Returns "1d, 1h before", or each kind separately if they differ. */
function entryText(entry: Entry, chat: Chat): string {
  const kinds = kindsOf(entry).filter((kind) => !isOff(entry, kind));
  if (kinds.length === 0) return 'none of its alerts has dates';
  const texts = kinds.map((kind) => [kind, words(remindersOf(entry, kind, chat))] as const);
  const [first] = texts;
  if (first !== undefined && texts.every(([, text]) => text === first[1])) return first[1];
  return both(texts.map(([kind, text]) => `${kind} ${text}`));
}
