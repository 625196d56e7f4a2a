/** This module makes one edit of a sent message and decides what follows. */
import { HOUR, type Clock } from '../../base/clock.js';
import { withDeadline } from '../../base/deadline.js';
import type { Address } from '../../chat/address.js';
import { askedAt, type EditOutcome, type EditRequest, type Notifier } from '../../chat/notifier.js';
import { MAX_SENDING } from './deliver.js';
import type { Reachability } from './reachability.js';

interface Edit extends EditRequest {
  readonly address: Address;
  readonly clock: Clock;
  readonly onThrow: (cause: unknown) => void;
}

/** Makes one edit; never rejects. */
export async function edit(notifier: Notifier, { address, clock, onThrow, ...request }: Edit): Promise<EditOutcome> {
  const asked = clock.now();
  try {
    const revising = async (): Promise<EditOutcome> =>
      (await notifier.revise?.(address, request)) ?? { kind: 'lost', because: 'not-editable' };
    return askedAt(await withDeadline({ clock, milliseconds: MAX_SENDING }, revising), asked);
  } catch (cause) {
    // Notifiers return outcomes in time, so an exception is our bug.
    onThrow(cause);
    return { kind: 'later', because: 'server-error' };
  }
}

/** Returns the milliseconds to wait before the next edit. */
export const waitAfter = ({ afterMs, because }: Extract<EditOutcome, { kind: 'later' }>, otherwise: number): number =>
  afterMs ?? (because === 'edits-limited' ? HOUR : otherwise);

export async function takeDeparture(address: Address, outcome: EditOutcome, reachability: Pick<Reachability, 'take'>): Promise<void> {
  if (outcome.kind === 'moved') await reachability.take({ kind: 'moved', from: address, to: outcome.to });
  if (outcome.kind === 'gone') await reachability.take({ ...outcome, chat: address });
}
