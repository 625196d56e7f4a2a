/** The source of a module in which every function first calls `globalThis.ran(file)`. Pure. */
import { z } from 'zod';

const functionSchema = z.object({
  type: z.enum(['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression']),
  body: z.object({ type: z.string(), start: z.int(), end: z.int() }),
});

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** `tree`: the module as ESTree, with the places of its nodes in `source`. */
export function traced(source: string, { file, tree }: { file: string; tree: unknown }): string {
  const call = `globalThis.ran?.(${JSON.stringify(file)})`;
  const inserted: Insertion[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { body } = functionSchema.safeParse(node).data ?? {};
    if (body?.type === 'BlockStatement') inserted.push({ at: body.start + 1, text: `${call};` });
    else if (body !== undefined) {
      // An object is in parentheses, which are no part of it.
      const before = source.slice(0, body.start).search(/=>\s*\(*\s*$/u) + '=>'.length;
      const opened = [...source.slice(before, body.start)].filter((sign) => sign === '(').length;
      inserted.push({ at: before, text: `(${call},` }, { at: afterClosing(source, body.end, opened), text: ')' });
    }
    for (const part of Object.values(node)) visit(part);
  };
  visit(tree);
  // From the end, so that the places before stay right. `toSorted` keeps the order of what stands at one place.
  let text = source;
  for (const { at, text: more } of inserted.toSorted((a, b) => b.at - a.at)) text = text.slice(0, at) + more + text.slice(at);
  return text;
}

function afterClosing(source: string, end: number, opened: number): number {
  let at = end;
  for (let left = opened; left > 0; at += 1) if (source[at] === ')') left -= 1;
  return at;
}
