/** Where a project holds its own token, which is not backing. */
import { activeAccounts } from '../../src/analytics/endpoints/accounts.js';
import { nativeTokenAccounts } from '../../src/analytics/endpoints/allocation.js';
import type { Answer } from '../../src/analytics/analytics.js';
import { divide, multiply, sum } from '../../src/domain/decimal.js';
import { amount, share, UNKNOWN, usd } from '../../src/domain/format.js';
import { decimal, fromRaw } from '../../src/domain/scalars.js';
import { ages, optional, counted, line, PAGE_SIZE, type OptionalAnswer } from '../../src/reply/index.js';
import type { TreasuryView } from './view.js';

const MAX_ROWS = 20;

export const native: TreasuryView = async ({ analytics, project, signal }) => {
  const [answer, active] = await Promise.all([
    analytics.call(nativeTokenAccounts, { slug: project.slug }, { signal }),
    optional(analytics.call(activeAccounts, { slug: project.slug, limit: PAGE_SIZE, page: 1 }, { signal })),
  ]);
  const { accounts, accountCount, totalValue } = answer.data;
  const symbol = answer.data.symbol ?? project.symbol ?? 'its own token';
  const decimals = decimalsOf(answer.data.mint ?? project.mint, active);
  const raws = accounts.flatMap(({ raw }) => (raw === undefined ? [] : [raw]));
  const whole = raws.length === accounts.length ? sum(raws.map((one) => decimal(one))) : undefined;
  const tokens = (raw: bigint | undefined): string =>
    raw === undefined || decimals === undefined ? UNKNOWN : amount(fromRaw(raw, decimals));
  const of = (raw: bigint | undefined): string =>
    raw === undefined || whole === undefined ? UNKNOWN : share(divide(multiply(decimal(raw), decimal('100')), whole));
  const hidden = (accountCount ?? accounts.length) - accounts.length;
  return {
    finding:
      accounts.length === 0
        ? [{ strong: `${project.name} holds none of its own token` }]
        : [
            {
              strong: `${project.name} holds ${decimals === undefined || whole === undefined ? symbol : `${hidden > 0 ? 'at least ' : ''}${tokens(BigInt(whole))} ${symbol}`} itself`,
            },
            ` (${usd(totalValue)}, not in NAV) in ${counted(accountCount ?? accounts.length, 'account')}`,
          ],
    blocks: [
      {
        kind: 'table',
        columns: [
          { title: 'Account' },
          { title: 'Share', align: 'right' },
          ...(decimals === undefined ? [] : [{ title: symbol, align: 'right' as const }]),
          { title: 'Value', align: 'right' },
        ],
        rows: accounts
          .toSorted((a, b) => Number((b.raw ?? -1n) > (a.raw ?? -1n)) - Number((b.raw ?? -1n) < (a.raw ?? -1n)))
          .slice(0, MAX_ROWS)
          .map((one) => [
            one.name ?? one.address ?? 'unnamed',
            of(one.raw),
            ...(decimals === undefined ? [] : [tokens(one.raw)]),
            usd(one.value),
          ]),
        more: Math.max(0, accounts.length - MAX_ROWS) + Math.max(0, hidden),
      },
      ...(accounts.length > 0 && decimals === undefined ? [line("Only shares are shown: the token's decimals are unknown.")] : []),
    ],
    ...ages(answer, active.answer),
  };
};

function decimalsOf(mint: string | undefined, { answer }: OptionalAnswer<Answer<{ readonly rows: readonly Held[] }>>): number | undefined {
  const held = (answer?.data.rows ?? []).flatMap(({ tokens }) => tokens).filter(({ address }) => mint !== undefined && address === mint);
  return held.find(({ decimals }) => decimals !== undefined)?.decimals;
}

interface Held {
  readonly tokens: readonly { readonly address?: string | undefined; readonly decimals?: number | undefined }[];
}
