/** Entry's preset in a reply, and the buttons that change it. */
import { isOff, modeOf, PRESET_TITLES, presetPhrase, PRESETS } from '../../alerts/rules/presets.js';
import { kindsFor, targetName, type Entry } from '../../alerts/watchlist/entry.js';
import type { Chat } from '../../alerts/watchlist/watchlists.js';
import { both } from '../../base/sentence-lists.js';
import type { ActionDraft, BlockDraft, Line } from '../../chat/reply.js';
import { line, commandLine } from '../../reply/index.js';
import type { Context } from '../context.js';

const kindsOf = ({ target }: Entry, { kinds }: Pick<Context, 'kinds'>): readonly string[] =>
  kindsFor(
    target,
    kinds.map(({ id }) => id),
  );

const customizedKinds = (entry: Entry, context: Pick<Context, 'kinds'>): readonly string[] =>
  kindsOf(entry, context).filter((kind) => entry.rules?.[kind] !== undefined || entry.modes?.[kind] !== undefined);

/** "**Important**, customized: growth". */
export function presetName(entry: Entry, context: Pick<Context, 'kinds'>): Line {
  const customized = customizedKinds(entry, context);
  return [{ strong: PRESET_TITLES[entry.preset] }, customized.length === 0 ? '' : `, customized: ${both(customized)}`];
}

/** "**Important** (mints and burns from $10K, …), customized: growth". */
export function presetLine(entry: Entry, context: Pick<Context, 'kinds'>): Line {
  const customized = customizedKinds(entry, context);
  const phrases = kindsOf(entry, context).flatMap((kind) => {
    if (isOff(entry, kind) || customized.includes(kind)) return [];
    const phrase = presetPhrase(entry.preset, kind);
    return phrase === undefined ? [] : [modeOf(entry, kind) === 'silent' ? `${phrase} without sound` : phrase];
  });
  const [title, rest = ''] = presetName(entry, context);
  return [...(title === undefined ? [] : [title]), phrases.length === 0 ? '' : ` (${phrases.join(', ')})`, rest];
}

export const presetActions = (entry: Entry): readonly ActionDraft[] =>
  PRESETS.map((preset) => ({
    label: PRESET_TITLES[preset],
    line: commandLine('alerts', targetName(entry.target), preset),
    on: preset === entry.preset && entry.rules === undefined && entry.modes === undefined,
  }));

const needsDigest = ({ preset }: Entry, { digest }: Pick<Chat, 'digest'>): boolean => preset === 'digest' && digest === undefined;

export const digestLines = (entry: Entry, chat: Pick<Chat, 'digest'>): readonly BlockDraft[] =>
  needsDigest(entry, chat) ? [line('⚠ No digest is on in this chat. Switch one on, or nothing is reported.')] : [];

export const digestActions = (entry: Entry, chat: Pick<Chat, 'digest'>): readonly ActionDraft[] =>
  needsDigest(entry, chat)
    ? [
        { label: 'Daily digest 09:00', line: '/digest daily 09:00' },
        { label: 'Weekly digest', line: '/digest weekly Mon 09:00' },
      ]
    : [];

/** Takes back the last change of an entry's alerts; after an Undo, that. */
export const undoActions = ({ target, previous, isUndone }: Entry): readonly ActionDraft[] =>
  previous === undefined ? [] : [{ label: isUndone === true ? 'Redo' : 'Undo', line: commandLine('alerts', targetName(target), 'undo') }];
