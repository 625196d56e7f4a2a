/** Settings of links: one template for each kind. */
import { z } from 'zod';
import { settingOrEmpty } from '../base/settings.js';
import { LINKS, templateFault, type LinkKind } from '../domain/links.js';

const template = (kind: LinkKind, says: string) =>
  settingOrEmpty(
    z
      .string()
      .default(LINKS[kind].usual)
      .superRefine((text, context) => {
        const message = templateFault(kind, text);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      }),
    {
      says: `${says} Placeholders: ${LINKS[kind].placeholders.map((name) => `{${name}}`).join(', ')}. Empty: no link.`,
      example: LINKS[kind].usual,
    },
  );

export const LINK_TEMPLATES = {
  LINK_TRANSACTION: template('transaction', 'The page of a transaction.'),
  LINK_TOKEN: template('token', 'The page of a token.'),
  LINK_WALLET: template('wallet', 'The page of a wallet.'),
  LINK_PROPOSAL: template('proposal', 'The page of a proposal.'),
  LINK_SITE: template('site', 'The site of a project; {website} is the address that the service gives, where it gives one.'),
  LINK_CHART: template('chart', 'The price chart of a token.'),
};
