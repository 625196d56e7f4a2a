/** This module marks corrections in sent messages by editing them; messages that cannot be edited get a follow-up message. */
import { DAY, later, MINUTE, type Instant } from '../../base/clock.js';
import { never } from '../../base/never.js';
import type { Address } from '../../chat/address.js';
import type { EditOutcome, Notifier } from '../../chat/notifier.js';
import { isEdit } from '../queue/batch.js';
import { aboutCorrection, editId } from '../delivery/message-data.js';
import { drop, rerouted, showInLive, type Member, type Queue } from '../queue/queue.js';
import { correctedReply, correctionsOf } from './corrected-message.js';
import { returnsTo } from '../queue/returns.js';
import { notifierOf, type DeliverContext } from '../delivery/deliver.js';
import { edit, takeDeparture, waitAfter } from '../delivery/edit-message.js';
import { NOT_PERMITTED_WAIT } from '../delivery/after-attempt.js';

export type CorrectContext = Pick<
  DeliverContext,
  'queues' | 'archive' | 'watchlists' | 'notifiers' | 'reachability' | 'links' | 'clock' | 'log'
>;

interface DueCorrection {
  readonly member: Member;
  readonly due: Instant;
}

export function nextCorrection(
  queue: Queue,
  { notifiers, watchlists }: Pick<CorrectContext, 'notifiers' | 'watchlists'>,
): DueCorrection | undefined {
  const edits = queue.waiting.filter(isEdit);
  if (edits.length === 0 || notifierOf(queue.address, { notifiers })?.revise === undefined) return undefined;
  if (watchlists.read(queue.address).left !== undefined) return undefined;
  return edits.map((member) => ({ member, due: member.corrects?.notBefore ?? member.queuedAt })).toSorted((a, b) => a.due - b.due)[0];
}

/** Makes one edit in the caller's slot. `answered` is called after a request, before its outcome is stored. */
export async function correct(
  address: Address,
  notifier: Notifier,
  { member }: DueCorrection,
  { answered, ...context }: CorrectContext & { readonly answered: (outcome: EditOutcome) => void },
): Promise<void> {
  const { queues, archive, watchlists, links, clock, log } = context;
  const { delivery, messageId = '' } = member.corrects ?? {};
  const queue = queues.read(address);
  const receipts = await queues.receipts(address);
  const receipt = receipts.find(({ id }) => id === delivery);
  // A live message shows its topic, not an event.
  const isLive = Object.values(queue.live ?? {}).some((message) => message.delivery === delivery);
  const corrections = await correctionsOf({ receipts, waiting: [member] }, (corrects) => corrects.delivery === delivery, archive);
  const returns = returnsTo({ receipts, waiting: [member] }, (corrects) => corrects.delivery === delivery);
  const parts = { corrections, returns, chat: watchlists.read(address), archive, links };
  const reply = receipt === undefined || isLive ? undefined : await correctedReply({ receipt, ...parts });
  if (reply === undefined) {
    await settle(address, { member, outcome: { kind: 'lost', because: 'not-editable' }, context });
    return;
  }
  const onThrow = (cause: unknown): void => log.error('correction.threw', { address, event: member.event, cause });
  const outcome = await edit(notifier, {
    address,
    clock,
    messageId,
    reply,
    onThrow,
    id: editId(delivery ?? '', member.event),
    about: aboutCorrection({ members: receipt?.members ?? [], at: member.queuedAt, corrections }, parts),
  });
  answered(outcome);
  await settle(address, { member, outcome, context });
}

const RETRY_AFTER = MINUTE;
const MAX_TRIED_FOR = DAY;

interface Settled {
  readonly member: Member;
  readonly outcome: EditOutcome;
  readonly context: CorrectContext;
}

async function settle(address: Address, { member, outcome, context }: Settled): Promise<void> {
  const { queues, reachability, clock, log } = context;
  const now = clock.now();
  await queues.change(address, (queue) => {
    const current = queue.waiting.find(({ event }) => event === member.event);
    return current === undefined || !isEdit(current) ? queue : afterAttempt(queue, current, outcome, now);
  });
  if (outcome.kind !== 'edited') log.info('correction.not-edited', { address, event: member.event, outcome: outcome.kind });
  await takeDeparture(address, outcome, reachability);
}

function afterAttempt(queue: Queue, member: Member, outcome: EditOutcome, now: Instant): Queue {
  const corrects = member.corrects ?? { event: member.event };
  const followUp = (): Queue => rerouted(queue, [{ ...member, queuedAt: now, corrects: { ...corrects, followsUp: true } }]);
  const again = (wait: number): Queue =>
    now - member.queuedAt > MAX_TRIED_FOR
      ? followUp()
      : rerouted(queue, [{ ...member, corrects: { ...corrects, notBefore: later(now, wait) } }]);
  switch (outcome.kind) {
    case 'edited':
      return showInLive(queue, { members: [member], now });
    case 'lost':
      return outcome.because === 'deleted'
        ? drop(queue, { members: [member], now, because: 'the alert it corrects was deleted' })
        : followUp();
    case 'refused':
      return followUp();
    case 'later':
      return again(waitAfter(outcome, RETRY_AFTER));
    case 'not-permitted':
      return again(NOT_PERMITTED_WAIT);
    case 'moved':
    case 'gone':
      return queue;
    default:
      return never(outcome);
  }
}
