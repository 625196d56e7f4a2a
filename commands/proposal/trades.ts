/** Shows how a proposal is traded: the balance of volume, traders by number of trades, the trades, the traders, and each outcome's volume. */
import {
  INTERVALS,
  proposalFlow,
  proposalOrders,
  proposalTraders,
  proposalOrdersCsv,
  proposalTradersCsv,
  proposalVolumeCsv,
  type Order,
  type byProposal,
} from '../../src/analytics/endpoints/proposals-market.js';
import { absolute, add, compare, divide, isNegative, isZero, multiply } from '../../src/domain/decimal.js';
import { UNKNOWN, amount, clockTime, share, usd } from '../../src/domain/format.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';
import {
  PAGE_SIZE,
  ages,
  brokenRows,
  choiceActions,
  commandLine,
  counted,
  countedRows,
  dotted,
  csvFile,
  figuresOf,
  labelOrKey,
  labelledFigures,
  latestPage,
  line,
  listPage,
  missingText,
  needOne,
  noExport,
  onPage,
  optional,
  orderTable,
  pageActions,
  pageText,
  right,
  tableOf,
} from '../../src/reply/index.js';
import type { Row } from '../../src/analytics/endpoint-row.js';
import type { Table } from '../../src/analytics/csv.js';
import { AnalyticsError } from '../../src/analytics/errors.js';
import { pointsOf, titleOf, windowOf, type ProposalView } from './view.js';
import { proposalFrequency, proposalStrength, proposalTradeOverview } from '../../src/analytics/endpoints/proposals-analytics.js';
import type { Line } from '../../src/chat/reply.js';
import { keyFault } from '../../src/domain/wallet.js';

const MAX_ROWS = 8;
const signed = (value: Decimal | undefined): string =>
  value === undefined || isNegative(value) || isZero(value) ? amount(value) : `+${amount(value)}`;

/** Shows the balance of volume. Its unit is not specified. */
export const flow: ProposalView = async ({ analytics, proposal, interval, now, zone, signal }) => {
  const { publicKey, row } = proposal;
  const answer = await analytics.call(proposalFlow, { publicKey, timeInterval: interval }, { signal });
  const { rows, broken } = answer.data;
  const known = rows.filter(({ at }) => at !== undefined).toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));
  const last = known.find(({ sum }) => sum !== undefined)?.sum;
  const title = titleOf(proposal);
  const leans =
    last === undefined ? 'no volume yet' : isZero(last) ? 'volume is balanced' : `more volume for ${isNegative(last) ? 'fail' : 'pass'}`;
  const finding = `${title}: ${leans}`;
  return {
    tone: last === undefined || isZero(last) ? 'plain' : isNegative(last) ? 'down' : 'up',
    finding: [{ strong: finding }, last === undefined || isZero(last) ? '' : `, by ${amount(absolute(last))} in total`],
    chart:
      known.length === 0
        ? undefined
        : {
            kind: 'xy',
            title: finding,
            subtitle: 'above zero: more volume for pass',
            series: [
              { name: 'total', draw: 'line', unit: 'count', points: pointsOf(rows, ({ sum }) => sum) },
              {
                name: 'per interval',
                draw: 'bar',
                unit: 'count',
                axis: 'below',
                tone: 'quiet',
                points: pointsOf(rows, ({ tilt }) => tilt),
              },
            ],
            spans: windowOf(row, now),
          },
    blocks: [
      tableOf(
        ['From', right('Net for pass'), right('Total')],
        known
          .slice(0, MAX_ROWS)
          .map(({ at, tilt, sum }) => [at === undefined ? 'n/a' : clockTime(at, now, zone), signed(tilt), signed(sum)]),
        Math.max(0, known.length - MAX_ROWS),
      ),
      ...brokenRows(broken),
    ],
    actions: choiceActions(INTERVALS, interval, (other) => commandLine('proposal', publicKey, 'flow', other)),
    ...ages(answer),
  };
};

