import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { transform } from '@swc/core';
import { expect, test } from 'vitest';

const REGISTER = fileURLToPath(new URL('../support/child/register.mjs', import.meta.url));
const SOURCE_MAPS = new URL('../../src/base/source-maps.ts', import.meta.url).href;

/** Line 5 throws, and the compiled text has no comment and no interface. */
const SOURCE = `/** A comment
 * that is not compiled. */
interface Nothing { readonly a: string }
export function fails(_: Nothing): never {
  throw new TypeError('it failed');
}
`;

/** Compiles a source that throws, calls it in a process whose stacks name the sources, and returns the stack. */
async function stackOf({ hasMap }: { readonly hasMap: boolean }): Promise<{ readonly stack: string; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-stacks-'));
  try {
    const { code, map = '' } = await transform(SOURCE, {
      ...{ filename: join(folder, 'fails.ts'), sourceMaps: true, module: { type: 'es6' } },
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022', preserveAllComments: false },
    });
    await writeFile(join(folder, 'fails.mjs'), code);
    if (hasMap) await writeFile(join(folder, 'fails.mjs.map'), JSON.stringify({ file: 'fails.mjs', ...JSON.parse(map) }));
    const program = `
      const { nameSourcesInStacks } = await import(${JSON.stringify(SOURCE_MAPS)});
      nameSourcesInStacks();
      const { fails } = await import(${JSON.stringify(pathToFileURL(join(folder, 'fails.mjs')).href)});
      try { fails(); } catch (error) { process.stdout.write(error.stack); }`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', REGISTER, '--input-type=module', '--eval', program]);
    return { stack: stdout, folder };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('a stack names the line of the source', async () => {
  const { stack, folder } = await stackOf({ hasMap: true });
  expect(stack.split('\n').slice(0, 2)).toEqual(['TypeError: it failed', `    at fails (${join(folder, 'fails.ts')}:5:9)`]);
});

test('without a map a stack is as Node writes it', async () => {
  const { stack, folder } = await stackOf({ hasMap: false });
  expect(stack.split('\n').slice(0, 2)).toEqual([
    'TypeError: it failed',
    `    at fails (${pathToFileURL(join(folder, 'fails.mjs')).href}:3:11)`,
  ]);
});
