/** Settings of messages: the links in them, and what becomes of one that was cut off. */
import { z } from 'zod';
import { setting, settingOrEmpty } from '../base/settings.js';
import { LINKS, templateFault, type LinkKind } from '../domain/links.js';

export const DELIVERY = {
  AMBIGUOUS_SENDS: setting(
    z
      .enum(
        ['repeat', 'hold'],
        'choose repeat (an alert may come twice) or hold (it may never come) for a message that was cut off on Telegram, or in a Discord channel that the bot may not read',
      )
      .default('repeat'),
    {
      says: 'A message that was cut off may have arrived. Telegram cannot tell, nor can Discord without Read Message History: repeat it (it may come twice) or hold it (it may never come).',
      example: 'repeat',
    },
  ),
};

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
