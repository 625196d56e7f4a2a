/** /watchlist import: previews the changes of a list before they are applied. */
import { both } from '../../src/base/sentence-lists.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import { reply, type ActionDraft, type BlockDraft, type Line, type Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { UserError, counted, dotted, line } from '../../src/reply/index.js';
import { expectedLine, expectedOf, firstCheckText, requirePosting, runFirstChecks } from '../../src/dispatch/watchlists/first-checks.js';
import { FILE_VERSION, fileEntryOf, settingsOf } from '../../src/dispatch/watchlists/list-file.js';
import {
  changesAnything,
  fingerprint,
  planOf,
  type ImportMode,
  type ImportPlan,
  type RefusedItem,
} from '../../src/dispatch/watchlists/list-plan.js';
import { readList, type ImportedList } from '../../src/dispatch/watchlists/read-list.js';
import { resolve, type ResolvedList } from '../../src/dispatch/watchlists/resolve-list.js';
import type { Entry } from '../../src/alerts/watchlist/entry.js';
import { titleOf } from '../../src/dispatch/watchlists/targets.js';
import { entryDetail, settingsLine } from './export.js';

interface ImportOptions {
  readonly mode: ImportMode;
  readonly may: boolean;
  readonly text: string | undefined;
}

export async function importPage({ mode, may, text }: ImportOptions, context: Context): Promise<Reply> {
  const written = await listText(text === undefined ? undefined : await shownBefore(text, context), context);
  if (written === undefined) return howTo();
  const read = await readList(written);
  if (!read.read) throw new UserError(read.says, { actions: [{ label: 'How to import', line: '/watchlist import' }] });
  await requirePosting('/watchlist import', context);
  const { list } = read;
  const resolved = await resolve(list, context);
  if (list.seen === undefined || !may) return previewPage({ list, resolved, context });
  return applyImport({ list, resolved, context, mode, seen: list.seen });
}

const KEPT = /^kept:([\w-]{20})$/u;

async function shownBefore(text: string, { imports, chat }: Context): Promise<string> {
  const [, key] = KEPT.exec(text) ?? [];
  const kept = key === undefined ? text : await imports.read(chat, key);
  if (kept !== undefined) return kept;
  throw new UserError('This list has expired. Import it again.', {
    actions: [{ label: 'How to import', line: '/watchlist import' }],
  });
}

async function listText(text: string | undefined, { files }: Context): Promise<string | undefined> {
  if (files.length > 1) throw new UserError(`Send one file at a time; you sent ${files.length}.`);
  return files[0] === undefined ? text : files[0].read();
}

interface Ready {
  readonly list: ImportedList;
  readonly resolved: ResolvedList;
  readonly context: Context;
}

const ids = ({ kinds }: Context): readonly string[] => kinds.map(({ id }) => id);

function plan(chat: Chat, mode: ImportMode, { resolved: { wanted, settings }, context }: Ready): ImportPlan {
  const by = { by: context.asker.name, byId: context.asker.id };
  return planOf({ chat, wanted, settings, mode, by, now: context.now, kinds: ids(context) });
}

