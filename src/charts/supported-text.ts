/** Keeps only glyphs of the bundled font; other scripts are named. */
import type { Typeface } from './typeface.js';

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
