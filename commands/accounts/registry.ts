/** Public register of a project's accounts. */
import { accountRegistry, type RegistryEntry } from '../../src/analytics/endpoints/accounts.js';
import type { Line } from '../../src/chat/reply.js';
import { UNKNOWN } from '../../src/domain/format.js';
import { commandLine, ages, brokenRows, counted, dotted, emptyPage, pageActions, pageText, onPage } from '../../src/reply/index.js';
import { accountName, type AccountView } from './view.js';
import { tracking } from './list.js';

export const registry: AccountView = async ({ analytics, project, page, signal }) => {
  const answer = await analytics.call(accountRegistry, { slug: project.slug }, { signal });
  const { rows, broken } = answer.data;
  const shown = onPage(rows, page);
  const paging = { page, rows: shown.length, total: rows.length };
  const where = pageText(paging);
  return {
    finding: [
      {
        strong:
          shown.length > 0
            ? `${project.name}: ${counted(rows.length, 'registered account')}`
            : emptyPage(
                { ...paging, rows: rows.length === 0 ? broken : 0 },
                { of: project.name, none: `${project.name}: no registered accounts` },
              ),
      },
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [{ kind: 'list', items: shown.map(item) }, ...brokenRows(broken)],
    actions: pageActions({ ...paging, to: (other) => commandLine('accounts', project.slug, 'registry', `page:${other}`) }),
    ...ages(answer),
  };
};

const item = (one: RegistryEntry) => ({
  tone: one.isActive === false ? ('over' as const) : ('plain' as const),
  line: [{ strong: accountName(one) }, ...where(one)],
  detail: dotted(
    one.custodyType ?? UNKNOWN,
    one.entityType,
    one.trackingMode === undefined ? undefined : `tracked: ${tracking(one.trackingMode)}`,
    one.isActive === false ? 'retired' : undefined,
    one.notes,
  ),
});

const where = ({ address, chain }: RegistryEntry): Line =>
  address === undefined ? [' off-chain'] : [' ', { code: address }, chain === undefined ? '' : ` on ${chain}`];
