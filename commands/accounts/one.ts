/** Shows one account. Its total includes the project's own token, so it is not backing. */
import type { z } from 'zod';
import { accountDetail, offchainBalance, onchainBalance, type Balance } from '../../src/analytics/endpoints/accounts.js';
import type { ActionDraft, BlockDraft, Line } from '../../src/chat/reply.js';
import { isZero, subtract, sum } from '../../src/domain/decimal.js';
import { UNKNOWN, amount, price, usd } from '../../src/domain/format.js';
import {
  ages,
  commandLine,
  dotted,
  figuresOf,
  line,
  missingText,
  optional,
  right,
  tableOf,
  worthMost,
  type OptionalAnswer,
  type ProjectViewDeps,
  type ViewReply,
} from '../../src/reply/index.js';
import { accountName, tracking } from './list.js';

interface AccountDeps extends Pick<ProjectViewDeps, 'analytics' | 'signal'> {
  readonly id: string;
}

/** Shows an account. `slug` is undefined if the service does not name the project. */
export async function one({ analytics, id, signal }: AccountDeps): Promise<ViewReply & { readonly slug: string | undefined }> {
  const [detail, on, off] = await Promise.all([
    analytics.call(accountDetail, { id }, { signal }),
    optional(analytics.call(onchainBalance, { id }, { signal })),
    optional(analytics.call(offchainBalance, { id }, { signal })),
  ]);
  const { data } = detail;
  const balances = [on, off].flatMap(({ answer }) => answer?.data ?? []);
  const native = total(balances.map((one) => one.native));
  const withNative = total(balances.map((one) => one.withNative));
  const backing = native === undefined || withNative === undefined ? undefined : subtract(withNative, native);
  const whole = on.answer !== undefined && off.answer !== undefined;
  return {
    slug: data.project,
    finding: [
      { strong: `${accountName(data)} holds ${whole ? usd(withNative) : UNKNOWN}` },
      native === undefined || isZero(native) || !whole ? '' : `, ${usd(native)} of it in the project's own token (not in NAV)`,
      data.isActive === false ? ' (retired)' : '',
    ],
    blocks: [
      figuresOf([
        ['On-chain', shownTotal(on)],
        ['off-chain', shownTotal(off)],
        ['without own token', whole ? usd(backing) : UNKNOWN],
      ]),
      tokens('Token', on.answer?.data),
      tokens('Off-chain', off.answer?.data),
      line(
        ...dotted(
          data.custodyType ?? UNKNOWN,
          data.entityType,
          `tracked: ${tracking(data.trackingMode)}`,
          ...groupsOf(data.subGroups),
          data.notes,
        ),
      ),
      ...(data.address === undefined ? [] : [line('Address ', { code: data.address })]),
      ...(data.contractLink === undefined ? [] : [line(`Contract ${data.contractLink}`)]),
      ...decided(data),
    ],
    actions: actionsOf({ ...data, id }),
    ...ages(detail, on.answer, off.answer),
  };
}

const total = (values: readonly (Balance['native'] | undefined)[]): Balance['native'] | undefined => {
  const known = values.flatMap((value) => value ?? []);
  return known.length === values.length && known.length > 0 ? sum(known) : undefined;
};

const shownTotal = (balance: OptionalAnswer<{ readonly data: Balance }>): string =>
  balance.answer === undefined
    ? missingText(balance)
    : balance.answer.data.tokens.length === 0
      ? 'nothing'
      : usd(balance.answer.data.withNative);

const tokens = (title: string, balance: Balance | undefined): BlockDraft =>
  tableOf(
    [title, right('Amount'), right('Price'), right('Value')],
    worthMost(balance?.tokens ?? []).map((token) => [
      token.symbol ?? token.name ?? token.address ?? 'unnamed',
      amount(token.amount),
      price(token.usdPrice),
      usd(token.value),
    ]),
  );

const groupsOf = (all: readonly { readonly group?: string | undefined; readonly subGroup?: string | undefined }[]): readonly Line[] =>
  all.map(({ group, subGroup }) => [`group ${[group, subGroup].flatMap((name) => name ?? []).join(' / ')}`]);

type Detail = z.output<(typeof accountDetail)['data']>;

const decided = ({ proposalTitle, replacedBy }: Detail): readonly BlockDraft[] =>
  proposalTitle === undefined && replacedBy === undefined
    ? []
    : [
        line(
          ...dotted(
            proposalTitle === undefined ? undefined : `proposal "${proposalTitle}"`,
            replacedBy === undefined ? undefined : `replaced by ${replacedBy.name ?? `account ${replacedBy.id}`}`,
          ),
        ),
      ];

const actionsOf = ({ id, project, proposalPublicKey, replacedBy }: Detail): readonly ActionDraft[] => [
  ...(replacedBy?.id === undefined
    ? []
    : [{ label: replacedBy.name ?? 'Replacement', line: commandLine('accounts', `account:${replacedBy.id}`) }]),
  ...(proposalPublicKey === undefined ? [] : [{ label: 'Proposal', line: commandLine('proposal', proposalPublicKey) }]),
  ...(project === undefined
    ? []
    : [
        { label: 'All accounts', line: commandLine('accounts', project) },
        { label: 'Movements', line: commandLine('movements', project) },
        { label: 'Treasury', line: commandLine('treasury', project) },
      ]),
  { label: 'Refresh', line: commandLine('accounts', `account:${id}`) },
];
