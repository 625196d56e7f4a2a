/** What a long run came to, in lines. */
import type { DayMeasured } from './measure.js';
import { FILLED_AFTER, MIN_JUDGED_DAYS, verdicts, type Verdict } from './verdict.js';

export function lineOf({ day, collections, levels, happened }: DayMeasured): string {
  const documents = Object.values(collections).reduce((sum, one) => sum + one.documents, 0);
  const numbers = [...Object.entries({ documents, ...levels }), ...Object.entries(happened)];
  return `day ${day}: ${numbers.map(([name, value]) => `${name} ${rounded(value)}`).join(', ')}`;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

const rowOf = ({ name, level, growth, kind, because }: Verdict): string =>
  `| ${name} | ${rounded(level).toLocaleString('en')} | ${(growth * 100).toFixed(2)}% | ${kind}${because === undefined ? '' : `: ${because}`} |`;

/** A table, and the names of what grows. */
export function report(days: readonly DayMeasured[]): { readonly lines: readonly string[]; readonly growing: readonly string[] } {
  const all = verdicts(days);
  if (all === undefined) return { lines: [`Not judged: it takes ${FILLED_AFTER + MIN_JUDGED_DAYS} days.`], growing: [] };
  const growing = all.filter(({ kind }) => kind === 'grows').map(({ name }) => name);
  const verdict = growing.length === 0 ? 'Nothing grows.' : `It grows: ${growing.join('; ')}`;
  return { lines: ['| what | level | growth a day | verdict |', '| --- | ---: | ---: | --- |', ...all.map(rowOf), verdict], growing };
}
