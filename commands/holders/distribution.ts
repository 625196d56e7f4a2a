/** How a token's supply is divided; only shares while decimals are unknown. */
import { activeAccounts } from '../../src/analytics/endpoints/accounts.js';
import { tokenDistribution, type Allocation } from '../../src/analytics/endpoints/holders.js';
import type { ChartDraft } from '../../src/chat/chart.js';
import { compare, divide, isApart, multiply, sum } from '../../src/domain/decimal.js';
import { amount, share } from '../../src/domain/format.js';
import { decimal, fromRaw, type Decimal } from '../../src/domain/scalars.js';
import {
  PAGE_SIZE,
  ages,
  brokenRows,
  figuresOf,
  line,
  optional,
  right,
  tableOf,
  type ProjectView,
  type ProjectViewDeps,
} from '../../src/reply/index.js';

interface Piece {
  readonly name: string;
  readonly share: Decimal | undefined;
  readonly tokens: Decimal | undefined;
}

const HUNDRED = decimal('100');
/** Shares may be this many percentage points off. */
const TOLERANCE = decimal('0.5');

export const distribution: ProjectView = async (deps) => {
  const { analytics, project, signal } = deps;
  const answer = await analytics.call(tokenDistribution, { slug: project.slug }, { signal });
  const { categories, totalSupply, broken } = answer.data;
  const isMissing = categories.length > 0 && answer.data.decimals === undefined;
  const found = isMissing ? await decimalsElsewhere(deps) : undefined;
  const decimals = answer.data.decimals ?? found?.decimals;
  const symbol = project.symbol ?? project.name;
  const pieces = piecesOf(categories, decimals);
  const [largest] = pieces;
  const title = largest === undefined ? `${symbol}: no distribution published` : `${symbol}: ${share(largest.share)} ${largest.name}`;
  const whole = totalSupply === undefined ? undefined : supplyOf(totalSupply, { categories, decimals });
  return {
    finding: [{ strong: title }, ...second(pieces[1])],
    blocks: [
      figuresOf(whole === undefined ? [] : [['Total supply', `${amount(whole)} ${symbol}`]]),
      tableOf(
        ['Holder', right('Share'), ...(decimals === undefined ? [] : [right('Tokens')])],
        pieces.map((one) => [one.name, share(one.share), ...(decimals === undefined ? [] : [amount(one.tokens)])]),
      ),
      ...(pieces.length > 0 && decimals === undefined ? [line("Only shares are shown: the token's decimals are unknown.")] : []),
      ...mismatch(pieces),
      ...brokenRows(broken),
    ],
    chart: pieces.length === 0 ? undefined : chartOf(pieces, title),
    ...ages(answer, found?.answer),
  };
};

const second = (piece: Piece | undefined): readonly string[] => (piece === undefined ? [] : [`, ${share(piece.share)} ${piece.name}`]);

async function decimalsElsewhere({ analytics, project, signal }: ProjectViewDeps) {
  const { answer } = await optional(analytics.call(activeAccounts, { slug: project.slug, limit: PAGE_SIZE, page: 1 }, { signal }));
  const own = answer?.data.rows
    .flatMap(({ tokens }) => tokens)
    .filter((token) => project.mint !== undefined && token.address === project.mint);
  return { answer, decimals: own?.find((token) => token.decimals !== undefined)?.decimals };
}

function piecesOf(categories: readonly Allocation[], decimals: number | undefined): readonly Piece[] {
  const raws = categories.flatMap(({ raw }) => (raw === undefined ? [] : [raw]));
  const whole = raws.length === categories.length ? sum(raws.map((one) => decimal(one))) : undefined;
  return categories
    .map(({ name, raw, share: reported }): Piece => {
      const computed = raw === undefined || whole === undefined ? undefined : divide(multiply(decimal(raw), HUNDRED), whole);
      return {
        name,
        share: reported ?? computed,
        tokens: raw === undefined || decimals === undefined ? undefined : fromRaw(raw, decimals),
      };
    })
    .toSorted((a, b) => compare(b.share ?? decimal('-1'), a.share ?? decimal('-1')));
}

function supplyOf(
  total: Decimal,
  { categories, decimals }: { readonly categories: readonly Allocation[]; readonly decimals: number | undefined },
): Decimal | undefined {
  const raws = sum(categories.flatMap(({ raw }) => (raw === undefined ? [] : [decimal(raw)])));
  const ratio = divide(raws, total);
  const isRaw = ratio !== undefined && compare(ratio, decimal('0.5')) > 0 && compare(ratio, decimal('1.5')) < 0;
  if (!isRaw) return total;
  return decimals === undefined || total.includes('.') ? undefined : fromRaw(BigInt(total), decimals);
}

function mismatch(pieces: readonly Piece[]) {
  const shares = pieces.flatMap((one) => one.share ?? []);
  if (shares.length === 0 || shares.length < pieces.length) return [];
  const all = sum(shares);
  return isApart(all, HUNDRED, TOLERANCE) ? [line(`⚠ These shares add up to ${share(all)}, not 100%.`)] : [];
}

function chartOf(pieces: readonly Piece[], title: string): ChartDraft {
  const isCounted = pieces.every(({ tokens }) => tokens !== undefined);
  const parts = pieces.flatMap(({ name, tokens, share: reported }) => {
    const value = isCounted ? tokens : reported;
    return value === undefined ? [] : [{ name, value: Number(value) }];
  });
  return { kind: 'shares', title, unit: isCounted ? 'tokens' : 'percent', parts };
}
