/** One row of the table in docs/reliability.md for each run. */
import { SECOND } from '../../src/base/clock.js';
import type { weighed } from './planted.js';

export interface TortureRow {
  readonly name: string;
  readonly rounds: number;
  readonly events: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly maybeSent: number;
  /** In ms, one for each round. */
  readonly recovery: readonly number[];
}

const HEADING = ['torture', 'rounds', 'events', 'lost', 'duplicated', 'maybe sent', 'recovery: median', 'max'];

/** In Markdown, with its heading. */
export function tableOf(rows: readonly TortureRow[]): string {
  const cells = rows.map(({ name, rounds, events, lost, duplicated, maybeSent, recovery }) => [
    name,
    ...[rounds, events, lost, duplicated, maybeSent].map((count) => count.toLocaleString('en')),
    ...(recovery.length === 0 ? ['n/a', 'n/a'] : [inSeconds(median(recovery)), inSeconds(Math.max(...recovery))]),
  ]);
  return [HEADING, HEADING.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

type Weighed = ReturnType<typeof weighed>;

/** Over all chats. An event that one chat lost and another got is lost. */
export const sums = (results: readonly Weighed[]): Pick<TortureRow, 'lost' | 'duplicated'> => ({
  lost: new Set(results.flatMap(({ lost }) => lost)).size,
  duplicated: results.reduce((sum, { doubled }) => sum + doubled.length, 0),
});

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

export const inSeconds = (ms: number): string => `${(ms / SECOND).toFixed(1)} s`;
