import { expect, test } from 'vitest';
import { read, sources } from './repository.js';

const DECLARATION = /^export (?:declare )?(?:abstract )?(?:interface|type|class|(?:const )?enum) (\w+)/gmu;
const declared = (text: string): readonly string[] => [...text.matchAll(DECLARATION)].flatMap(([, name = '']) => name);

/** The files that define each exported type name. */
function definitions(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of sources('src', 'commands'))
    for (const name of declared(read(file))) found.set(name, [...(found.get(name) ?? []), file]);
  return found;
}

test('an exported type name has one definition', () => {
  const repeated = [...definitions()].filter(([, files]) => files.length > 1);
  expect(repeated.map(([name, files]) => `${name}: ${files.join(', ')}`)).toEqual([]);
});

test('interfaces, types, classes and enums that are exported count, and nothing else', () => {
  const text = [
    'export interface A<T> {}',
    'export type B = string;',
    'export abstract class C {}',
    'export const enum D {}',
    'interface E {}',
    "export type { F } from './f.js';",
    'export const g = 1;',
  ].join('\n');
  expect(declared(text)).toEqual(['A', 'B', 'C', 'D']);
});
