/** This module finds the figures in a reply, with their exact values and formulas. It is pure. */
import type { Block, Line, Reply } from '../chat/reply.js';
import { lineText } from '../chat/plain-text.js';
import type { Calculation, CalculationLog, ComputedValue } from '../domain/calculations.js';
import { type Instant, daySchema, instantSchema } from '../domain/scalars.js';
import { formulaOf } from './formula.js';
import { clockTime, day as dayText } from '../domain/format.js';
import { conversionOf } from '../analytics/wire-values.js';
import { cutName, type FigureInput, type SourceFigure } from './recorder.js';

interface Place {
  readonly label: string;
  readonly text: string;
}

/** Returns the parts of a reply that show figures, in order. */
export function placesOf({ finding, blocks, zone }: Pick<Reply, 'finding' | 'blocks' | 'zone'>, now: Instant): readonly Place[] {
  return [{ label: 'headline', text: lineText(finding, now, zone) }, ...blocks.flatMap((block) => inBlock(block, now, zone))];
}

function inBlock(block: Block, now: Instant, zone: string | undefined): readonly Place[] {
  const ofLine = (line: Line): Place => ({ label: strongIn(line) ?? '', text: lineText(line, now, zone) });
  switch (block.kind) {
    case 'line':
      return [ofLine(block.line)];
    case 'figures':
      return block.items.map(({ label, value }) => ({ label, text: value }));
    case 'list':
      return block.items.flatMap(({ line, detail }) => {
        const first = ofLine(line);
        return detail === undefined ? [first] : [first, { label: first.label, text: lineText(detail, now, zone) }];
      });
    case 'table':
      return block.rows.flatMap((row) =>
        row.map((text, index) => ({ label: [row[0], block.columns[index]?.title].filter((part) => part !== '').join(', '), text })),
      );
  }
}

const strongIn = (line: Line): string | undefined =>
  line.flatMap((span) => (typeof span === 'object' && 'strong' in span ? [span.strong] : []))[0];

/** Tells whether a text contains a figure. One inside a longer figure does not count: "$5" is not in "$5.46M". */
export function includesFigure(text: string, figure: string): boolean {
  for (let at = text.indexOf(figure); at >= 0; at = text.indexOf(figure, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + figure.length)];
    if (!/[\d.,$<]$/u.test(before) && !/^(?:[\d%]|[KMBT]\b|[.,]\d)/u.test(after)) return true;
  }
  return false;
}

/** Returns the figures in a text, in order. The longest match counts: in "4.8% above NAV" not "4.8%" alone. */
function figuresIn(text: string, longestFirst: readonly string[]): readonly string[] {
  if (!HAS_DIGIT.test(text)) return [];
  let rest = text;
  const found = longestFirst.filter((figure) => {
    if (!includesFigure(rest, figure)) return false;
    rest = rest.replaceAll(figure, ' '.repeat(figure.length));
    return true;
  });
  return found.toSorted((a, b) => text.indexOf(a) - text.indexOf(b));
}

interface ShownFigure extends Place, ComputedValue {}

const HAS_DIGIT = /\d/u;

/** Tells whether a reply shows a figure. Stops at the first one. */
export const hasFigure = (places: readonly Place[], shown: CalculationLog['shown']): boolean =>
  places.some(
    ({ text }) =>
      HAS_DIGIT.test(text) && (shown.has(text) || [...shown.keys()].some((one) => HAS_DIGIT.test(one) && includesFigure(text, one))),
  );

/** Returns the figures of a reply in its order, each pair of text and value once, with its calculations. */
export function shownFigures(places: readonly Place[], shown: CalculationLog['shown']): readonly ShownFigure[] {
  const texts = [...shown.keys()].filter((text) => HAS_DIGIT.test(text)).toSorted((a, b) => b.length - a.length);
  const found = new Map<string, Set<string>>();
  for (const { label, text } of places) {
    for (const one of shown.has(text) ? [text] : figuresIn(text, texts)) found.set(one, (found.get(one) ?? new Set()).add(label));
  }
  return [...found].flatMap(([text, labels]) => {
    const values = shown.get(text) ?? [];
    const [label = ''] = labels;
    // With several places and several values it is unknown which place shows which value.
    return values.map((one) => ({ label: values.length > 1 && labels.size > 1 ? '' : label, text, ...one }));
  });
}

/** Tells whether the text shows every digit of the value. */
const isExact = ({ text, value }: ShownFigure): boolean => digits(text) === digits(value) && !/[KMBT]\b/u.test(text);
const digits = (text: string): string => text.replaceAll(/[^\d.]/gu, '').replace(/\.0*$|(?<=\.\d*)0+$/u, '');

/** Constants in formulas, which are not listed as inputs. */
const CONSTANTS: ReadonlySet<string> = new Set(['0', '1', '2', '6', '100', '0.5']);

/** Shorter sums are written out. */
const MIN_TERMS = 3;

/** Maximum number of values to visit, from the shown values down to the inputs. */
const MAX_WANTED = 4_000;