async function previewPage(ready: Ready, before?: string): Promise<Reply> {
  const { context, resolved } = ready;
  const chat = context.watchlists.read(context.chat);
  const adding = plan(chat, 'add', ready);
  const replacing = plan(chat, 'replace', ready);
  const refused = [...resolved.refused, ...adding.refused];
  const does = changesAnything(adding);
  // A list with refused lines must not remove entries. Entries above the limit may fit if the list replaces the old one.
  const replaces = resolved.refused.length + replacing.refused.length === 0 && replacing.removed.length > 0;
  const finding: Line = does
    ? [{ strong: `Import this list? It will ${both(changesText(adding))}` }]
    : replaces && refused.length > 0
      ? [{ strong: 'This list only fits if it replaces the current watchlist' }]
      : [
          {
            strong:
              adding.unchanged.length > 0 ? 'This chat already watches everything in this list' : 'There is nothing to watch in this list',
          },
        ];
  return reply({
    tone: refused.length + resolved.over.length > 0 || before !== undefined ? 'warning' : 'plain',
    finding: before === undefined ? finding : [before, ' ', ...finding],
    blocks: [
      ...(await report(adding, context)),
      ...section('Not imported', grouped([...refused, ...resolved.over])),
      ...resolved.notes.map((note) => line(note)),
      ...(replaces ? [line(await replacingText(adding, replacing, context))] : []),
    ],
    actions: [
      ...(does ? [{ ...(await button('Import', 'import', { ...ready, plan: adding, chat })), emphasis: 'primary' as const }] : []),
      ...(replaces
        ? [{ ...(await button('Replace all', 'replace', { ...ready, plan: replacing, chat })), emphasis: 'danger' as const }]
        : []),
      { label: does || replaces ? 'Cancel' : 'Watchlist', line: '/watchlist' },
    ],
  });
}

async function button(
  label: string,
  word: 'import' | 'replace',
  { list: { settings }, plan: { wanted }, chat, context }: Ready & { plan: ImportPlan; chat: Chat },
): Promise<ActionDraft> {
  const list = {
    navwatch: 'watchlist',
    version: FILE_VERSION,
    ...(settings ?? { keep: true }),
    seen: fingerprint(chat, ids(context)),
    entries: wanted.map(({ written }) => written),
  };
  return { label, line: `/watchlist ${word} kept:${await context.imports.keep(context.chat, JSON.stringify(list))}` };
}

async function applyImport({ mode, seen, ...ready }: Ready & { mode: ImportMode; seen: string }): Promise<Reply> {
  const { context } = ready;
  let done: ImportPlan | undefined;
  await context.watchlists.change(context.chat, (chat) => {
    if (fingerprint(chat, ids(context)) !== seen) return chat;
    done = plan(chat, mode, ready);
    return changesAnything(done) ? done.after : chat;
  });
  if (done === undefined) return previewPage(ready, 'The watchlist changed in the meantime, so nothing was imported. Check again:');
  const checks = await runFirstChecks(
    done.added.map(({ target }) => target),
    context,
  );
  const { refused, added } = done;
  const expected = expectedOf(added, context);
  return reply({
    tone: refused.length > 0 ? 'warning' : 'live',
    finding: [
      {
        strong: changesAnything(done)
          ? `Imported: ${both(changesText(done, 'past'))}`
          : 'This chat already watches everything in this list',
      },
    ],
    blocks: [
      ...(await report(done, context)),
      ...section('Not imported', grouped([...refused, ...ready.resolved.over])),
      ...(added.length === 0 ? [] : [line(...firstCheckText(checks, expected)), ...expectedLine(expected, context)]),
    ],
    actions: [
      { label: 'Watchlist', line: '/watchlist' },
      { label: 'Edit alerts', line: '/alerts' },
    ],
  });
}

export const IMPORT_FIELD = {
  ...{ kind: 'text' as const, label: 'Import a list', hint: 'one per line: <public key> fund-1', line: '/watchlist import {}' },
  ...{ lines: true, file: true },
};

