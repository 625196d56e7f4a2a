/** Why a digest was sent, or skipped. */
import { digestWords } from '../../src/alerts/digest/setting.js';
import type { HistoryItem } from '../../src/alerts/explanation/history.js';
import { reply, type Line, type Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { line, zoneName, zoneOf } from '../../src/reply/index.js';

/** Undefined for a message of alerts. */
export async function digestReason(id: string, { history, watchlists, chat: address }: Context): Promise<Reply | undefined> {
  const found = await history.delivery(address, id, { page: 1, size: 1 });
  if (found?.delivery.summary === undefined || found.total > 0) return undefined;
  const chat = watchlists.read(address);
  const now = chat.digest === undefined ? 'off' : `${digestWords(chat.digest)} (${zoneName(zoneOf(chat))})`;
  const isSent = found.delivery.end !== 'dropped' && found.delivery.end !== 'expired' && found.delivery.end !== 'refused';
  return reply({
    finding: [{ strong: found.delivery.summary }, ...(isSent ? [': this chat has a digest switched on'] : [' not sent'])],
    blocks: [line(...endLine(found.delivery)), line(`The digest is now ${now}.`)],
    actions: [
      { label: 'Digest…', line: '/digest' },
      { label: 'History', line: '/history' },
    ],
  });
}

function endLine({ end, because, at, attempts }: HistoryItem): Line {
  const why = because === undefined ? '' : `: ${because}`;
  const tries = attempts > 1 ? ` (${attempts} attempts)` : '';
  switch (end) {
    case 'sent':
      return ['Sent ', { at }, tries];
    case 'maybe sent':
      return ['Maybe sent ', { at }, why];
    case 'under way':
      return ['Being sent since ', { at }, tries, why];
    case 'refused':
    case 'expired':
    case 'dropped':
      return ['Skipped ', { at }, why];
  }
}