/** Returns the figures of a reply, without those that show exactly what the service sent. */
export function figuresOf(
  reply: Pick<Reply, 'finding' | 'blocks' | 'zone'>,
  { log, records, now }: { readonly log: CalculationLog; readonly records: readonly unknown[]; readonly now: Instant },
): readonly SourceFigure[] {
  const shown = shownFigures(placesOf(reply, now), log.shown);
  const wanted = new Set(shown.map(({ value }) => value));
  const calculations = new Set<Calculation>(shown.flatMap(({ calculation }) => calculation ?? []));
  for (const { operands, from } of calculations) {
    if (wanted.size > MAX_WANTED) break;
    for (const operand of operands) wanted.add(operand);
    for (const one of from) if (one !== undefined) calculations.add(one);
  }
  const fields = fieldsOf(wanted, records, { now, zone: reply.zone });
  const isInput = (value: string): boolean => fields.has(value);
  const inputs = (values: readonly string[]): readonly FigureInput[] =>
    values.flatMap((value) => (CONSTANTS.has(value) ? [] : (fields.get(value) ?? [])));
  /** Sums by value. Other formulas refer to them instead of repeating them. */
  const sums = new Map(
    shown.flatMap(({ text, value, calculation }) =>
      calculation?.operation === 'sum' && calculation.operands.length >= MIN_TERMS && !isInput(value) ? [[value, text] as const] : [],
    ),
  );
  /** Returns the service's value if the figure shows it without its sign. */
  const signless = ({ value, calculation }: ComputedValue): string | undefined => {
    const { operation, operands: [operand = ''] = [] } = calculation ?? {};
    return operation === 'absolute' && isInput(operand) && !isInput(value) ? operand : undefined;
  };
  const figures = shown.flatMap((one): SourceFigure[] => {
    const { text, value } = one;
    const label = cutName(one.label);
    const given = signless(one);
    const formula = given === undefined ? formulaOf(one, { isInput, isExplained: (other) => sums.has(other) }) : undefined;
    if (formula !== undefined) {
      const totals = formula.values.flatMap((other): FigureInput[] => {
        const [shownAs, count] = [sums.get(other), formula.sums.get(other)];
        if (shownAs !== undefined) return [{ value: other, name: `shown as ${shownAs}` }];
        return count === undefined ? [] : [{ value: other, name: `sum of ${count} values` }];
      });
      return [{ label, text, value, formula: formula.text, inputs: [...inputs(formula.values), ...totals] }];
    }
    const own = inputs([given ?? value]);
    return isExact(one) && own.every(({ conversion }) => conversion === undefined)
      ? []
      : [{ label, text, value: given ?? value, inputs: own }];
  });
  return [...new Map(figures.map((figure) => [`${figure.text} ${figure.formula ?? figure.value}`, figure])).values()];
}

/** Maximum number of values visited in a response. */
const MAX_VISITED = 60_000;
const MAX_DEPTH = 8;
/** Fields that name their row, the best first. */
const IDENTITIES = ['symbol', 'name', 'title', 'label', 'source', 'metric', 'word', 'range', 'slug'] as const;
/** Fields that date their row. */
const MOMENTS = ['at', 'day'] as const;
/** Maximum length of a name that identifies a row. */
const MAX_IDENTITY = 40;

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

const plain = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;

interface Reading {
  readonly now: Instant;
  readonly zone?: string | undefined;
}

/** Returns the first field that has each wanted value. */
export function fieldsOf(wanted: ReadonlySet<string>, records: readonly unknown[], reading: Reading): ReadonlyMap<string, FigureInput> {
  const found = new Map<string, FigureInput>();
  for (const [record, data] of records.entries()) {
    let left = MAX_VISITED;
    const visit = (value: unknown, field: string, rows: readonly Tree[]): void => {
      left -= 1;
      if (left < 0 || found.size === wanted.size) return;
      const text = plain(value);
      if (text !== undefined) {
        if (!wanted.has(text) || found.has(text)) return;
        const conversion = conversionOf(rows.at(-1) ?? {}, field);
        found.set(text, { value: text, name: nameOf(field, rows, reading), record, ...(conversion === undefined ? {} : { conversion }) });
      } else if (rows.length > MAX_DEPTH) return;
      else if (Array.isArray(value)) for (const item of value) visit(item, field, rows);
      else if (isTree(value)) for (const [name, part] of entriesOf(value)) if (!SKIPPED.test(name)) visit(part, name, [...rows, value]);
    };
    visit(data, '', []);
  }
  return found;
}

/** Sorts fields, because values can be equal (value and price of a token at one dollar). Unconverted values come before converted ones. */
function entriesOf(row: Tree): readonly (readonly [string, unknown])[] {
  const rank = (field: string): number => (field === 'value' ? 0 : conversionOf(row, field) === undefined ? 1 : 2);
  return Object.entries(row).toSorted(([a], [b]) => rank(a) - rank(b));
}

/** Fields to skip: times, and numbers of rows and pages. */
const SKIPPED = /(?:^at|At|Time|^id|Id|^order|^currentPage|^itemsPerPage|^totalPages|^code)$/u;

/** Returns text such as "NAV per share, Nov 20". */
function nameOf(field: string, rows: readonly Tree[], reading: Reading): string {
  const words = field
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/\bnav\b/gu, 'NAV');
  const row = rows.at(-1) ?? {};
  const identity = IDENTITIES.map((name) => row[name]).find((one) => typeof one === 'string' && one !== '');
  const moment = MOMENTS.map((name) => row[name]).find((one) => typeof one === 'string' || typeof one === 'number');
  const counted = typeof row['count'] === 'number' && field !== 'count' ? `of ${row['count']} values` : undefined;
  const dated = momentText(moment, reading);
  return cutName(
    [words, ...[identity, counted, dated].flatMap((one) => (typeof one === 'string' ? [one.slice(0, MAX_IDENTITY)] : []))].join(', '),
  );
}

function momentText(moment: unknown, { now, zone }: Reading): string | undefined {
  const [at, day] = [instantSchema.safeParse(moment), daySchema.safeParse(moment)];
  if (at.success) return clockTime(at.data, now, zone);
  return day.success ? dayText(day.data, now) : typeof moment === 'string' ? moment : undefined;
}
