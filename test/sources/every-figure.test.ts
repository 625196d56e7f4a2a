/**
 * Every figure of every view, as the transcripts ask for them: one that is no value of a response must have a formula, whose inputs are values of
 * responses or counts, and which gives that figure.
 */
import { Big } from 'big.js';
import { expect, test, vi } from 'vitest';
import type { Instant } from '../../src/base/clock.js';
import type { Reply } from '../../src/chat/reply.js';
import { fieldsOf, figuresOf, placesOf, shownFigures } from '../../src/sources/figures.js';
import { formulaOf } from '../../src/sources/formula.js';
import type { Recorder, FigureInput, SourceRecord } from '../../src/sources/recorder.js';
import type { Sources } from '../../src/sources/kept-sources.js';
import { KEY, openAppHarness, type AppHarness } from '../support/app-harness.js';
import { evaluate } from '../support/evaluate.js';
import { spread } from '../support/properties.js';
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
  const fields = fieldsOf(new Set([...operands, ...figures.map(({ value }) => value)]), data, { now });
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

/** Scalars of a response as the service sent it, numbers as plain decimals. */
function scalarsIn(value: unknown, into: Set<string>): Set<string> {
  if (Array.isArray(value)) for (const part of value) scalarsIn(part, into);
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) {
      // Ranges of contributions are field names (§2.12).
      if (/^\d/u.test(name)) scalarsIn(name.split(/[-+]/u), into);
      scalarsIn(part, into);
    }
  else if (typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/u.test(value))) into.add(new Big(value).toFixed());
  return into;
}

const ROWS = 100;

/** What the simulated service answers to a recorded request; of a list that was read page by page all pages. */
async function sentTo({ what, rows = 1 }: SourceRecord, serviceUrl: string): Promise<ReadonlySet<string>> {
  const into = new Set<string>();
  for (let page = 1; page <= Math.ceil(rows / ROWS); page += 1) {
    const url = new URL(what.replace(/^\w+ /u, ''), serviceUrl);
    if (rows > 1) for (const [name, value] of Object.entries({ limit: ROWS, page })) url.searchParams.set(name, String(value));
    const answer = await fetch(url, { headers: { 'x-api-key': KEY } });
    const isFile = answer.headers.get('content-type')?.startsWith('text/csv') === true;
    scalarsIn(isFile ? (await answer.text()).split(/[,\n"]/u) : await answer.json(), into);
  }
  return into;
}

const CONVERTED = /^(?<raw>-?[\d.]+) (?:raw|bps) \/ (?:10\^(?<exponent>\d+)|(?<divisor>\d+))$/u;

/** The value that the service must have sent for an input; undefined where its conversion does not give it. */
function sentAs({ value, conversion }: FigureInput): string | undefined {
  if (conversion === undefined) return value;
  const { raw = '', exponent, divisor } = CONVERTED.exec(conversion)?.groups ?? {};
  const by = exponent === undefined ? new Big(divisor ?? '1') : new Big(10).pow(Number(exponent));
  return new Big(raw).div(by).eq(value) ? raw : undefined;
}

const SHOWN = /(?<digits>\d[\d,]*)(?:\.(?<decimals>\d+))?(?<scale>[KMBT]\b)?/u;
const SCALES: Readonly<Record<string, number>> = { K: 3, M: 6, B: 9, T: 12 };

/** Whether a text shows a value to within its last digit; the sign may be a word. */
function shows(text: string, value: Big): boolean {
  const { digits, decimals = '', scale = '' } = SHOWN.exec(text)?.groups ?? {};
  if (digits === undefined || text.startsWith('<')) return true;
  const unit = new Big(10).pow((SCALES[scale] ?? 0) - decimals.length);
  const shown = new Big(`${digits.replaceAll(',', '')}${decimals}`).times(unit);
  return value
    .abs()
    .div(text.includes(' yr') ? 12 : 1)
    .minus(shown)
    .abs()
    .lte(unit);
}

/** Figures whose formula does not give what is shown, or which name as sent what the service did not send. */
async function untrue(
  line: string,
  { reply, recorder }: Answered,
  { now, sentFor }: { readonly now: Instant; readonly sentFor: (record: SourceRecord) => Promise<ReadonlySet<string>> },
): Promise<readonly string[]> {
  const records = recorder.records();
  const whole = new Set(placesOf(reply, now).map(({ text }) => text));
  const figures = figuresOf(reply, { log: recorder.log, records: records.map(({ data }) => data), now });
  const used = new Set(figures.flatMap(({ inputs }) => inputs.map(({ record }) => record)));
  const sent = await Promise.all(records.map(async ({ record }, index) => (used.has(index) ? sentFor(record) : undefined)));
  return figures.flatMap(({ text, value, formula, inputs }) => {
    const strange = inputs.filter((input) => input.record !== undefined && sent[input.record]?.has(sentAs(input) ?? '') !== true);
    return [
      ...strange.map(
        (input) => `${line}: ${text} is of ${input.conversion ?? input.value} (${input.name}), which the service did not send`,
      ),
      ...(formula !== undefined && isWhole(text) && !whole.has(text) ? [`${line}: the count ${text} is shown as ${formula}`] : []),
      ...(shows(text, new Big(value)) ? [] : [`${line}: ${text} does not show ${formula ?? ''} = ${value}`]),
    ];
  });
}

test('every derived figure of every view has a formula that gives it, of values that the service sent', async () => {
  const house = await openAppHarness();
  await house.directory.all();
  const kept = vi.spyOn(house.sources, 'keep');
  const sent = new Map<string, Promise<ReadonlySet<string>>>();
  const sentFor = async (record: SourceRecord): Promise<ReadonlySet<string>> => {
    const found = sent.get(record.what) ?? sentTo(record, house.service.url);
    sent.set(record.what, found);
    return found;
  };
  const problems: string[] = [];
  let derived = 0;
  const commands = house.registry.catalogue.commands.filter((one) => !changesTheChat(one));
  const lines = [...new Set([...commands.flatMap(linesOf), ...(await moreLines(house))])];
  const asked = spread(lines);
  const answers = new Set<string>();
  for (const line of asked) {
    kept.mockClear();
    const { reply, text } = await house.say(line);
    const answered: Answered | undefined = kept.mock.calls[0]?.[0];
    if (answered === undefined || answered.recorder.records().length === 0) continue;
    problems.push(
      ...unexplained(line, answered, house.clock.now()),
      ...(await untrue(line, answered, { now: house.clock.now(), sentFor })),
    );
    derived += answered.recorder.log.calculations.size;
    if (reply.tone !== 'warning') answers.add(text);
  }
  expect(problems).toEqual([]);
  const share = asked.length / lines.length;
  expect(derived).toBeGreaterThan(1_000 * share);
  expect(answers.size).toBeGreaterThan(100 * share);
});