export const frequency: ProposalView = async ({ analytics, proposal, signal }) => {
  const answer = await analytics.call(proposalFrequency, { publicKey: proposal.publicKey }, { signal });
  const bars = answer.data.rows.flatMap(({ range, traders }) => (range === undefined || traders === undefined ? [] : [{ range, traders }]));
  const total = bars.reduce((sum, bar) => sum + bar.traders, 0);
  const most = bars.toSorted((a, b) => b.traders - a.traders)[0];
  const ofAll = (count: number) => {
    const part = divide(decimal(count), decimal(total));
    return part === undefined ? 'n/a' : share(multiply(part, decimal('100')));
  };
  const title = titleOf(proposal);
  const times = (range: string): string => `${range} ${range === '1' ? 'trade' : 'trades'}`;
  const finding =
    most === undefined || total === 0 ? `${title}: no trades yet` : `${title}: ${ofAll(most.traders)} of traders made ${times(most.range)}`;
  return {
    finding: [{ strong: finding }, total === 0 ? '' : `, ${counted(total, 'trader')} in total`],
    chart:
      total === 0
        ? undefined
        : {
            kind: 'xy',
            title: finding,
            subtitle: 'traders by number of trades',
            categories: bars.map(({ range }) => range),
            series: [
              {
                name: 'traders',
                draw: 'bar',
                unit: 'count',
                points: bars.map(({ traders }, index): [number, number] => [index, traders]),
              },
            ],
          },
    blocks: [
      tableOf(
        ['Trades', right('Traders'), right('Share')],
        total === 0 ? [] : bars.map(({ range, traders }) => [range, String(traders), ofAll(traders)]),
      ),
      ...brokenRows(answer.data.broken),
    ],
    ...ages(answer),
  };
};

export const orders: ProposalView = async ({ analytics, proposal, page, now, zone, signal }) => {
  const { publicKey } = proposal;
  const read = await latestPage({
    ask: async (number) => analytics.call(proposalOrders, { publicKey, limit: PAGE_SIZE, page: number }, { signal }),
    page,
    at: (row) => row.at,
  });
  const title = titleOf(proposal);
  return listPage(read, {
    found: (where) => [{ strong: `${title}: ${countedRows(read, 'trade')}` }, where],
    of: title,
    none: `${title} has no trades yet`,
    blocks: [orderTable(read.rows, { now, zone, titled: false })],
    to: (other) => commandLine('proposal', publicKey, 'orders', String(other)),
    actions: (pages) => [...pages, { label: 'Trades as CSV', line: commandLine('proposal', publicKey, 'orders-csv') }],
  });
};

export const strength: ProposalView = async ({ analytics, proposal, signal }) => {
  const answer = await analytics.call(proposalStrength, { publicKey: proposal.publicKey }, { signal });
  const { passTraders, failTraders, passVolume, failVolume, all } = answer.data;
  const total = passVolume === undefined || failVolume === undefined ? undefined : add(passVolume, failVolume);
  const ratio = total === undefined || passVolume === undefined ? undefined : divide(passVolume, total);
  const forPass = ratio && multiply(ratio, decimal('100'));
  const title = titleOf(proposal);
  const finding = forPass === undefined ? `${title}: traders by side` : `${title}: ${share(forPass)} of volume is for pass`;
  const known = [passTraders, failTraders, passVolume, failVolume].some((value) => value !== undefined);
  return {
    tone: forPass === undefined ? 'plain' : compare(forPass, decimal('50')) > 0 ? 'up' : 'down',
    finding: [{ strong: finding }],
    chart:
      passVolume === undefined || failVolume === undefined || ratio === undefined
        ? undefined
        : {
            kind: 'shares',
            title: finding,
            unit: 'usd',
            parts: [
              { name: `pass, ${counted(passTraders, 'trader')}`, value: Number(passVolume) },
              { name: `fail, ${counted(failTraders, 'trader')}`, value: Number(failVolume) },
            ],
          },
    blocks: known
      ? [
          tableOf(
            ['Side', right('Traders'), right('Volume')],
            [
              ['pass', String(passTraders ?? UNKNOWN), usd(passVolume)],
              ['fail', String(failTraders ?? UNKNOWN), usd(failVolume)],
            ],
          ),
          line('For pass: buying pass or selling fail. For fail: the reverse.'),
        ]
      : [labelledFigures(all)],
    ...ages(answer),
  };
};

const MAX_BUTTONS = 3;

/** The most trades from which the volume of each trader is added up. */
const MAX_TRADES = 300;

/** A transaction may have a trade on each side, so its signature alone does not identify a trade. */
const identityOf = ({ signature, at, wallet, market, direction, value }: Order): string =>
  [signature, at, wallet, market, direction, value].join(' ');

interface TraderVolume {
  readonly trades: number;
  readonly volume: Decimal | undefined;
}

/** Adds up the trades of each wallet. The volume is unknown if that of one of its trades is. */
function volumesOf(trades: readonly Order[]): ReadonlyMap<string, TraderVolume> {
  const volumes = new Map<string, TraderVolume>();
  for (const { wallet, value } of trades) {
    if (wallet === undefined) continue;
    const before = volumes.get(wallet) ?? { trades: 0, volume: decimal('0') };
    const volume = before.volume === undefined || value === undefined ? undefined : add(before.volume, absolute(value));
    volumes.set(wallet, { trades: before.trades + 1, volume });
  }
  return volumes;
}

