/** Reads a mute or unmute, applies it, and replies. Shared by `/mute` and `/unmute`. */
import { z } from 'zod';
import { MAX_MUTED_TOPICS, TooManyMutesError, muted, unmuted, type Chat } from '../../alerts/watchlist/watchlists.js';
import {
  MAX_MUTE_TEXT,
  MAX_TIME_WORDS,
  TIME_EXAMPLES,
  UserError,
  commandLine,
  looksLikeTime,
  muteTime,
  requireManager,
  textOption,
  zoneOf,
  type MuteClock,
} from '../../reply/index.js';
import { mutedPage, restoredPage, scopeName, statePage, unmutedPage } from './mute-pages.js';
import { brief } from '../../base/one-line.js';
import { both } from '../../base/sentence-lists.js';
import type { Reply } from '../../chat/reply.js';
import { LAUNCHES_FEED, kindsFor, projectOfMarket, shortName, targetName, type Target } from '../../alerts/watchlist/entry.js';
import type { Context } from '../context.js';
import { MAX_NAME_WORDS } from '../../domain/project.js';
import { changePart, readUndo, undoChange } from './undo.js';
import { knownMarket, marketNamed } from './markets.js';
import { entryNamed, entryOf, titleOf } from './targets.js';
import { covering } from '../../alerts/watchlist/match.js';
import { marketWords } from '../../domain/event.js';
import { shortKey } from '../../domain/wallet.js';
import type { Instant } from '../../domain/scalars.js';

/** The options that say what is muted or unmuted. */
export const MUTE_SCOPE = {
  target: textOption('an entry of the watchlist (default: everything)').meta({ complete: 'entry' }),
  kind: z.string().optional().describe('a kind of alert (default: all)').meta({ choices: 'kinds' }),
};

export interface MuteOptions {
  readonly target?: string | undefined;
  readonly kind?: string | undefined;
  readonly time?: string | undefined;
  /** The command whose usage errors show. */
  readonly command?: 'mute' | 'unmute';
}

/** `/unmute undo` is read as "undo off", because every unmute is a mute until "off". */
const OFF = /\s+off$/u;

/** Mutes or unmutes, or takes that back. Without a time, shows what is muted. Rejects with a `UserError`. */
export async function mute(options: MuteOptions, context: Context): Promise<Reply> {
  const undo = options.kind === undefined ? readUndo(wordsOf(options.target, options.time).join(' ').replace(OFF, '')) : undefined;
  if (undo !== undefined) return takenBack(undo.number, context);
  const each = await eachNamed(options, context);
  if (each !== undefined) return muteEach(each, context);
  const { until, ...about } = await readRequest(await ofProposal(options, context), context);
  if (until === undefined) return statePage(context.watchlists.read(context.chat), about, context);
  return change([about], until, context);
}

async function takenBack(number: number | undefined, context: Context): Promise<Reply> {
  await requireManager(context.asker);
  const { scopes, undo } = await undoChange('mutes', number, context);
  return restoredPage(scopes, undo, context);
}

/** Mutes several entries until the same time, or unmutes them. All of them are read before the first one is changed. */
async function muteEach(each: readonly MuteOptions[], context: Context): Promise<Reply> {
  const requests = await Promise.all(each.map(async (options) => readRequest(options, context)));
  const until = requests[0]?.until;
  if (until === undefined)
    throw new UserError('Which one do you want to mute?', {
      actions: each.map(({ target = '', kind }) => ({ label: `Mute ${target}`, line: commandLine('mute', target, kind) })),
    });
  return change(requests, until, context);
}

async function change(scopes: readonly Omit<MuteRequest, 'until'>[], until: Instant | 'off', context: Context): Promise<Reply> {
  await requireManager(context.asker);
  const { now } = context;
  const edit = (chat: Chat): Chat =>
    scopes.reduce((of, scope) => (until === 'off' ? unmuted(of, { ...scope, now }) : muted(of, { ...scope, until, now })), chat);
  const project = scopes.flatMap(({ target, topic }) => (target?.kind === 'project' && topic === undefined ? [target.slug] : []))[0];
  try {
    const { before, after, undo } = await changePart({ part: 'mutes', edit, project }, context);
    return await (until === 'off' ? unmutedPage(before, after, { scopes, undo, context }) : mutedPage(scopes, { until, undo, context }));
  } catch (error) {
    if (!(error instanceof TooManyMutesError)) throw error;
    throw new UserError(`This chat mutes ${MAX_MUTED_TOPICS} single proposals and launches already. Mute a whole kind, or unmute some.`, {
      actions: [
        { label: 'Mute proposals', line: '/mute proposals' },
        { label: 'Watchlist', line: '/watchlist' },
      ],
    });
  }
}

