/** Alerts that became too old while their chat could not be reached: docs/alerts.md, the maximum age of an entry. */
import { HOUR } from '../../../src/base/clock.js';
import { platformOf } from '../../../src/chat/address.js';
import type { LedgerRow } from '../world/world.js';
import type { ChatView } from './ledger.js';
import { boundsOf, EVERY } from './windows.js';

/** `no`: it expires nowhere; `surely`: nothing could be sent from its moment until it was too old. */
export function expires({ played, chat, wishes }: ChatView, row: LedgerRow, by: number): 'no' | 'maybe' | 'surely' {
  const wish = wishes.find(({ ask }) => ask.kind === 'age');
  if (wish?.ask.kind !== 'age') return 'no';
  const age = wish.ask.hours * HOUR;
  if (by <= row.at + age) return 'no';
  const bounds = boundsOf(played.scenario);
  const isAway = played.disturbances.some(
    ({ what, from, to, ...of }) =>
      ((what === 'gone' && of.chat === chat) || (what === 'platform' && of.platform === platformOf(chat))) &&
      // A message counts from when it was composed, which is after the check that found the event.
      from < row.at &&
      to > row.at + age + bounds.delivery(EVERY[row.ledger]),
  );
  return isAway && wish.doneAt < row.at ? 'surely' : 'maybe';
}
