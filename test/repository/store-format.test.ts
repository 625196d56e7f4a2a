/** The format of a store says when one of its collections changed, and the operator knows what each keeps. */
import { expect, test } from 'vitest';
import { FORMAT } from '../../src/store/backend.js';
import { read, sources } from './repository.js';

/** Files with a collection of a later version than 1, by format. An earlier line is never changed. */
const LATER_VERSIONS: Readonly<Record<number, readonly string[]>> = { 1: [] };

test('whoever raises the version of a collection raises the format too, so that an older Navwatch refuses the database', () => {
  const raised = sources('src').filter((file) => /\bversion: (?!1\b)\d+/u.test(read(file)));
  expect(raised).toEqual(LATER_VERSIONS[FORMAT]);
});

test('docs/operations.md says of every collection how much of it is kept', () => {
  const prefixes = sources('src').flatMap((file) => [...read(file).matchAll(/\bprefix: '([^']+)'/gu)].map(([, prefix = '']) => prefix));
  const [, table = ''] = /^### What is kept, and for how long\n(.*?)^###? /msu.exec(read('docs/operations.md')) ?? [];
  const listed = [...table.matchAll(/^\| `([^`]+)` +\| [^|]*\w[^|]* \| [^|]*\w[^|]* \|$/gmu)].map(([, prefix = '']) => prefix);
  expect(listed).toEqual([...new Set(prefixes)].toSorted());
});
