/** Texts of a movement: direction, parties and amount. */
import {
  classOf,
  daoMovements,
  directionOf,
  labelledParties,
  partyName,
  type Direction,
  type LabeledMovement,
  type Movement,
} from '../../src/analytics/endpoints/movements.js';
import type { Line, Tone } from '../../src/chat/reply.js';
import { amount, exact, usd, usdExact } from '../../src/domain/format.js';
import { PAGE_SIZE, commandLine, countedRows, dotted, latestPage, listPage, type ProjectView } from '../../src/reply/index.js';

const TONES: Readonly<Record<Direction, Tone>> = { in: 'up', out: 'down', within: 'plain' };

const toneOf = (one: Pick<Movement, 'kind'>): Tone => TONES[directionOf(one) ?? 'within'];

const howMuch = ({ amount: tokens, symbol, value }: Pick<Movement, 'amount' | 'symbol' | 'value'>): string =>
  [
    tokens === undefined ? '' : `${amount(tokens)} ${symbol ?? ''}`.trim(),
    `${tokens === undefined ? '' : '('}${usd(value)}${tokens === undefined ? '' : ')'}`,
  ]
    .filter((word) => word !== '')
    .join(' ');

export const exactly = ({ amount: tokens, symbol, value }: Pick<Movement, 'amount' | 'symbol' | 'value'>): string =>
  `${exact(tokens)} ${symbol ?? ''}`.trim() + (value === undefined ? '' : ` (${usdExact(value)})`);

const route = (one: LabeledMovement): string => `${partyName(one.from)} → ${partyName(one.to)}`;

export const movementItem = (one: Movement) => ({
  tone: toneOf(one),
  line: [{ strong: howMuch(one) }, ` ${route(one)}`],
  detail: dotted(
    when(one),
    `MOV-${one.id}`,
    classOf(one),
    one.counterparty === undefined ? undefined : `with ${partyName(one.counterparty)}`,
    one.entityType,
  ),
});

const labeledItem = (one: LabeledMovement) => ({
  tone: toneOf(one),
  line: [{ strong: howMuch(one) }, ` ${route(one)}`],
  detail: when(one),
});

const when = ({ at }: Pick<Movement, 'at'>): Line => (at === undefined ? ['time n/a'] : [{ at }]);

export const labeled: ProjectView = async ({ analytics, project, page, signal, labels = new Map() }) => {
  const read = await latestPage({
    ask: async (number) => analytics.call(daoMovements, { slug: project.slug, limit: PAGE_SIZE, page: number }, { signal }),
    page,
    at: (row) => row.at,
  });
  return listPage(read, {
    found: (where) => [{ strong: `${project.name}: ${countedRows(read, 'labeled movement')}` }, where],
    of: project.name,
    none: `${project.name}: no labeled movements`,
    blocks: [{ kind: 'list', items: read.rows.map((row) => labeledItem(labelledParties(row, labels))) }],
    to: (other) => commandLine('movements', project.slug, 'labeled', `page:${other}`),
  });
};
