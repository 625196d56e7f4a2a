/** Every account of a project by number. */
import { brief } from '../../src/base/one-line.js';
import { accounts, type Account } from '../../src/analytics/endpoints/accounts.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { UNKNOWN } from '../../src/domain/format.js';
import { commandLine, countedRows, listPage, pageOfAll } from '../../src/reply/index.js';
import { accountButtons, accountName, addressText, type AccountView, type AccountViewDeps } from './view.js';

const isOpen = (one: Account): boolean => one.deactivatedTime === undefined;

export const list: AccountView = async (deps) => {
  const { analytics, project, page, signal, find, entity, state } = deps;
  const answer = await analytics.call(
    accounts,
    { slug: project.slug, q: find, entityType: entity, isActive: state && state === 'open' },
    { signal },
  );
  // A service that does not know a filter returns every account.
  const rows = answer.data.rows.filter(
    (one) => (entity === undefined || one.entityType === entity) && (state === undefined || isOpen(one) === (state === 'open')),
  );
  const read = pageOfAll(rows, { page, broken: answer.data.broken, answer });
  const retired = rows.filter((one) => !isOpen(one)).length;
  return listPage(read, {
    found: (where) => [
      { strong: `${project.name}: ${countedRows(read, 'account')}${narrowed(deps)}` },
      state === undefined && retired > 0 ? `, ${retired} retired` : '',
      where,
    ],
    namesLast: false,
    of: project.name,
    none: `${project.name}: no accounts${narrowed(deps)}`,
    blocks: [table(read.rows)],
    to: (other) => again(deps, other),
    actions: (pages) => [...accountButtons(read.rows), ...pages],
  });
};

const narrowed = ({ find, entity, state }: AccountViewDeps): string =>
  [
    entity === undefined ? '' : ` (${entity})`,
    state === undefined ? '' : ` (${state})`,
    find === undefined ? '' : ` matching "${brief(find)}"`,
  ].join('');

const again = ({ project, find, entity, state }: AccountViewDeps, page: number): string =>
  commandLine(
    'accounts',
    project.slug,
    'list',
    ...(entity === undefined ? [] : [`entity:${entity}`]),
    ...(state === undefined ? [] : [`state:${state}`]),
    ...(find === undefined ? [] : [`find:${find}`]),
    `page:${page}`,
  );

const table = (rows: readonly Account[]): BlockDraft => ({
  kind: 'table',
  columns: [
    { title: '#', align: 'right' },
    { title: 'Account' },
    { title: 'Custody' },
    { title: 'Entity' },
    { title: 'Tracked' },
    { title: 'Location' },
  ],
  rows: rows.map((one) => [
    one.id,
    `${accountName(one)}${isOpen(one) ? '' : ' (retired)'}`,
    one.custodyType ?? UNKNOWN,
    one.entityType ?? UNKNOWN,
    tracking(one.trackingMode),
    one.venue ?? addressText(one.address),
  ]),
});

const MODES: Readonly<Record<string, string>> = { full: 'movements, balances', balance_only: 'balances only', partial: 'partly' };

export const tracking = (mode: string | undefined): string => (mode === undefined ? UNKNOWN : (MODES[mode] ?? mode));
