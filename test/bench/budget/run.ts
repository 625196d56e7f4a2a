/**
 * `npm run bench:budget -- [--only 500,honest,12] [--json <file>] [--svg <file>] [--again <file>]`: the real bot through a month of each plan, over lists that
 * are honest, lag, are wrong or are not there. Simulated time, seeded: the same figures each time. `--again` draws what was measured before.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measure, PLANS, PROJECTS, withoutLimit, type Measured } from './cell.js';
import { curve } from './curve.js';
import { lineOf, HEAD } from './table.js';
import { LISTS } from './service.js';

const { values } = parseArgs({
  options: { only: { type: 'string' }, json: { type: 'string' }, svg: { type: 'string' }, again: { type: 'string' } },
});
const wanted = values.only?.split(',') ?? [];
/** Each of its parts that is named must be among the wanted ones. */
const isWanted = (names: readonly string[], name: string): boolean => !wanted.some((one) => names.includes(one)) || wanted.includes(name);
/** `--only unlimited` plays no plan. */
const isPlanWanted = wanted.length === 0 || wanted.some((one) => one !== 'unlimited');
const limits = PLANS.map(({ limit }) => String(limit));

export interface Results {
  readonly at: string;
  readonly requestsAnHourWithoutLimit: number | undefined;
  readonly cells: readonly Measured[];
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function run(): Promise<Results> {
  const cells: Measured[] = [];
  for (const plan of isPlanWanted ? PLANS : [])
    for (const projects of PROJECTS)
      for (const lists of LISTS) {
        if (!isWanted(limits, String(plan.limit)) || !isWanted(LISTS, lists) || !isWanted(PROJECTS.map(String), String(projects))) continue;
        const measured = await measure(plan, lists, projects);
        cells.push(measured);
        say(lineOf(measured));
        for (const note of measured.notes) say(`  ${note}`);
      }
  const unlimited = wanted.length === 0 || wanted.includes('unlimited') ? await withoutLimit(12) : undefined;
  return { at: new Date().toISOString(), requestsAnHourWithoutLimit: unlimited, cells };
}

say(HEAD);
const results: Results = values.again === undefined ? await run() : JSON.parse(await readFile(values.again, 'utf8'));
if (values.again !== undefined) for (const cell of results.cells) say(lineOf(cell));
if (results.requestsAnHourWithoutLimit !== undefined)
  say(`without a limit, 12 projects: ${results.requestsAnHourWithoutLimit} requests an hour`);
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`);
if (values.svg !== undefined) await writeFile(values.svg, curve(results.cells));
process.exitCode = results.cells.every(({ isOverdrawn, wrong, doubled }) => !isOverdrawn && wrong === 0 && doubled === 0) ? 0 : 1;
