// Lets a plain Node child import this repository's TypeScript, so that a test can kill a real process. Registered by register.mjs.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

export async function resolve(specifier, context, next) {
  const ours = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(ours ? specifier.replace(/\.js$/u, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  const { code } = await transform(source, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } });
  return { format: 'module', source: code, shortCircuit: true };
}
