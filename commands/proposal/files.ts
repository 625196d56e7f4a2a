/** The CSV files of a proposal. */
import type { Row } from '../../src/analytics/endpoint-row.js';
import type { Table } from '../../src/analytics/csv.js';
import {
  proposalOrdersCsv,
  proposalTradersCsv,
  proposalVolumeCsv,
  type byProposal,
} from '../../src/analytics/endpoints/proposals-market.js';
import { AnalyticsError } from '../../src/analytics/errors.js';
import { csvFile, noExport, ages } from '../../src/reply/index.js';
import { titleOf, type ProposalView } from './view.js';

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
