/** Makes text that the bundled fonts can draw and that fits its space. */
import type { Typeface } from './fonts.js';

export function shorten(text: string, { face, size, room }: { face: Typeface; size: number; room: number }): string {
  if (face.width(text, size) <= room) return text;
  const characters = [...text];
  while (characters.length > 0 && face.width(`${characters.join('').trimEnd()}…`, size) > room) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

/** Matches spaces at which a line may break: not between a number and its unit, as in "$5.77 M". */
const BREAKS = / (?!(?<=\d )(?:%|[KMBT])(?:[\s,.;:)]|$))/u;

export function wrap(text: string, { face, size, room }: { face: Typeface; size: number; room: number }): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(BREAKS)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && face.width(longer, size) <= room) lines[lines.length - 1] = longer;
    else lines.push(shorten(word, { face, size, room }));
  }
  return lines;
}

export interface Setting {
  readonly size: number;
  readonly lines: readonly string[];
}

/** Returns the first text that fits. If none does, shortens the last one. */
export function fit(
  text: string,
  { face, room, settings }: { face: Typeface; room: number; settings: readonly (readonly [size: number, lines: number])[] },
): Setting {
  for (const [size, most] of settings) {
    const lines = wrap(text, { face, size, room });
    if (lines.length <= most) return { size, lines: balanced(text, { face, size, room, lines }) };
  }
  const [size, most] = settings.at(-1) ?? [20, 1];
  const lines = wrap(text, { face, size, room });
  const rest = lines.slice(most - 1).join(' ');
  return { size, lines: [...lines.slice(0, most - 1), shorten(rest, { face, size, room })] };
}

function balanced(
  text: string,
  { face, size, room, lines }: { face: Typeface; size: number; room: number; lines: readonly string[] },
): readonly string[] {
  if (lines.length < 2) return lines;
  let best = lines;
  for (let narrower = room * 0.96; narrower > room * 0.6; narrower -= room * 0.04) {
    const next = wrap(text, { face, size, room: narrower });
    if (next.length > lines.length || next.some((line) => line.endsWith('…') && !lines.includes(line))) return best;
    best = next;
  }
  return best;
}

const SCRIPTS = [
  [/\p{Script=Han}/u, 'Chinese'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'Japanese'],
  [/\p{Script=Hangul}/u, 'Korean'],
  [/\p{Script=Arabic}/u, 'Arabic'],
  [/\p{Script=Hebrew}/u, 'Hebrew'],
  [/\p{Script=Devanagari}/u, 'Hindi'],
  [/\p{Script=Thai}/u, 'Thai'],
] as const;

const HOLE = '\u{f0000}';

export function readable(text: string, face: Pick<Typeface, 'has'>): string {
  const plain = text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Variation_Selector}]/gu, (character) => (/\s/u.test(character) ? ' ' : ''));
  const drawn = [...plain].map((character) => {
    if (/\s/u.test(character)) return ' ';
    if (face.has(character)) return character;
    const simple = character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
    if (simple !== '' && [...simple].every((one) => face.has(one))) return simple;
    return /[\p{L}\p{N}]/u.test(character) ? HOLE : '';
  });
  const [holes, kept] = [drawn.filter((one) => one === HOLE).length, drawn.join('').replaceAll(/\s+/gu, ' ').trim()];
  if (kept === '' && plain.trim() !== '') return '(symbols)';
  return holes === 0 ? kept : kept.replaceAll(new RegExp(`${HOLE}+( ?${HOLE}+)*`, 'gu'), `(${scriptOf(text)})`);
}

const scriptOf = (text: string): string => SCRIPTS.find(([script]) => script.test(text))?.[1] ?? 'other script';
