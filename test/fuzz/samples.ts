/** What the simulated service answers to each operation, with short lists, as the beginnings of mutations. */
import { openBox } from '../simulator/box.js';
import { ask, knownOf, needed, rows } from '../analytics/questions.js';
import { isTree } from '../analytics/disorder.js';

export interface Sample {
  readonly row: string;
  readonly path: string;
  readonly body: string;
}

/** An input with a line in front that says what it is for; only what follows is changed much. */
export const joined = (head: string, body: string): string => `${head}\n${body}`;
export function split(input: string): { readonly head: string; readonly body: string } {
  const end = input.indexOf('\n');
  return end === -1 ? { head: input, body: '' } : { head: input.slice(0, end), body: input.slice(end + 1) };
}

/** Rows of a list that are kept. */
const KEPT = 3;
export const shortened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, KEPT).map(shortened);
  return isTree(value) ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shortened(field)])) : value;
};

let made: Promise<readonly Sample[]> | undefined;
export const bodiesOf = async (): Promise<readonly Sample[]> => (made ??= make());

async function make(): Promise<readonly Sample[]> {
  const closes: (() => Promise<void>)[] = [];
  const box = await openBox({ onClose: (close) => void closes.push(close) });
  const known = await knownOf(box, 'tide');
  const samples: Sample[] = [];
  for (const row of rows) {
    const { text } = await ask(box, row, await needed(box, row, known));
    const body = row.answers === 'csv' ? text.split('\n').slice(0, KEPT).join('\n') : JSON.stringify(shortened(JSON.parse(text)));
    samples.push({ row: row.id, path: row.path, body });
  }
  for (const close of closes) await close();
  return samples;
}
