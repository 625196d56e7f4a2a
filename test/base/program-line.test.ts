import { expect, test } from 'vitest';
import { isInstalled, programLine } from '../../src/base/program-line.js';

const PACKAGE = 'file:///opt/some/node_modules/navwatch/dist/src/';

test('a hint of a checkout names npm scripts', () => {
  expect(isInstalled()).toBe(false);
  expect(programLine('start')).toBe('npm start');
  expect(programLine('login')).toBe('npm run --silent login');
  expect(programLine('key', 'create')).toBe('npm run --silent key -- create');
});

test('a hint of an installed package names files, because npm has no scripts of it there', () => {
  const folder = '/opt/some/node_modules/navwatch/dist/src';
  expect(isInstalled(PACKAGE)).toBe(true);
  expect(programLine('start', '', PACKAGE)).toBe(`node ${folder}/main.js`);
  expect(programLine('login', '', PACKAGE)).toBe(`node ${folder}/cli/login.js`);
  expect(programLine('key', 'create', PACKAGE)).toBe(`node ${folder}/cli/key.js create`);
  expect(programLine('login', '', PACKAGE.replace('some', 'some%20place'))).toBe(
    `node "${folder.replace('some', 'some place')}/cli/login.js"`,
  );
});
