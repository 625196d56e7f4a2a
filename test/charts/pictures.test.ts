import { existsSync } from 'node:fs';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { silentLog, type Log } from '../../src/base/log.js';
import { chartSchema, type Chart } from '../../src/chat/chart.js';
import { openPictures, pictureKey, type PicturesDeps } from '../../src/charts/pictures.js';
import { handClock } from '../support/clock.js';
import { SAMPLES } from './samples.js';

const ECHO = new URL('threads/echo.mjs', import.meta.url);
const BUILT = new URL('../../dist/src/charts/worker.js', import.meta.url);

const titled = (title: string): Chart => chartSchema.parse({ kind: 'shares', title, unit: 'usd', parts: [] });

function open(needs: Partial<PicturesDeps> = {}) {
  const clock = handClock();
  const warned: unknown[] = [];
  const log: Log = { ...silentLog, warn: (event, fields) => void warned.push([event, fields]) };
  const pictures = openPictures({ clock, log, program: ECHO, ...needs });
  onTestFinished(async () => pictures.close());
  return { pictures, clock, warned };
}

test('a chart is drawn once for each theme and form, and kept', async () => {
  const { pictures } = open();
  const first = await pictures.svg(titled('tide'), 'dark');
  expect(first).toMatch(/^tide dark svg by thread \d+, its 1\.$/u);
  expect(await pictures.svg(titled('tide'), 'dark')).toBe(first);
  expect(await pictures.svg(titled('tide'), 'light')).toMatch(/^tide light svg .* its 2\.$/u);
  expect(new TextDecoder().decode(await pictures.png(titled('tide'), 'dark'))).toMatch(/^tide dark png .* its 3\.$/u);
});

test('a thread that was warmed has drawn one picture before the first, and is warmed once', async () => {
  const { pictures } = open();
  await pictures.warm();
  await pictures.warm();
  expect(await pictures.svg(titled('tide'), 'dark')).toContain('its 2.');
  await pictures.warm();
  expect(await pictures.svg(titled('reef'), 'dark')).toContain('its 3.');
});

test('a thread is cold until it has drawn its first picture, and again after it ended', async () => {
  const { pictures } = open();
  expect(pictures.isCold?.()).toBe(true);
  const first = pictures.svg(titled('tide'), 'dark');
  expect(pictures.isCold?.()).toBe(true);
  await first;
  expect(pictures.isCold?.()).toBe(false);
  await pictures.close();
  expect(pictures.isCold?.()).toBe(true);
});

test('a thread that cannot be warmed is no trouble to anybody', async () => {
  const { pictures, warned } = open({ program: new URL('threads/missing.mjs', import.meta.url) });
  await pictures.warm();
  expect(warned).toEqual([]);
});

test('those who ask for the same picture at once share its drawing', async () => {
  const { pictures } = open();
  const [one, other] = await Promise.all([pictures.svg(titled('tide'), 'dark'), pictures.svg(titled('tide'), 'dark')]);
  expect(one).toBe(other);
});

test('what is not asked for any more makes way', async () => {
  const { pictures } = open({ room: 80 });
  await pictures.svg(titled('one'), 'dark');
  await pictures.svg(titled('two'), 'dark');
  expect(await pictures.svg(titled('two'), 'dark')).toContain('its 2.');
  await pictures.svg(titled('three'), 'dark');
  expect(await pictures.svg(titled('one'), 'dark')).toContain('its 4.');
});

test.each([
  ['die', /ended before the picture was drawn/u],
  ['throw', /failed: out of paint/u],
  ['lie', /something else than a picture/u],
])('a thread that should %s fails the picture, and the next one is drawn by another', async (title, sentence) => {
  const { pictures, warned } = open();
  await expect(pictures.svg(titled(title), 'dark')).rejects.toThrow(sentence);
  expect(await pictures.svg(titled('tide'), 'dark')).toContain('its 1.');
  expect(warned).toMatchObject([['charts.failed', { title }]]);
});

