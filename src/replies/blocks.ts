/** Lines and small texts of a reply. */
import type { BlockDraft, Line } from '../chat/reply.js';
import { countText } from '../domain/format.js';

export const line = (...spans: Line): BlockDraft => ({ kind: 'line', line: spans });

export const brokenRows = (broken: number): readonly BlockDraft[] =>
  broken === 0 ? [] : [line(`⚠ ${counted(broken, 'row')} skipped: unreadable.`)];

export const doubtful = (doubts: readonly string[]): readonly BlockDraft[] =>
  doubts.length === 0 ? [] : [line(`⚠ Not shown: ${doubts.join(', ')}. The service reports conflicting values.`)];

export const dotted = (...lines: readonly (Line | string | undefined)[]): Line =>
  lines
    .filter((one) => one !== undefined)
    .flatMap((one, index) => [...(index === 0 ? [] : [' · ']), ...(typeof one === 'string' ? [one] : one)]);

/** "1 project", "10,438 projects". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${countText(count)} ${count === 1 ? one : many}`;
