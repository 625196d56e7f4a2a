/** /watchlist import: previews the changes of a list before they are applied. */
import { both } from '../../src/base/sentence-lists.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import { reply, type ActionDraft, type Line, type Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { UserError, line } from '../../src/reply/index.js';
import { expectedLine, expectedOf, firstCheckText, requirePosting, runFirstChecks } from '../../src/dispatch/watchlists/first-checks.js';
import { FILE_VERSION } from './list-file.js';
import { changesAnything, fingerprint, planOf, type ImportMode, type ImportPlan } from './plan.js';
import type { ImportedList } from './imported-list.js';
import { readList } from './read-list.js';
import { changesText, grouped, section, replacingText, report } from './report.js';
import { resolve, type ResolvedList } from './resolve.js';

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
  // An incomplete list removes nothing. Entries that exceed the limit may fit if the list replaces the old one.
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
    tone: refused.length > 0 || before !== undefined ? 'warning' : 'plain',
    finding: before === undefined ? finding : [before, ' ', ...finding],
    blocks: [
      ...(await report(adding, context)),
      ...section('Not imported', grouped(refused)),
      ...resolved.notes.map((note) => line(note)),
      ...(replaces ? [line(await replacingText(adding, replacing, context))] : []),
    ],
    actions: [
      ...(does ? [await button('Import', 'import', { ...ready, plan: adding, chat })] : []),
      ...(replaces ? [await button('Replace all', 'replace', { ...ready, plan: replacing, chat })] : []),
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
      ...section('Not imported', grouped(refused)),
      ...(added.length === 0 ? [] : [line(...firstCheckText(checks, expected)), ...expectedLine(expected, context)]),
    ],
    actions: [
      { label: 'Watchlist', line: '/watchlist' },
      { label: 'Edit alerts', line: '/alerts' },
    ],
  });
}

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
    fields: [{ kind: 'text', label: 'Paste a list', hint: 'one per line: <public key> fund-1', line: '/watchlist import {}', lines: true }],
    actions: [
      { label: 'Export', line: '/watchlist export' },
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });
