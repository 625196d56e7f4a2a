/** Wraps text by measured width, then shortens it. */
import type { Typeface } from './typeface.js';

export function shorten(text: string, { face, size, room }: { face: Typeface; size: number; room: number }): string {
  if (face.width(text, size) <= room) return text;
  const characters = [...text];
  while (characters.length > 0 && face.width(`${characters.join('').trimEnd()}…`, size) > room) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

/** A number stays with its unit: "17.2%", "$5.77 M". */
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

/** The first that fits; the last one is shortened if needed. */
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
