/**
 * What hostile and very large answers cost: the longest time without a turn of the event loop, the time until the call ends, and the peak memory above what
 * the process used before. Run with `npx vitest run --config test/bench/hostile.config.ts`; compare runs of one machine only.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { projectsLaunch } from '../../src/analytics/endpoints/dashboard.js';
import { movementsFile } from '../../src/analytics/endpoints/movements.js';
import { supplyEvents } from '../../src/analytics/endpoints/supply.js';
import { navAsChart, treasuryOverview } from '../../src/analytics/endpoints/treasury.js';
import { tradingStatistics } from '../../src/analytics/endpoints/trading.js';
import type { Row } from '../../src/analytics/endpoint-row.js';
import { connect, reply, serve } from '../support/service.js';

const times = (count: number, text: string): string => Array.from({ length: count }, () => text).join();
const list = (count: number, text: string): string => `{"data":[${times(count, text)}]}`;
const siblings = (count: number): string =>
  `{"data":{${Array.from({ length: count }, (_, number) => `"k${number}":{"spotPrice":${number}}`).join()}}}`;
const point = '{"timestamp":"2026-11-20T10:00:00Z","navPerAdjustedShare":"0.697689","spotPrice":"0.628927","premium":-9.856}';
const slug = { slug: 'tide' };

/** Each body is made when its turn comes, so that none counts as memory of another. */
const BODIES: readonly (readonly [name: string, row: Row, input: Readonly<Record<string, unknown>>, body: () => string])[] = [
  ['an ordinary answer', treasuryOverview, slug, () => '{"data":{"monthsOfRunway":12}}'],
  ['20,000 points of a chart', navAsChart, slug, () => list(20_000, point)],
  ['60,000 rows of {}', projectsLaunch, {}, () => list(60_000, '{}')],
  ['1,000,000 rows of {}', projectsLaunch, {}, () => list(1_000_000, '{}')],
  ['8,000 sibling objects', treasuryOverview, slug, () => siblings(8_000)],
  ['200,000 sibling objects', treasuryOverview, slug, () => siblings(200_000)],
  ['200,000 sibling objects, every number shown', tradingStatistics, { daoSlug: 'tide' }, () => siblings(200_000)],
  ['1,000,000 strings', supplyEvents, slug, () => list(1_000_000, '"abcde"')],
  ['one string of 3,900,000 characters', treasuryOverview, slug, () => `{"data":{"name":"${'a'.repeat(3_900_000)}"}}`],
  ['300,000 numbers of 20 digits', supplyEvents, slug, () => list(300_000, '12345678901234567890')],
  ['nested 1,000,000 deep', treasuryOverview, slug, () => `{"data":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`],
  ['a file of 100,000 records', movementsFile, slug, () => `a,b,c,d\n${'1,two,"three, and more",4\n'.repeat(100_000)}`],
  ['a file of one open quote', movementsFile, slug, () => `a,b\n1,"${'x,\n'.repeat(1_000_000)}`],
];

const only = process.env['BODY'];
const lines: string[] = [];
afterAll(() => process.stdout.write(`${lines.join('\n')}\n`));

/** Linux keeps the peak of a process and forgets it on request; elsewhere the peak is that of the whole run. */
const forgetPeak = (): void => {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // There is no such file.
  }
};
const peak = (): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/u.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
};

/** What the process has calculated, all threads together: on a busy machine the time that passes says little. */
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Runs `work`; the longest time between two turns of the event loop meanwhile, as it passed and as calculated, and the whole time, in milliseconds. */
async function measured(
  work: () => Promise<unknown>,
): Promise<{ readonly longest: number; readonly calculated: number; readonly whole: number }> {
  const begun = performance.now();
  let last = begun;
  let spent = cpu();
  let longest = 0;
  let calculated = 0;
  const beat = (): void => {
    longest = Math.max(longest, performance.now() - last);
    calculated = Math.max(calculated, cpu() - spent);
    last = performance.now();
    spent = cpu();
  };
  const heart = setInterval(beat, 1);
  await work();
  beat();
  clearInterval(heart);
  return { longest, calculated, whole: performance.now() - begun };
}

test.for(BODIES.filter(([name]) => only === undefined || name === only))('%s', async ([name, row, input, body]) => {
  const bytes = Buffer.from(body());
  const service = await serve((asked) => reply(asked, bytes));
  const { analytics } = await connect(service.url);
  const ask = async () =>
    analytics.call(row, input).then(
      () => 'read',
      (error: unknown) => (error instanceof Error ? error.message : 'failed'),
    );
  const before = process.memoryUsage.rss() / 1024 ** 2;
  forgetPeak();
  let end = '';
  const { longest, calculated, whole } = await measured(async () => {
    end = await ask();
  });
  const memory = Math.max(0, peak() - before);
  expect(end).not.toBe('');
  lines.push(
    `${name.padEnd(46)} ${(bytes.length / 1024 ** 2).toFixed(1).padStart(5)} MiB  longest ${longest.toFixed(0).padStart(6)} ms (cpu ${calculated.toFixed(0).padStart(5)} ms)  whole ${whole.toFixed(0).padStart(6)} ms  memory ${memory.toFixed(0).padStart(5)} MiB  ${end}`,
  );
});
