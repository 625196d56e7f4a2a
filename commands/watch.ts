/** /watch <target> [label]: adds an entry to the watchlist. */
import { z } from 'zod';
import { calledHere, targetName, withEarlier, type Entry, type Target } from '../src/alerts/watchlist/entry.js';
import { DEFAULT_PRESET } from '../src/alerts/rules/presets.js';
import { entryFor, withEntry } from '../src/alerts/watchlist/watchlists.js';
import { entryHere, withIncluded } from '../src/alerts/watchlist/exceptions.js';
import { isExcludedIn } from '../src/alerts/watchlist/match.js';
import { changeExceptions, watchSeparately } from '../src/dispatch/watchlists/exceptions.js';
import { UnknownProjectError } from '../src/analytics/directory.js';
import { reply, type BlockDraft, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context, FirstCheckCounts } from '../src/dispatch/context.js';
import { MAX_MENU_OPTIONS, UserError, commandLine, line, optional, textOption } from '../src/reply/index.js';
import { addEntry, entryNamed, labelFault, watchLine, targetOf, titleOf, walletsOf } from '../src/dispatch/watchlists/targets.js';
import { expectedLine, expectedOf, firstCheckText, requirePosting, runFirstChecks } from '../src/dispatch/watchlists/first-checks.js';
import { screenLines } from '../src/dispatch/watchlists/screen-filter.js';
import { digestActions, digestLines, entryAlertsText, presetActions, presetLine, ruleText } from '../src/dispatch/watchlists/rule-text.js';
import { endsItself, marketNamed, withRulesSoFar } from '../src/dispatch/watchlists/markets.js';
import { looksLikeKey, shortKey } from '../src/domain/wallet.js';
import type { Project } from '../src/domain/project.js';

export default defineCommand({
  name: 'watch',
  summary: 'Get alerts about a project, a wallet, all projects or launches',
  group: 'watching',
  args: z.object({
    target: textOption('a project, a wallet\'s public key, "all", "launches", one proposal or a screen').meta({ complete: 'target' }),
    where: z.enum(['dm']).optional().describe('dm for alerts in a private chat with me'),
    label: textOption('a label for the wallet').meta({ rest: true }),
  }),
  examples: [
    '/watch tide',
    '/watch all',
    '/watch launches',
    '/watch proposal tide audit',
    '/watch 7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd fund-1',
  ],
  phrases: {
    '/watch {target} {label?}': `watch {project} | follow {project} | track {project} | keep an eye on {project} | add {project} | add {project} to my list |
      subscribe to {project} | start watching {project} | monitor {project} | please keep an eye on {project} for us | post updates
      about {project} here | can you post updates about {project} here from now on | watch {key} | follow {key} as fatcat | follow
      {key} and call it whale | keep an eye on this wallet {key} | watch {key} call it whale | add {key} to the things you follow and
      call it whale | track this wallet {key} name it fund | observe {project} | add {project} to the watchlist | I want updates on
      {project} | alerts for {project} please | get alerts about {project} | put {project} on the watchlist | notify me about
      {project} | keep me posted on {project} | follow {key} and name it whale | news about {project}`,
    '/watch proposal {project} {words?}': `watch the {project} vote | follow the {project} proposal | keep an eye on the vote of {project} | track {project}'s open proposal | follow only the audit proposal of {project} | watch the buyback vote of {project} until it is decided | follow just this one {project} proposal
      about grants | watch proposal {project} audit | keep me posted on the {project} audit vote | track the {project} buyback vote | track only the {project} proposal on hiring | follow the {project} audit proposal`,
    '/watch {target} dm': `watch {project} in my dms | dm me {project} alerts | send {project} alerts to my dms | follow {project} privately | track
      {project} in my dms | send me the {project} updates privately and not in this group | watch {project} but in a dm | dm me
      {project} stuff`,
    '/watch screen {filter}': `tell me when a project comes to match discount over 20 and runway over 12 months | alert me when any project gets
      cheaper than 30% below nav with more than 18 months of runway | watch the screen discount>20 runway>12 | follow all projects with
      a discount over 10 and a live proposal as they enter and leave | alert on entries and exits of the screen cap under 3m at a discount`,
    '/watch all': `watch all | watch everything | follow all projects | watch every project | subscribe to all | follow all of the projects at once
      | track all coins | alert me about everything | keep an eye on all projects | monitor the whole market`,
    '/watch launches': `watch launches | notify me of new raises | tell me about new launches | alert me when something launches | follow launches | new
      raises notify me | tell me about new raises when they come | news of fresh raises in this channel | I would like to get news
      about new token launches in here | ping me for new icos | tell me when a new raise starts`,
  },
  manages: ({ target }) => target !== undefined,
  changes: ({ target }) => target !== undefined,
  elsewhere: true,
  direct: { option: 'where', value: 'dm' },

  async run({ target: text, where, label }, context) {
    if (text === undefined) return firstStep(context);
    const asked = { text, label, context };
    return where === undefined ? watch({ ...asked, place: context.place }) : inDirect(await watch({ ...asked, place: 'a DM with me' }));
  },
});

