import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { SETTINGS, readConfig } from '../../src/config.js';
import { CAST } from '../../src/simulator/world/cast.js';
import { read } from './repository.js';

const example = read('.env.example');
/** A setting is shown with its default, or empty, behind one `#`. */
const lines = example.split('\n').flatMap((line) => /^#?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? []);

test('.env.example shows every setting once, and no other', () => {
  expect(lines.toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
});

test('.env.example says what each setting is for', () => {
  const silent = example
    .split('\n')
    .filter((line, index, all) => /^#?[A-Z][A-Z0-9_]*=/.test(line) && !/^# \S/.test(explanation(all, index)));
  expect(silent).toEqual([]);
});

test('.env.example is a working configuration as it stands, and with every line of it switched on', () => {
  expect(() => readConfig(parseEnv(example))).not.toThrow();
  const on = parseEnv(example.replaceAll(/^#([A-Z][A-Z0-9_]*=)/gm, '$1'));
  expect(() => readConfig({ ...on, ANALYTICS_API_KEY: 'a-key-of-mine' })).not.toThrow();
});

/** The line above a setting, or above the settings that stand right over it. */
function explanation(all: readonly string[], index: number): string {
  const above = all.slice(0, index).findLast((line) => !/^#?[A-Z][A-Z0-9_]*=/.test(line));
  return above ?? '';
}

test('the projects of the example exist in the embedded service', () => {
  const named = /^#PROJECTS=(.+)$/mu.exec(example)?.[1] ?? '';
  const known = CAST.map(({ slug }) => slug);
  expect(named.split(',').filter((slug) => !known.includes(slug))).toEqual([]);
});