/** Wallets by volume, the largest first; those without a known volume come last. */
const byVolume = (wallets: readonly string[], volumes: ReadonlyMap<string, TraderVolume>): readonly string[] =>
  wallets.toSorted((one, other) => {
    const [a, b] = [volumes.get(one)?.volume, volumes.get(other)?.volume];
    return a === undefined || b === undefined ? Number(a === undefined) - Number(b === undefined) : compare(b, a);
  });

export const traders: ProposalView = async ({ analytics, proposal, page, signal, labels }) => {
  const { publicKey } = proposal;
  const enough = (rows: readonly Order[]): boolean => rows.length >= MAX_TRADES;
  const [crowd, list, traded] = await Promise.all([
    optional(analytics.call(proposalTradeOverview, { publicKey }, { signal })),
    optional(analytics.call(proposalTraders, { publicKey }, { signal })),
    optional(analytics.walk(proposalOrders, { publicKey }, identityOf, { signal, enough })),
  ]);
  needOne(crowd, list);
  const about = crowd.answer?.data;
  const trades = traded.answer?.rows ?? [];
  const volumes = volumesOf(trades);
  const wallets = byVolume(list.answer?.data.rows ?? [], volumes);
  const shown = onPage(wallets, page);
  const paging = { page, rows: shown.length, total: wallets.length };
  const count = about?.traders ?? (list.answer === undefined ? undefined : wallets.length);
  const where = pageText(paging);
  const known = about !== undefined && [about.traders, about.once, about.average, about.topShare].some((value) => value !== undefined);
  return {
    finding: [
      { strong: `${titleOf(proposal)}: ${counted(count, 'trader')}` },
      about?.topShare === undefined ? '' : `, the largest with ${share(about.topShare)} of volume`,
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [
      known
        ? figuresOf([
            ['One trade', String(about.once ?? UNKNOWN)],
            ['several trades', String(about.repeat ?? UNKNOWN)],
            ['average trade', usd(about.average)],
            ['median', usd(about.median)],
            ['largest', usd(about.largest)],
          ])
        : about === undefined
          ? line(`Trader statistics: ${missingText(crowd)}`)
          : labelledFigures(about.all),
      list.answer === undefined
        ? line(`Wallets: ${missingText(list)}`)
        : {
            kind: 'list',
            items: shown.map((wallet) => ({ line: dotted(labelled(wallet, labels.get(wallet)), volumeText(volumes.get(wallet))) })),
          },
      ...(traded.answer === undefined
        ? [line(`Volumes: ${missingText(traded)}`)]
        : traded.answer.complete || trades.length === 0
          ? []
          : [line(`Volumes are of the ${counted(trades.length, 'trade')} that could be read.`)]),
      ...brokenRows((list.answer?.data.broken ?? 0) + (traded.answer?.broken ?? 0)),
    ],
    actions: [
      ...shown
        .filter((wallet) => keyFault(wallet) === undefined)
        .slice(0, MAX_BUTTONS)
        .map((wallet) => ({ label: labelOrKey(wallet, labels), line: commandLine('wallet', wallet) })),
      ...pageActions({ ...paging, to: (other) => commandLine('proposal', publicKey, 'traders', String(other)) }),
      { label: 'Traders as CSV', line: commandLine('proposal', publicKey, 'traders-csv') },
    ],
    ...ages(crowd.answer, list.answer, traded.answer),
  };
};

const volumeText = (of: TraderVolume | undefined): string | undefined =>
  of === undefined ? undefined : `${usd(of.volume)} in ${counted(of.trades, 'trade')}`;

const labelled = (wallet: string, label: string | undefined): Line => [
  ...(label === undefined ? [] : [{ strong: label }, ' ']),
  { code: wallet },
];

const fileOf =
  (row: Row<typeof byProposal, Table>, { what, name }: { readonly what: string; readonly name: string }): ProposalView =>
  async ({ analytics, proposal, signal }) => {
    const { publicKey } = proposal;
    const answer = await analytics.call(row, { publicKey }, { signal }).catch((error: unknown) => {
      throw error instanceof AnalyticsError ? noExport(error) : error;
    });
    const { files, note } = csvFile({ name: `${name}-${publicKey}`, table: answer.data });
    return { finding: [{ strong: `${titleOf(proposal)}: ${what} (CSV)` }], files, blocks: [note], ...ages(answer) };
  };

export const ordersFile = fileOf(proposalOrdersCsv, { what: 'all trades', name: 'trades' });
export const tradersFile = fileOf(proposalTradersCsv, { what: 'all traders', name: 'traders' });
export const volumeFile = fileOf(proposalVolumeCsv, { what: 'volume by market and direction', name: 'volume' });