const inDirect = (said: Reply): Reply => ({
  ...said,
  blocks: [
    ...said.blocks,
    { kind: 'line', line: ['The alerts come in your private chat with me. Use ', { code: '/alerts' }, ' there to change them.'] },
  ],
  actions: [],
});

interface WatchRequest {
  readonly text: string;
  readonly label: string | undefined;
  readonly place: string;
  readonly context: Context;
}

async function watch({ text, label, place, context }: WatchRequest): Promise<Reply> {
  const [, taken] = /^(\S.*?)\s+undo$/iu.exec([text, label].filter((part) => part !== undefined).join(' ')) ?? [];
  if (taken !== undefined) return watchAgain(taken, context);
  const target = await labelled(text, label, context);
  const title = await titleOf(target, context);
  const before = context.watchlists.read(context.chat);
  const standing = entryFor(before, target);
  if (standing) return (await renamed(standing, target, context)) ?? already(await titleOf(standing.target, context), standing, context);
  const notes = await requirePosting(watchLine(target), context);
  if (target.kind === 'project' && isExcludedIn(before, { feed: '', project: target.slug }))
    return includedReply(target, title, { context, place, notes });

  const own: Entry = {
    target,
    since: context.now,
    by: context.asker.name,
    byId: context.asker.id,
    preset: before.preset ?? DEFAULT_PRESET,
  };
  const { entry: started, from } = target.kind === 'market' ? withRulesSoFar(own, target, before) : { entry: own };
  const gone = entryFor({ ...before, entries: before.removed ?? [] }, target);
  const entry = withEarlier(started, gone);
  const { stands, isAdded } = await addEntry(entry, context);
  if (!isAdded) return already(title, stands, context);
  const checks = await runFirstChecks([target], context);
  const members = target.kind === 'screen' ? await screenLines(target.filter, context) : [];
  return startedReply(entry, title, {
    context,
    place,
    notes: [...members, ...(await copiedLines(entry, from, context)), ...(entry === started ? [] : earlierLines(gone, context)), ...notes],
    checks,
  });
}

/** An entry that decides instead of a broader one says which of its rules and reminders go on. */
async function copiedLines(entry: Entry, from: Entry | undefined, context: Context): Promise<readonly BlockDraft[]> {
  const rules = Object.entries(entry.rules ?? {}).map(([kind, one]) => ruleText(kind, one));
  if (from === undefined || rules.length === 0) return [];
  return [
    line(`Copied from the alerts of ${await titleOf(from.target, context)}: ${rules.join('; ')}. Later changes there don't change them.`),
  ];
}

/** Says which alerts an entry had before it was removed, because a new entry starts without them. */
const earlierLines = (gone: Entry | undefined, context: Context): readonly BlockDraft[] =>
  gone === undefined
    ? []
    : [
        line(
          `Its alerts from before are not set again: ${entryAlertsText(gone, context).join('; ')}. `,
          ...[{ code: commandLine('alerts', targetName(gone.target), 'undo') }, ' brings them back.'],
        ),
      ];

