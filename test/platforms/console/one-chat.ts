/** An operator view of one chat, which remembers what it was asked. */
import { address, type Address } from '../../../src/chat/address.js';
import type { OperatedChatDetail, OperatedChatQuery, Operator } from '../../../src/chat/operator-view.js';
import { reply } from '../../../src/chat/reply.js';

export const CHANNEL = address('discord', '42');

export function oneChat(): { operator: Operator; queries: OperatedChatQuery[]; ran: { address: Address; line: string; by: string }[] } {
  const queries: OperatedChatQuery[] = [];
  const ran: { address: Address; line: string; by: string }[] = [];
  const chat: OperatedChatDetail = {
    ...{
      address: CHANNEL,
      platform: 'discord',
      state: 'not-permitted',
      because: 'I need <b>Embed Links</b> there',
      entries: 1,
      watches: ['tide'],
    },
    ...{ waiting: 2, missing: ['Embed Links'], edits: [] },
  };
  return {
    queries,
    ran,
    operator: {
      async chats(query) {
        queries.push(query);
        return { total: 51, pages: 2, chats: query.page === 1 ? [chat] : [] };
      },
      refusedFiles: () => [{ file: 'desk.json', says: 'There is no such chat.' }],
      exported: async () => 'Nothing is exported here.',
      chat: async (at) => (at === CHANNEL ? chat : undefined),
      async run(at, line, by) {
        if (at !== CHANNEL) return undefined;
        ran.push({ address: at, line, by });
        return reply({ finding: [`ran ${line}`], actions: [{ label: 'Mute', line: '/mute 1h' }] });
      },
    },
  };
}