/** The most entries that one line mutes. */
const MAX_EACH = 5;
const JOINED = /^(?:and|,|&|\+)$/u;

/** Reads "spindrift and glass-pier 2h" as a mute of each; undefined unless the text names several entries or projects. */
async function eachNamed({ target, kind, time, command }: MuteOptions, context: Context): Promise<readonly MuteOptions[] | undefined> {
  const chat = context.watchlists.read(context.chat);
  const words = wordsOf(target, time);
  if (words.length < 2 || words.length > MAX_EACH * MAX_NAME_WORDS + MAX_TIME_WORDS || entryNamed(words.join(' '), chat) !== undefined)
    return undefined;
  const split = splitOf(words, { now: context.now, zone: zoneOf(chat) });
  const names: string[] = [];
  let left = (split?.name ?? words.join(' ')).replaceAll(/\s*([,+])\s*/gu, ' $1 ').trim();
  while (left !== '' && names.length <= MAX_EACH) {
    const { known, rest } = await knownPart(left, context);
    if (known === '') return undefined;
    names.push(known);
    const [next = '', ...others] = rest.split(/\s+/u);
    left = JOINED.test(next) ? others.join(' ') : rest;
  }
  if (names.length < 2 || names.length > MAX_EACH) return undefined;
  return [...new Set(names)].map((name) => ({ target: name, kind, time: split?.time, command }));
}

const wordsOf = (...texts: readonly (string | undefined)[]): readonly string[] =>
  texts
    .filter((text) => text !== undefined)
    .join(' ')
    .split(/\s+/u)
    .filter((word) => word !== '');

/** Replaces "proposal tide audit 1d" by the public key of that proposal, as in "tide on 9xQ… 1d". */
async function ofProposal(options: MuteOptions, context: Context): Promise<MuteOptions> {
  const { target, time, command = 'mute' } = options;
  const [first = '', ...words] = wordsOf(target, time);
  if (first.toLowerCase() !== 'proposal' || words.length === 0) return options;
  const chat = context.watchlists.read(context.chat);
  const split = splitOf(words, { now: context.now, zone: zoneOf(chat) });
  const { name, time: end } = split ?? { name: words.join(' '), time: '' };
  const again = command === 'unmute' ? [] : end.split(' ').filter((word) => word !== '');
  const market = await marketNamed(`proposal ${name}`, context, {
    lineOf: (key) => commandLine(command, 'proposal', key, ...again),
    preferred: new Set(command === 'unmute' ? mutedKeys(chat, context.now) : followedKeys(chat)),
  });
  const project = market === undefined ? undefined : projectOfMarket(market);
  if (market === undefined || project === undefined) return options;
  return { target: project, kind: 'proposals', time: `on ${targetName(market)} ${end}`.trim(), command };
}

const followedKeys = ({ entries }: Chat): readonly string[] =>
  entries.flatMap(({ target }) => (target.kind === 'market' ? [targetName(target)] : []));

const mutedKeys = ({ mutedTopics = {} }: Chat, now: Instant): readonly string[] =>
  Object.entries(mutedTopics).flatMap(([topic, until]) => (until > now ? [topic.slice(topic.lastIndexOf('/') + 1)] : []));

interface MuteRequest {
  readonly target: Target | undefined;
  readonly kind: string | undefined;
  readonly topic?: string | undefined;
  /** The end of the mute; undefined changes nothing. */
  readonly until: Instant | 'off' | undefined;
}

/** Parses the options. Rejects with a `UserError`. */
async function readRequest(options: MuteOptions, context: Context): Promise<MuteRequest> {
  const { key, ...others } = withoutKey(options);
  const read = await readScope({ ...others, ofMarket: key !== undefined }, context);
  if (key === undefined) return read;
  const about = { ...read, ...topicOf(read, key, options.command) };
  if (read.until !== 'off') await mustBeMarket(about, key, context);
  return about;
}

/** Rejects with a `UserError` for a key that is unknown here or belongs to another project, because it would mute nothing. */
async function mustBeMarket({ target, kind, topic = '' }: MuteRequest, key: string, context: Context): Promise<void> {
  const chat = context.watchlists.read(context.chat);
  const project = target?.kind === 'project' ? target.slug : undefined;
  if (chat.mutedTopics?.[topic] !== undefined) return;
  const known = await knownMarket(key, project, context);
  if (known === undefined)
    throw new UserError(`No proposal or launch is known by the key ${shortKey(key)}. Check the key, or open it first.`, {
      actions: [{ label: 'Open it', line: commandLine('proposal', key) }],
    });
  if (known.topic !== topic) throw await otherMarket(known.topic, target, context);
  if (covering({ feed: kind ?? LAUNCHES_FEED, project, topic }, chat).length === 0 && target !== undefined)
    await entryOf(targetName(target), context);
}

