// Loads the repository's TypeScript with the mutants built in. Fails where the text that a mutant replaces does not stand in its file exactly once.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { MUTANTS } from './list.mjs';

const root = new URL('../../../', import.meta.url).href;

function patched(file, source) {
  let text = source;
  for (const { name, patches } of MUTANTS)
    for (const { from, to } of patches.filter((patch) => patch.file === file)) {
      const places = text.split(from).length - 1;
      if (places !== 1) throw new Error(`mutant ${name}: its text stands ${places} times in ${file}, not once; write it again`);
      text = text.replace(from, () => to.replaceAll('MUTATED', `(Reflect.get(globalThis, 'mutant') === '${name}')`));
    }
  return text;
}

export async function load(url, context, next) {
  const file = url.startsWith(root) ? url.slice(root.length) : '';
  if (!MUTANTS.some(({ patches }) => patches.some((patch) => patch.file === file))) return next(url, context);
  const source = patched(file, await readFile(fileURLToPath(url), 'utf8'));
  const { code } = await transform(source, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } });
  return { format: 'module', source: code, shortCircuit: true };
}
