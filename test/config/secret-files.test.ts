import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig, secretsOf } from '../../src/config.js';
import { FILE_VARIANTS } from '../../src/config/secret-files.js';

const KEY = 'a-key-of-mine';

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'navwatch-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secret');
  writeFileSync(path, text);
  return path;
}

test('a secret is read from its file, without the line end, and is kept out of logs like any other', () => {
  const config = readConfig({ ANALYTICS_BASE_URL: 'https://service.example', ANALYTICS_API_KEY_FILE: ` ${fileWith(`${KEY}\n`)} ` });
  expect(config.analytics.apiKey).toBe(KEY);
  expect(secretsOf(config)).toContain(KEY);
  expect(config.misspelt).toEqual([]);
});

test.each([
  ['is missing', () => '/nowhere/at/all', 'config: ANALYTICS_API_KEY_FILE: the file does not exist; correct the path'],
  ['is empty', () => fileWith(' \n'), 'the file is empty; write the value of ANALYTICS_API_KEY into it'],
  ['is a folder', () => tmpdir(), 'the file is a folder; give the path of a file in it'],
  ['is too large', () => fileWith('x'.repeat(20_000)), 'has more than 16 KB'],
])('a file that %s stops the start with a sentence, and does not start the bot without its secret', (_, path, sentence) => {
  expect(() => readConfig({ ANALYTICS_API_KEY_FILE: path() })).toThrow(sentence);
});

test('a secret that is given both ways is refused, because nobody knows which is meant', () => {
  const both = { ANALYTICS_API_KEY: KEY, ANALYTICS_API_KEY_FILE: fileWith(KEY) };
  expect(() => readConfig(both)).toThrow('config: ANALYTICS_API_KEY_FILE: ANALYTICS_API_KEY is set too; remove one of them');
});

test('a wrong value from a file is complained about without showing it', () => {
  expect(() => readConfig({ DISCORD_TOKEN_FILE: fileWith('short-one') })).toThrow('copy the whole token');
  expect(() => readConfig({ DISCORD_TOKEN_FILE: fileWith('short-one') })).not.toThrow('short-one');
});

test('a variant that is set to nothing is not set', () => {
  expect(() => readConfig(Object.fromEntries(FILE_VARIANTS.map((name) => [name, ''])))).not.toThrow();
});
