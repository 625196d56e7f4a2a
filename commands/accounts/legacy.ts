/** Retired accounts and their replacements. */
import { legacyAccounts, type LegacyAccount } from '../../src/analytics/endpoints/accounts.js';
import { UNKNOWN } from '../../src/domain/format.js';
import { PAGE_SIZE, commandLine, countedRows, dotted, listPage, servicePage } from '../../src/reply/index.js';
import { accountButtons, accountName, addressText, type AccountView } from './view.js';

const MAX_PROPOSALS = 2;

export const legacy: AccountView = async ({ analytics, project, page, signal }) => {
  const list = servicePage(await analytics.call(legacyAccounts, { slug: project.slug, limit: PAGE_SIZE, page }, { signal }), page);
  const { rows } = list;
  return listPage(list, {
    found: (where) => [{ strong: `${project.name}: ${countedRows(list, 'retired account')}` }, where],
    of: project.name,
    none: `${project.name}: no retired accounts`,
    blocks: [{ kind: 'list', items: rows.map(item) }],
    to: (other) => commandLine('accounts', project.slug, 'legacy', `page:${other}`),
    actions: (pages) => [
      ...accountButtons(rows),
      ...proposalsOf(rows).map(([key, title]) => ({ label: `Proposal: ${title}`, line: commandLine('proposal', key) })),
      ...pages,
    ],
  });
};

const item = (one: LegacyAccount) => ({
  tone: 'over' as const,
  line: [{ strong: accountName(one) }, ` ${addressText(one.address)}`],
  detail: dotted(
    one.custodyType ?? UNKNOWN,
    one.replacedByName === undefined ? 'not replaced' : `replaced by ${one.replacedByName}`,
    one.proposalTitle === undefined ? undefined : `proposal "${one.proposalTitle}"`,
  ),
});

const proposalsOf = (rows: readonly LegacyAccount[]): readonly (readonly [key: string, title: string])[] =>
  [
    ...new Map(
      rows.flatMap((one) => (one.proposalAddress === undefined ? [] : [[one.proposalAddress, one.proposalTitle ?? 'untitled'] as const])),
    ),
  ].slice(0, MAX_PROPOSALS);