async function otherMarket(topic: string, target: Target | undefined, context: Context): Promise<UserError> {
  const of = projectOfMarket({ topic });
  const whose = of === undefined ? "That's a launch" : `That proposal is of ${(await context.directory.get(of)).name}`;
  const but = target?.kind === 'project' ? `, not of ${await titleOf(target, context)}` : ', and no launch';
  return new UserError(`${whose}${of === undefined ? ', and no proposal' : but}.`, {
    actions: [{ label: 'Mute it…', line: commandLine('mute', ...marketWords(topic)) }],
  });
}

const ON_KEY = /(?:^|\s)on\s+([1-9A-HJ-NP-Za-km-z]{32,44})(?=\s|$)/u;

/** Separates "on 9xQ…" from the other words, whichever option contains it. */
function withoutKey({ target, kind, time, command }: MuteOptions): MuteOptions & { readonly key: string | undefined } {
  const words = [target, time].filter((part) => part !== undefined).join(' ');
  const key = ON_KEY.exec(words)?.[1];
  if (key === undefined) return { target, kind, time, command, key };
  const left = words.replace(ON_KEY, ' ').trim();
  return { target: left === '' ? undefined : left, kind, command, key };
}

/** Returns the topic of a key. Throws a `UserError` if the text does not name the project of a proposal. */
function topicOf(
  { target, kind }: Pick<MuteRequest, 'target' | 'kind'>,
  key: string,
  command: MuteOptions['command'] = 'mute',
): Pick<MuteRequest, 'kind' | 'topic'> {
  if (target?.kind === 'launches' || kind === 'launches') return { kind, topic: `launches/${key}` };
  if (target?.kind === 'project' && (kind === 'proposals' || kind === undefined))
    return { kind: 'proposals', topic: `proposals/${target.slug}/${key}` };
  throw new UserError(
    command === 'unmute'
      ? 'One proposal is unmuted with its project, such as /unmute tide on <public key>, and a launch with /unmute launches on.'
      : 'One proposal is muted with its project, such as /mute tide on <public key> 1d, and a launch with /mute launches on.',
    { usage: command },
  );
}

async function readScope(
  { target, kind, time, ofMarket, command = 'mute' }: MuteOptions & { readonly ofMarket: boolean },
  context: Context,
): Promise<MuteRequest> {
  const chat = context.watchlists.read(context.chat);
  const here: MuteClock = { now: context.now, zone: zoneOf(chat) };
  const words = [target, time]
    .filter((part) => part !== undefined)
    .join(' ')
    .split(/\s+/u)
    .filter((word) => word !== '');
  const all = words.join(' ');
  const isEntry = entryNamed(all, chat) !== undefined;
  // Everyone may read the state. Other text is parsed as a time and then as a name, for managers only.
  const isQuestion = all === '' || isEntry || isWholeChat(all, chat) || (await context.directory.named(all)).length > 0;
  if (!isQuestion) await requireManager(context.asker);
  if (words.length > MAX_NAME_WORDS + MAX_TIME_WORDS)
    throw new UserError(`That's too long: a name has at most ${MAX_NAME_WORDS} words, a time ${MAX_TIME_WORDS}. ${TIMES}`, {
      usage: command,
    });
  const split = isEntry ? { name: all, time: '' } : splitOf(words, here);
  const { name, time: end } = split ?? { name: all, time: '' };
  const about = await aboutOf(
    {
      name: isWholeChat(name, chat) ? '' : name,
      kind,
      timed: split !== undefined && end !== '',
      ofMarket,
      command,
    },
    context,
  );
  await mustHave(about, { off: muteTime(end, here) === 'off', context });
  return { ...about, until: end === '' ? undefined : endOf(end, here) };
}

/** Where no entry is for all projects, "all" means the chat. */
const isWholeChat = (name: string, chat: Chat): boolean =>
  /^(?:all|everything|(?:(?:this|the|whole|the whole) )?(?:chat|channel|group))$/iu.test(name) && entryNamed(name, chat) === undefined;

interface Named {
  readonly name: string;
  readonly kind: string | undefined;
  readonly timed: boolean;
  /** The name is the project of a proposal and need not be watched. */
  readonly ofMarket: boolean;
  readonly command: 'mute' | 'unmute';
}