test('a picture that takes too long is given up, and those behind it are drawn', async () => {
  const { pictures, clock } = open({ patience: 5_000 });
  const stuck = pictures.svg(titled('silent'), 'dark');
  const next = pictures.svg(titled('tide'), 'dark');
  const failure = stuck.catch((error: unknown) => error);
  await clock.asleep();
  await clock.advance(5_000);
  expect(await failure).toMatchObject({ message: expect.stringContaining('not drawn within 5 s') });
  expect(await next).toContain('its 1.');
});

test('a chart that cannot be drawn leaves the thread standing', async () => {
  const { pictures } = open();
  const before = await pictures.svg(titled('before'), 'dark');
  await expect(pictures.svg(titled('refuse'), 'dark')).rejects.toThrow('could not be drawn: too odd');
  expect(await pictures.svg(titled('after'), 'dark')).toBe(before.replace('before', 'after').replace('its 1.', 'its 2.'));
});

test('what failed is not tried again at once, but later', async () => {
  const { pictures, clock, warned } = open();
  await expect(pictures.svg(titled('refuse'), 'dark')).rejects.toThrow('too odd');
  await expect(pictures.svg(titled('refuse'), 'dark')).rejects.toThrow('too odd');
  expect(warned).toHaveLength(1);
  await clock.advance(10 * 60_000);
  await expect(pictures.svg(titled('refuse'), 'dark')).rejects.toThrow('too odd');
  expect(warned).toHaveLength(2);
});

test('more pictures than anyone would wait for are refused', async () => {
  const { pictures } = open();
  const asked = await Promise.allSettled(Array.from({ length: 60 }, async (_, index) => pictures.svg(titled(`n${index}`), 'dark')));
  const refused = asked.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(10);
  expect(refused[0]).toMatchObject({ reason: { message: expect.stringContaining('too many pictures') } });
});

test('closing fails what is waited for and what comes later, and can be done twice', async () => {
  const { pictures } = open();
  const waiting = [pictures.svg(titled('silent'), 'dark'), pictures.svg(titled('tide'), 'dark')].map(async (one) =>
    expect(one).rejects.toThrow('the bot is stopping'),
  );
  await pictures.close();
  await Promise.all(waiting);
  await pictures.close();
  await expect(pictures.png(titled('tide'), 'dark')).rejects.toThrow('the bot is stopping');
});

test('a thread that is not there is a failure of the picture, not of the bot', async () => {
  const { pictures } = open({ program: new URL('threads/missing.mjs', import.meta.url) });
  await expect(pictures.svg(titled('tide'), 'dark')).rejects.toThrow(/^charts: the drawing thread failed/u);
});

test('the thread gets nothing of the environment', async () => {
  process.env['SECRET'] = 'a-secret-of-the-test';
  onTestFinished(() => void delete process.env['SECRET']);
  const { pictures } = open();
  expect(await pictures.svg(titled('tide'), 'dark')).not.toContain('secret');
});

test('equal charts have equal keys, others have others', () => {
  expect(pictureKey(titled('a'))).toBe(pictureKey(titled('a')));
  expect(pictureKey(titled('a'))).not.toBe(pictureKey(titled('b')));
});

test('the built thread draws with the font that was built in', async ({ skip }) => {
  skip(!existsSync(BUILT), 'the thread is compiled code; run "npm run build" first');
  const { pictures } = open({ program: BUILT, clock: systemClock });
  const [chart] = Object.values(SAMPLES);
  if (chart === undefined) throw new Error('there is no sample');
  const png = Buffer.from(await pictures.png(chart, 'dark'));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_600, 900]);
  const svg = await pictures.svg(chart, 'light');
  expect(svg).toMatch(/^<svg /u);
  expect(svg).not.toMatch(/<text|<style|<script|style=/u);
  expect(existsSync(new URL('fonts/LICENSE_FONT', BUILT))).toBe(true);
});
