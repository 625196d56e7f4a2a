import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { SECTIONS, readConfig } from '../../src/config.js';
import { CAST } from '../../src/simulator/world/invented-projects.js';
import { envExample } from '../support/env-example.js';

const example = envExample(SECTIONS);

// A file snapshot: run with `--update` it writes the file, else it compares.
test('.env.example is what the settings and their hints say', async () => {
  await expect(example).toMatchFileSnapshot('../../.env.example');
});

test('each setting is shown once', () => {
  const shown = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gmu)].map(([, name]) => name);
  expect(shown).toEqual(SECTIONS.flatMap(({ variables }) => Object.keys(variables)));
  expect(new Set(shown).size).toBe(shown.length);
});

test('.env.example is a working configuration as it stands, and with every line of it switched on', () => {
  expect(() => readConfig(parseEnv(example))).not.toThrow();
  const on = parseEnv(example.replaceAll(/^#([A-Z][A-Z0-9_]*=)/gm, '$1'));
  expect(() => readConfig({ ...on, ANALYTICS_API_KEY: 'a-key-of-mine' })).not.toThrow();
});

test('a variable that was not made as a setting is noticed', () => {
  expect(() => envExample([{ title: 'Odd', variables: { ODD: z.string() } }])).toThrow('has no hint');
});

test('the projects of the example exist in the embedded service', () => {
  const named = /^#PROJECTS=(.+)$/mu.exec(example)?.[1] ?? '';
  const known = CAST.map(({ slug }) => slug);
  expect(named.split(',').filter((slug) => !known.includes(slug))).toEqual([]);
});
