/** Movements with labels of sender and recipient, without categories. */
import { daoMovements } from '../../src/analytics/endpoints/movements.js';
import { labelledParties } from '../../src/analytics/movement-words.js';
import {
  latestPage,
  emptyPage,
  PAGE_SIZE,
  pageActions,
  pageText,
  commandLine,
  ages,
  brokenRows,
  counted,
  type ProjectView,
} from '../../src/reply/index.js';
import { labeledItem } from './words.js';

export const labeled: ProjectView = async ({ analytics, project, page, signal, labels = new Map() }) => {
  const { rows, broken, paging, answers, notes } = await latestPage({
    ask: async (number) => analytics.call(daoMovements, { slug: project.slug, limit: PAGE_SIZE, page: number }, { signal }),
    page,
    at: (row) => row.at,
  });
  const where = pageText(paging);
  return {
    finding: [
      {
        strong:
          rows.length > 0
            ? `${project.name}: ${counted(paging.total ?? rows.length, 'labeled movement')}`
            : emptyPage(paging, { of: project.name, none: `${project.name}: no labeled movements` }),
      },
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [{ kind: 'list', items: rows.map((row) => labeledItem(labelledParties(row, labels))) }, ...notes, ...brokenRows(broken)],
    actions: pageActions({ ...paging, to: (other) => commandLine('movements', project.slug, 'labeled', `page:${other}`) }),
    ...ages(...answers),
  };
};
