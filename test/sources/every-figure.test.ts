/**
 * Every figure of every view, as the transcripts ask for them: one that is no value of a response must have a formula, whose inputs are values of
 * responses or counts, and which gives that figure.
 */
import { expect, test, vi } from 'vitest';
import type { Instant } from '../../src/base/clock.js';
import type { Reply } from '../../src/chat/reply.js';
import { fieldsOf } from '../../src/sources/fields.js';
import { figuresOf, placesOf, shownFigures } from '../../src/sources/figures.js';
import { formulaOf } from '../../src/sources/formula.js';
import type { Recorder } from '../../src/sources/recorder.js';
import type { Sources } from '../../src/sources/kept-sources.js';
import { openAppHarness, type AppHarness } from '../support/app-harness.js';
import { evaluate } from '../support/evaluate.js';
import { changesTheChat, linesOf } from '../transcripts/lines.js';

type Answered = Parameters<Sources['keep']>[0];

/** More operands than a formula writes out. */
const MANY = /^sum of \d+ values$/u;
const isWhole = (value: string): boolean => /^-?\d+$/u.test(value);

/** Written without a formatter: money, percentages, points, multiples and months. */
const UNFORMATTED = /\$\d|\d(?:%| pts\b| mo\b|x\b(?!…))/u;

const withoutFigures = (text: string, figures: Iterable<string>): string =>
  [...figures].toSorted((a, b) => b.length - a.length).reduce((rest, figure) => rest.replaceAll(figure, ' '), text);

/** What `linesOf` cannot name before the service is asked: proposals, wallets, numbers; and other projects, ranges and moments. */
async function moreLines({ say, registry }: AppHarness): Promise<readonly string[]> {
  const viewsOf = (name: string): readonly string[] =>
    registry.catalogue.commands.find((one) => one.name === name)?.options.find((one) => one.name === 'view')?.choices ?? [];
  const linksOf = async (line: string, command: string): Promise<readonly string[]> =>
    (await say(line)).reply.actions.flatMap((action) => (action.line.startsWith(`/${command} `) ? [action.line.split(' ')[1] ?? ''] : []));
  const [live = ''] = await linksOf('/markets live', 'proposal');
  const [ended = ''] = await linksOf('/proposals tide', 'proposal');
  const [wallet = ''] = await linksOf('/holders tide', 'wallet');
  const projectViews = ['holders', 'ico', 'treasury', 'vesting', 'supply', 'accounts', 'finances', 'growth', 'trading', 'proposals'];
  return [
    ...[live, ended].flatMap((key) => viewsOf('proposal').map((view) => `/proposal ${key} ${view}`)),
    ...viewsOf('wallet').map((view) => `/wallet ${wallet} ${view}${view === 'proposal' ? ` ${ended}` : ''}`),
    ...['heron'].flatMap((slug) => [
      ...projectViews.flatMap((name) => viewsOf(name).map((view) => `/${name} ${slug} ${view}`)),
      ...['1D', '1W', '1M', '3M', 'ALL', 'at:2026-11-01'].map((range) => `/premium ${slug} ${range}`),
      ...['project', 'growth', 'movements'].map((name) => `/${name} ${slug}`),
    ]),
    ...['3M', '6M', 'ALL'].flatMap((range) => viewsOf('finances').map((view) => `/finances tide ${view} ${range}`)),
    ...['nav', 'runway'].map((view) => `/treasury tide ${view} at:2026-11-01`),
    '/screen discount>0 runway>0 nav>0 price>0 cap>0 fdv>0 treasury>0',
    '/screen allowance>0 supply>0 change1h>-100 change24h>-100 change7d>-100 volume>0 live>=0 proposals>=0',
    ...['1h', '24h', '7d'].map((period) => `/overview movers ${period}`),
    ...['recent', 'completed', 'graveyard'].flatMap((view) => [1, 2].map((page) => `/launches ${view} ${page}`)),
  ];
}

/** Figures without an explanation, each as `line: text = value`. */
function unexplained(
  line: string,
  { reply, recorder }: { readonly reply: Reply; readonly recorder: Recorder },
  now: Instant,
): readonly string[] {
  const data = recorder.records().map((one) => one.data);
  const figures = shownFigures(placesOf(reply, now), recorder.log.shown);
  const operands = [...recorder.log.calculations.values()].flatMap((one) => one.operands);
  const fields = fieldsOf(new Set([...operands, ...figures.map(({ value }) => value)]), data, now);
  const isInput = (value: string): boolean => fields.has(value);
  const unformatted = placesOf(reply, now).flatMap(({ label, text }) => {
    const rest = withoutFigures(text, recorder.log.shown.keys());
    return UNFORMATTED.test(rest) ? [`${line}: ${label}: "${text}" has a figure that no formatter gave`] : [];
  });
  const unknown = figures.flatMap((figure) => {
    const { text, value } = figure;
    const formula = formulaOf(figure, { isInput });
    const says = `${line}: ${text} = ${value}`;
    if (formula === undefined) return isInput(value) || isWhole(value) ? [] : [says];
    if (MANY.test(formula.text)) return [];
    const strange = formula.values.filter((one) => !isInput(one) && !isWhole(one) && !formula.sums.has(one));
    const apart = evaluate(formula.text).minus(value).abs();
    return [
      ...(strange.length === 0 ? [] : [`${says} of ${strange.join(', ')} in ${formula.text}`]),
      ...(apart.lt('1e-25') ? [] : [`${says} is not ${formula.text}`]),
    ];
  });
  const wrong = figuresOf(reply, { log: recorder.log, records: data, now }).flatMap(({ text, value, formula }) =>
    formula === undefined || MANY.test(formula) || evaluate(formula).minus(value).abs().lt('1e-25')
      ? []
      : [`${line}: ${text} is shown as ${formula}`],
  );
  return [...unformatted, ...unknown, ...wrong];
}

test('every derived figure of every view has a formula that gives it', async () => {
  const house = await openAppHarness();
  await house.directory.all();
  const kept = vi.spyOn(house.sources, 'keep');
  const problems: string[] = [];
  let derived = 0;
  const commands = house.registry.catalogue.commands.filter((one) => !changesTheChat(one));
  const lines = [...commands.flatMap(linesOf), ...(await moreLines(house))];
  const answers = new Set<string>();
  for (const line of new Set(lines)) {
    kept.mockClear();
    const { reply, text } = await house.say(line);
    const answered: Answered | undefined = kept.mock.calls[0]?.[0];
    if (answered === undefined || answered.recorder.records().length === 0) continue;
    problems.push(...unexplained(line, answered, house.clock.now()));
    derived += answered.recorder.log.calculations.size;
    if (reply.tone !== 'warning') answers.add(text);
  }
  expect(problems).toEqual([]);
  expect(derived).toBeGreaterThan(1_000);
  expect(answers.size).toBeGreaterThan(100);
});
