/** The changes of a list as text. */
import { both } from '../../src/base/sentence-lists.js';
import type { Entry } from '../../src/alerts/watchlist/entry.js';
import type { BlockDraft, Line } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { counted, dotted, line } from '../../src/reply/index.js';
import { titleOf } from '../../src/dispatch/watchlists/targets.js';
import { entryDetail, settingsLine } from './export.js';
import { fileEntryOf, settingsOf } from './list-file.js';
import type { ImportPlan, RefusedItem } from './plan.js';

const MAX_NAMED = 25;

interface Item {
  readonly line: Line;
  readonly detail?: Line;
}

export function changesText({ added, changed, removed, settings }: ImportPlan, tense: 'future' | 'past' = 'future'): readonly string[] {
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

export async function report(plan: ImportPlan, context: Context): Promise<readonly BlockDraft[]> {
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

export async function replacingText(adding: ImportPlan, replacing: ImportPlan, context: Context): Promise<string> {
  const titles = await Promise.all(replacing.removed.slice(0, MAX_NAMED).map(async ({ target }) => titleOf(target, context)));
  const more = replacing.removed.length - titles.length;
  const stopped = both(more === 0 ? titles : [...titles, `${more} more`]);
  return adding.refused.length === 0
    ? `"Replace all" also removes ${stopped}.`
    : `"Replace all" will ${both(changesText(replacing))}. It removes ${stopped}.`;
}

export function grouped(refused: readonly RefusedItem[]): readonly Item[] {
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

export function section(title: string, items: readonly Item[]): readonly BlockDraft[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, MAX_NAMED);
  return [line({ strong: title }), { kind: 'list', items: shown, more: items.length - shown.length }];
}