/** What was unwatched is watched again with its rules, mutes and exceptions. What happened meanwhile is not alerted. */
async function watchAgain(named: string, context: Context): Promise<Reply> {
  const chat = context.watchlists.read(context.chat);
  const gone = entryNamed(named, { entries: chat.removed ?? [] });
  const standing = entryNamed(named, chat);
  if (standing !== undefined) return already(await titleOf(standing.target, context), standing, context);
  if (gone === undefined)
    throw new UserError(`Nothing to undo: "${named}" is not among what ${context.place} stopped watching last.`, {
      actions: [{ label: 'Watch', line: commandLine('watch', named) }],
    });
  const notes = await requirePosting(commandLine('watch', targetName(gone.target), 'undo'), context);
  const { stands: _stands, ...kept } = gone;
  const entry: Entry = { ...kept, since: context.now, by: context.asker.name, byId: context.asker.id };
  const title = await titleOf(entry.target, context);
  const { stands, isAdded } = await addEntry(entry, context);
  if (!isAdded) return already(title, stands, context);
  const checks = await runFirstChecks([entry.target], context);
  const rules = line('Its rules, mutes and exceptions are as they were. What happened meanwhile is not alerted.');
  return startedReply(entry, title, { context, place: context.place, notes: [rules, ...notes], checks });
}

async function labelled(text: string, label: string | undefined, context: Context): Promise<Target> {
  const name = label === undefined || looksLikeKey(text) ? text : `${text} ${label}`;
  const market = await marketNamed(name, context);
  if (market !== undefined) return market;
  const target = await targetOf(name, context).catch(async (error: unknown) => {
    throw (error instanceof UnknownProjectError ? await several(name, context) : undefined) ?? error;
  });
  if (target.kind !== 'wallet' || label === undefined) return target;
  const fault = labelFault(label, (await optional(context.directory.all())).answer ?? []);
  if (fault !== undefined) throw new UserError(fault);
  const taken = walletsOf(context.watchlists.read(context.chat)).find(
    (other) => other.address !== target.address && other.label?.toLowerCase() === label.toLowerCase(),
  );
  if (taken !== undefined) throw new UserError(`"${label}" is already the label of wallet ${shortKey(taken.address)}. Choose another one.`);
  return { ...target, label };
}

const MAX_COMPARED = 20;

async function several(text: string, { directory }: Context): Promise<UserError | undefined> {
  const names = text.split(/[\s,;+&]+|\band\b/u).filter((name) => name !== '');
  if (names.length < 2) return undefined;
  for (const name of names.slice(0, MAX_COMPARED))
    if (!['all', 'launches'].includes(name.toLowerCase()) && (await directory.named(name)).length === 0) return undefined;
  return new UserError(['Watch one at a time, or give a whole list to ', { code: '/watchlist import' }, '.'], {
    actions: names.slice(0, 5).map((name) => ({ label: `Watch ${name}`, line: commandLine('watch', name) })),
  });
}

async function renamed(standing: Entry, target: Target, context: Context): Promise<Reply | undefined> {
  if (target.kind !== 'wallet' || target.label === undefined || calledHere(standing.target) === target.label) return undefined;
  const old = calledHere(standing.target);
  await context.watchlists.change(context.chat, (chat) => {
    const entry = entryFor(chat, target);
    return entry === undefined ? chat : withEntry(chat, { ...entry, target });
  });
  return reply({
    finding: [
      { strong: `Wallet ${shortKey(target.address)} is now labeled "${target.label}"` },
      old === undefined ? '' : ` (was "${old}")`,
    ],
    actions: [{ label: 'Wallet', line: commandLine('wallet', target.address) }, customize(target)],
  });
}

const customize = (target: Target) => ({ label: 'Customize…', line: commandLine('alerts', targetName(target)) });

const already = (title: string, entry: Entry, context: Context): Reply =>
  reply({
    finding: [{ strong: `Already watching ${title}` }, ', added ', { at: entry.since }, ` by ${entry.by}`],
    blocks: [line('Alerts: ', ...presetLine(entry, context))],
    actions: [
      ...presetActions(entry),
      customize(entry.target),
      { label: 'Unwatch', line: commandLine('unwatch', targetName(entry.target)) },
    ],
  });

interface StartedWatch {
  readonly context: Context;
  readonly place: string;
  readonly notes: readonly BlockDraft[];
  readonly checks: FirstCheckCounts;
}

function startedReply(entry: Entry, title: string, { context, place, notes, checks }: StartedWatch): Reply {
  const expected = expectedOf([entry], context);
  return reply({
    tone: 'live',
    finding: [{ strong: `Watching ${title}` }, ` in ${place}`],
    blocks: [
      line('Alerts: ', ...presetLine(entry, context)),
      ...digestLines(entry, context.watchlists.read(context.chat)),
      line(...firstCheckText(checks, expected)),
      ...(entry.target.kind === 'market' ? [line(endsItself(entry.target))] : []),
      ...expectedLine(expected, context),
      ...notes,
    ],
    actions: [
      ...presetActions(entry),
      ...digestActions(entry, context.watchlists.read(context.chat)),
      customize(entry.target),
      ...(entry.previous === undefined || entry.isUndone === true
        ? []
        : [{ label: 'Earlier alerts', line: commandLine('alerts', targetName(entry.target), 'undo') }]),
      { label: 'Undo', line: commandLine('unwatch', targetName(entry.target)) },
    ],
  });
}

async function includedReply(
  target: Extract<Target, { kind: 'project' }>,
  title: string,
  { context, place, notes }: Omit<StartedWatch, 'checks'>,
): Promise<Reply> {
  const { now } = context;
  const after = await changeExceptions(target.slug, (chat) => withIncluded(chat, { project: target.slug, now }), context);
  const entry = entryHere(after, target);
  const expected = entry === undefined ? undefined : expectedOf([entry], context);
  return reply({
    tone: 'live',
    finding: [{ strong: `Watching ${title} again` }, ` in ${place}, through /watch all`],

    blocks: [
      line('Its exclusion is lifted. What happened meanwhile is not alerted.'),
      ...(entry === undefined ? [] : [line('Alerts: ', ...presetLine(entry, context))]),
      line(...firstCheckText(await runFirstChecks([target], context), expected)),
      ...expectedLine(expected, context),
      ...notes,
    ],
    actions: [customize(target), watchSeparately(target.slug), { label: 'Undo', line: commandLine('unwatch', target.slug) }],
  });
}

const OUR_WORDS: ReadonlySet<string> = new Set(['all', 'launches']);

/** Replies to `/watch` without a target, with buttons for the first choices. */
async function firstStep(context: Context): Promise<Reply> {
  const watched = new Set(context.watchlists.read(context.chat).entries.map(({ target }) => targetName(target)));
  // If the list of projects cannot be read, a project can still be typed.
  const projects = ((await optional(context.directory.all())).answer ?? [])
    .filter(({ slug }) => !watched.has(slug) && !OUR_WORDS.has(slug.toLowerCase()))
    .toSorted((a, b) => knownOf(b) - knownOf(a))
    .slice(0, MAX_MENU_OPTIONS);
  const example = projects[0]?.slug ?? 'tide';
  return reply({
    finding: [{ strong: 'What do you want alerts about?' }],
    blocks: [
      {
        kind: 'list',
        items: [
          { line: [{ code: commandLine('watch', example) }, ': one project, by slug, symbol or name'] },
          { line: [{ code: '/watch <public key> fund-1' }, ': one wallet, with a label'] },
          { line: [{ code: '/watch all' }, ': every project'] },
          { line: [{ code: '/watch launches' }, ': all token launches'] },
          { line: [{ code: `/watch proposal ${example}` }, ': one live proposal, until its result'] },
          { line: [{ code: '/watch screen premium<-20 runway>12' }, ': projects that enter or leave a screen'] },
        ],
      },
    ],
    fields: [
      ...(projects.length === 0 ? [] : [{ kind: 'menu' as const, label: 'A project', options: projects.map(optionOf) }]),
      { kind: 'text', label: 'Another project', hint: 'name, symbol or slug', line: '/watch {}' },
      { kind: 'text', label: 'A wallet', hint: 'public key, then a label', line: '/watch {}' },
    ],
    actions: [
      { label: 'Watch all', line: '/watch all' },
      { label: 'Watch launches', line: '/watch launches' },
      { label: 'Import a list', line: '/watchlist import' },
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });
}

const knownOf = ({ symbol, mint, name, slug }: Project): number =>
  [symbol, mint, name === slug ? undefined : name].filter((one) => one !== undefined).length;

const optionOf = ({ slug, symbol, name }: Project) => ({ label: name, hint: symbol ?? '', line: commandLine('watch', slug) });
