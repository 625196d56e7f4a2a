/** Settings of how alerts are delivered. */
import { z } from 'zod';
import { setting } from '../base/settings.js';

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