async function aboutOf({ name, kind, timed, ofMarket, command }: Named, context: Context): Promise<Pick<MuteRequest, 'target' | 'kind'>> {
  const chat = context.watchlists.read(context.chat);
  // "launches" is both an entry and a kind. The entry takes precedence, because it has no other kind.
  const launches = name === '' && kind === 'launches' ? entryNamed('launches', chat) : undefined;
  if (launches !== undefined) return { target: launches.target, kind: undefined };
  if (name === '') return { target: undefined, kind };
  if (ofMarket && name.toLowerCase() === LAUNCHES_FEED) return { target: { kind: 'launches' }, kind: undefined };
  const { known, rest } = await knownPart(name, context);
  const isKind = (word: string): boolean => context.kinds.some(({ id }) => id === word.toLowerCase());
  const said = rest.split(' ');
  if (command === 'unmute' && rest !== '' && (known !== '' || looksLikeTime(rest))) throw notToUnmute(known, rest, context);
  if (rest !== '' && said.every(isKind))
    throw new UserError('Mute one kind of alert at a time, like /mute tide supply 2h.', {
      usage: 'mute',
      actions: [...said, ...(kind === undefined ? [] : [kind])].map((one) => ({
        label: `Mute ${one}`,
        line: commandLine('mute', ...(known === '' ? [] : [known]), one),
      })),
    });
  if (looksLikeTime(rest) || (known !== '' && rest !== ''))
    throw new UserError(
      rest === 'forever'
        ? `${MAX_MUTE_TEXT} ${TIMES}`
        : timed && known === ''
          ? `This chat doesn't watch "${brief(rest)}". Use one name and one time. ${TIMES}`
          : timed
            ? `"${brief(rest)}" is not a kind of alert or a time. Kinds: ${context.kinds.map(({ id }) => id).join(', ')}.`
            : `"${brief(rest)}" is not a time. ${TIMES}`,
      { usage: 'mute', actions: known === '' ? [] : [{ label: `Mute ${known}`, line: commandLine('mute', known) }] },
    );
  const [project, ...others] = ofMarket ? await context.directory.named(name) : [];
  if (project !== undefined && others.length === 0) return { target: { kind: 'project', slug: project.slug }, kind };
  return { target: (await entryOf(name, context)).target, kind };
}

const TIMES = `Try ${TIME_EXAMPLES}.`;

/** Makes the error for an unmute with words other than a name and a kind. */
const notToUnmute = (known: string, rest: string, { kinds }: Context): UserError =>
  new UserError(`"${brief(rest)}" is not a kind of alert. Kinds: ${kinds.map(({ id }) => id).join(', ')}.`, {
    usage: 'unmute',
    actions: [
      { label: known === '' ? 'Unmute this chat' : `Unmute ${known}`, line: commandLine('unmute', ...(known === '' ? [] : [known])) },
    ],
  });

async function knownPart(name: string, context: Context): Promise<{ readonly known: string; readonly rest: string }> {
  const chat = context.watchlists.read(context.chat);
  const words = name.split(' ');
  for (let length = words.length; length > 0; length -= 1) {
    const known = words.slice(0, length).join(' ');
    if (entryNamed(known, chat) !== undefined || (await context.directory.named(known)).length > 0)
      return { known, rest: words.slice(length).join(' ') };
  }
  return { known: '', rest: name };
}

async function mustHave(
  { target, kind }: Pick<MuteRequest, 'target' | 'kind'>,
  { off, context }: { readonly off: boolean; readonly context: Context },
): Promise<void> {
  if (kind === undefined || off) return;
  const { entries } = context.watchlists.read(context.chat);
  if ((target === undefined ? entries : [{ target }]).some((one) => kindsFor(one.target, [kind]).length > 0)) return;
  const ids = context.kinds.map(({ id }) => id);
  const says =
    target === undefined
      ? `Nothing in this chat's watchlist has ${kind} alerts.`
      : `There are no ${kind} alerts for ${(await scopeName({ target }, context)).name}, only ${both(kindsFor(target, ids))}.`;
  throw new UserError(says, {
    actions:
      target === undefined
        ? [{ label: 'Watchlist', line: '/watchlist' }]
        : [{ label: `Mute ${shortName(target)}`, line: commandLine('mute', targetName(target)) }],
  });
}

interface Split {
  readonly name: string;
  readonly time: string;
}

function splitOf(words: readonly string[], here: MuteClock): Split | undefined {
  if (words.length === 0) return { name: '', time: '' };
  const cuts = words.map((_, at) => [words.slice(0, at).join(' '), words.slice(at).join(' ')] as const);
  const splits = [...cuts.map(([name, time]) => ({ name, time })), ...cuts.toReversed().map(([time, name]) => ({ name, time }))];
  return splits.find(({ time }) => muteTime(time, here) !== undefined);
}

function endOf(text: string, here: MuteClock): Instant | 'off' {
  const end = muteTime(text, here);
  if (end === 'off') return 'off';
  if (end !== undefined && 'until' in end) return end.until;
  throw new UserError(`${end?.says ?? `"${brief(text)}" is not a time.`} Try ${TIME_EXAMPLES}, or off.`, { usage: 'mute' });
}
