/** /history [delivery] [page]: alerts sent to this chat. */
import { z } from 'zod';
import { defineCommand } from '../../src/dispatch/command.js';
import { deliveriesPage, deliveryPage } from './pages.js';
import { commandLine, unknownMessage, PAGE_SIZE, pageOption } from '../../src/reply/index.js';

const MAX_DELIVERIES = 5;

export default defineCommand({
  name: 'history',
  summary: 'Alerts sent to this chat',
  group: 'watching',
  personal: true,
  args: z.object({
    delivery: z
      .string()
      .regex(/^[\w-]{22}$/u)
      .optional()
      .describe('the id of one message, to see all of it'),
    page: pageOption,
  }),
  examples: ['/history', '/history 2'],

  async run({ delivery, page }, { history, chat, watchlists }) {
    if (delivery === undefined) {
      const { total, deliveries } = await history.page(chat, { page, size: MAX_DELIVERIES });
      const edits = page === 1 ? (watchlists.read(chat).edits ?? []) : [];
      return deliveriesPage(
        { deliveries, edits },
        { page, size: MAX_DELIVERIES, total, to: (other) => commandLine('history', String(other)) },
      );
    }
    const found = await history.delivery(chat, delivery, { page, size: PAGE_SIZE });
    if (found === undefined) throw unknownMessage();
    const { delivery: sent, total, events } = found;
    return deliveryPage(sent, events, { page, size: PAGE_SIZE, total, to: (other) => commandLine('history', delivery, String(other)) });
  },
});
