/** Whether the templates of links lead somewhere useful. */
import type { Finding } from '../../base/finding.js';
import { LINKS, unfitTemplates, type LinkTemplates, type LinkValues } from '../../domain/links.js';

const about = 'links';

const hostOf = (template: string): string | undefined => (template === '' ? undefined : new URL(template).host);

/** Whether proposals lead to a page for people: an explorer shows only the raw account. */
export function proposalLinkFinding({ proposal, transaction, wallet }: LinkTemplates): Finding {
  const host = hostOf(proposal);
  const remedy = `give the address of the projects' governance site, such as ${LINKS.proposal.usual}`;
  if (host === undefined) return { mark: 'warn', about, says: `LINK_PROPOSAL is empty, so proposals have no link; ${remedy}` };
  return [transaction, wallet].some((template) => hostOf(template) === host)
    ? { mark: 'warn', about, says: `LINK_PROPOSAL leads to the raw account on ${host}; ${remedy}` }
    : { mark: 'ok', about, says: `proposals lead to ${host}` };
}

/** `values`: what the service sent. */
export const unfitLinks = (values: LinkValues, links: LinkTemplates): readonly Finding[] =>
  unfitTemplates(links, values).map((kind) => ({
    mark: 'warn',
    about,
    says: `what the service sends does not fit LINK_${kind.toUpperCase()}, so there is no such link; set one of its chain and site, or leave it empty`,
  }));
