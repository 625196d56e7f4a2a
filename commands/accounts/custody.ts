/** Accounts by type of custody. */
import { accounts, custodyTypes } from '../../src/analytics/endpoints/accounts.js';
import { ages, missingText, optional, brokenRows, counted, line } from '../../src/reply/index.js';
import type { AccountView } from './view.js';

const MEANINGS: Readonly<Record<string, string>> = {
  'Self-custody': 'one signer',
  'Multi-sig': 'several signers',
  Program: 'an on-chain program',
  'Third-party custody': 'a custodian',
  Offchain: 'off-chain account',
};

export const custody: AccountView = async ({ analytics, project, signal }) => {
  const [types, all] = await Promise.all([
    analytics.call(custodyTypes, {}, { signal }),
    optional(analytics.call(accounts, { slug: project.slug, isActive: true }, { signal })),
  ]);
  const open = all.answer?.data.rows.filter(({ deactivatedTime }) => deactivatedTime === undefined);
  const used = new Set(open?.flatMap(({ custodyType }) => custodyType ?? []));
  const names = [...new Set([...types.data.rows, ...used])];
  const unknown = open?.filter(({ custodyType }) => custodyType === undefined).length ?? 0;
  return {
    finding: [
      {
        strong: `${project.name} uses ${open === undefined ? missingText(all) : used.size} of ${counted(names.length, 'custody type')}`,
      },
    ],
    blocks: [
      {
        kind: 'table',
        columns: [{ title: 'Custody' }, { title: 'Held by' }, { title: 'Accounts', align: 'right' }],
        rows: names.map((name) => [
          name,
          MEANINGS[name] ?? '',
          open === undefined ? missingText(all) : String(open.filter(({ custodyType }) => custodyType === name).length),
        ]),
      },
      ...(unknown === 0 ? [] : [line(`⚠ Custody unknown for ${counted(unknown, 'account')}.`)]),
      ...brokenRows(types.data.broken + (all.answer?.data.broken ?? 0)),
    ],
    ...ages(types, all.answer),
  };
};