const howTo = (): Reply =>
  reply({
    finding: [{ strong: 'Send a list to import' }, ' as a file with /watchlist import, or paste it after that command.'],
    blocks: [
      {
        kind: 'list',
        items: [
          { line: ['a file from ', { code: '/watchlist export' }] },
          { line: ['wallets with labels, one per line: ', { code: '<public key> fund-1' }, ' (CSV works too)'] },
          { line: ['explorer links to wallets'] },
          { line: ['project names, ', { code: 'all' }, ' or ', { code: 'launches' }] },
        ],
      },
      line('You see what will change before anything is imported.'),
    ],
    fields: [IMPORT_FIELD],
    actions: [
      { label: 'Export', line: '/watchlist export' },
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });

const MAX_NAMED = 25;

interface Item {
  readonly line: Line;
  readonly detail?: Line;
}

function changesText({ added, changed, removed, settings }: ImportPlan, tense: 'future' | 'past' = 'future'): readonly string[] {
  const verb = (future: string, past: string): string => (tense === 'future' ? future : past);
  const some = (list: readonly unknown[], word: string): readonly string[] =>
    list.length === 0 ? [] : [`${word} ${counted(list.length, 'entry', 'entries')}`];
  return [
    ...some(added, verb('add', 'added')),
    ...some(changed, verb('change', 'changed')),
    ...some(removed, verb('remove', 'removed')),
    ...(settings.length === 0 ? [] : [`${verb('change', 'changed')} this chat's ${both(settings)}`]),
  ];
}

async function report(plan: ImportPlan, context: Context): Promise<readonly BlockDraft[]> {
  const { added, changed, unchanged, removed, settings, before, after } = plan;
  const written = { kinds: context.kinds.map(({ id }) => id), now: context.now };
  const detailOf = (entry: Entry): Line => entryDetail(fileEntryOf({ entry, chat: after.address }, written));
  const lines = async (entries: readonly Entry[]): Promise<readonly Item[]> =>
    Promise.all(entries.map(async (entry) => ({ line: [await titleOf(entry.target, context)], detail: detailOf(entry) })));
  const changedLines = await Promise.all(
    changed.map(async ({ old, entry, parts }): Promise<Item> => {
      const [from, to] = [await titleOf(old.target, context), await titleOf(entry.target, context)];
      return { line: dotted(from === to ? to : `${from} → ${to}`, both(parts)), detail: fromTo(detailOf(old), detailOf(entry)) };
    }),
  );
  return [
    ...(settings.length === 0
      ? []
      : [
          line(
            `This chat's ${both(settings)}: `,
            ...fromTo(settingsLine(settingsOf(before, written)), settingsLine(settingsOf(after, written))),
          ),
        ]),
    ...section('Added', await lines(added)),
    ...section('Changed', changedLines),
    ...section('Removed', await lines(removed)),
    ...(unchanged.length === 0 ? [] : [line(`Unchanged: ${counted(unchanged.length, 'entry', 'entries')}.`)]),
  ];
}

const fromTo = (from: Line, to: Line): Line => (JSON.stringify(from) === JSON.stringify(to) ? to : [...from, ' → ', ...to]);

async function replacingText(adding: ImportPlan, replacing: ImportPlan, context: Context): Promise<string> {
  const titles = await Promise.all(replacing.removed.slice(0, MAX_NAMED).map(async ({ target }) => titleOf(target, context)));
  const more = replacing.removed.length - titles.length;
  const stopped = both(more === 0 ? titles : [...titles, `${more} more`]);
  return adding.refused.length === 0
    ? `"Replace all" also removes ${stopped}.`
    : `"Replace all" will ${both(changesText(replacing))}. It removes ${stopped}.`;
}

function grouped(refused: readonly RefusedItem[]): readonly Item[] {
  const reasons = [...new Set(refused.map(({ because }) => because))];
  return reasons.flatMap((because): readonly Item[] => {
    const all = refused.filter((one) => one.because === because);
    const [first] = all;
    const last = all.at(-1);
    if (first === undefined || last === undefined || all.length <= 2)
      return all.map(({ where, what }) => ({ line: [`${where}: `, { code: what }], detail: [because] }));
    return [{ line: [`${first.where} to ${last.where} (${all.length}): `, { code: first.what }, ' …'], detail: [because] }];
  });
}

function section(title: string, items: readonly Item[]): readonly BlockDraft[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, MAX_NAMED);
  return [line({ strong: title }), { kind: 'list', items: shown, more: items.length - shown.length }];
}
