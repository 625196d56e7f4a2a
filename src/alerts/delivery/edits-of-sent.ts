/** This module edits live messages to their current statuses, and alerts that were corrected. */
import { backoff, jittered } from '../../base/backoff.js';
import { HOUR, later, SECOND, type Instant } from '../../base/clock.js';
import { never } from '../../base/never.js';
import type { Address } from '../../chat/address.js';
import { chartInZone, type Chart, type Picture } from '../../chat/chart.js';
import { endSlot, type EditOutcome, type Notifier } from '../../chat/notifier.js';
import { inZone } from '../../chat/reply.js';
import { postTags } from '../../domain/post-tags.js';
import { followerOf } from '../watchlist/match.js';
import { deletedAt, editDue, edited, leftAlone, withLive, type LiveMessage } from '../queue/live-message.js';
import type { Queue } from '../queue/queue.js';
import { targetName } from '../watchlist/entry.js';
import { aboutStatus, editId } from './message-data.js';
import { composeLive } from './compose-message.js';
import { correct, nextCorrection, type CorrectContext } from '../corrections/mark-sent.js';
import { notifierOf, type DeliverContext } from './deliver.js';
import { drawn } from './event-chart.js';
import { edit, takeDeparture, waitAfter } from './edit-message.js';
import { liveContent, type LiveContent } from './topic-statuses.js';
import { NOT_PERMITTED_WAIT } from './after-attempt.js';

type ReviseContext = CorrectContext & Pick<DeliverContext, 'topics' | 'random' | 'pictures'>;

interface DueEdit {
  readonly topic: string;
  readonly message: LiveMessage;
  readonly entry: string;
  readonly hasThread: boolean;
  readonly due: Instant;
}

export function revisionDue(queue: Queue, context: Omit<ReviseContext, 'queues'>): Instant | undefined {
  const due = [nextEdit(queue, context)?.due, nextCorrection(queue, context)?.due].filter((one) => one !== undefined);
  return due.toSorted((a, b) => a - b)[0];
}

function nextEdit(queue: Queue, { topics, watchlists, notifiers, clock }: Omit<ReviseContext, 'queues'>): DueEdit | undefined {
  if (queue.live === undefined || topics === undefined || notifierOf(queue.address, { notifiers })?.revise === undefined) return undefined;
  const [chat, now] = [watchlists.read(queue.address), clock.now()];
  const due = Object.entries(queue.live).flatMap(([topic, message]): readonly DueEdit[] => {
    const status = topics.read(topic);
    const at = status && editDue(message, status);
    const entry = at === undefined ? undefined : followerOf({ ...message, topic }, chat);
    // A time in the future was stored before the clock was set back; the edit is due now.
    return entry === undefined || at === undefined
      ? []
      : [{ topic, message, entry: targetName(entry.target), hasThread: entry.threads === true, due: message.shownAt > now ? now : at }];
  });
  return due.toSorted((a, b) => a.due - b.due)[0];
}

/** Makes the edits that are due until none is or `signal` aborts. One chat must not have two runs at once. */
export async function revise(
  address: Address,
  { rest = async (wait) => wait, ...context }: ReviseContext & { readonly rest?: <T>(wait: Promise<T>) => Promise<T> },
  signal: AbortSignal,
): Promise<void> {
  const isDue = <T extends { readonly due: Instant }>(edit: T | undefined): edit is T =>
    edit !== undefined && edit.due <= context.clock.now();
  while (!signal.aborted) {
    const since = revisionDue(context.queues.read(address), context);
    const notifier = notifierOf(address, context);
    if (since === undefined || since > context.clock.now() || notifier?.revise === undefined) return;
    // The picture is drawn before the slot, which must not wait for it; afterwards it comes from the cache.
    await pictureOf(liveContent(nextEdit(context.queues.read(address), context)?.topic, context), { address, notifier, context });
    const slot = notifier.slot === undefined ? undefined : await rest(notifier.slot(address, { kind: 'edit', since }, signal));
    const answered = (outcome: EditOutcome): void => endSlot(slot, outcome);
    try {
      if (signal.aborted) return;
      const correction = nextCorrection(context.queues.read(address), context);
      if (isDue(correction)) {
        await correct(address, notifier, correction, { ...context, answered });
        continue;
      }
      // The status may have changed during the wait for the slot, so it is read again.
      const due = nextEdit(context.queues.read(address), context);
      if (!isDue(due)) continue;
      const live = liveContent(due.topic, context);
      if (live === undefined) return await settleEdit(address, { edit: due, outcome: { kind: 'later', because: 'server-error' }, context });
      const { topic, message, entry, hasThread } = due;
      const { chart, picture } = await pictureOf(live, { address, notifier, context });
      const content = composeLive({ id: message.delivery, links: context.links, entry, ...live });
      const outcome = await edit(notifier, {
        address,
        clock: context.clock,
        messageId: message.messageId ?? '',
        id: editId(message.delivery, String(message.shownAt), live.status.version),
        about: aboutStatus(live, { entry, ...context }),
        post: { tags: postTags(live.status), isOver: live.status.ended },
        ...(hasThread ? { thread: live.status.ended ? ('over' as const) : ('open' as const) } : {}),
        reply: inZone({ ...content, chart }, context.watchlists.read(address).timezone),
        ...(picture === undefined ? {} : { picture }),
        onThrow: (cause) => context.log.error('edit.threw', { address, topic, cause }),
      });
      answered(outcome);
      await settleEdit(address, { edit: due, live, outcome, context });
    } finally {
      slot?.unused();
    }
  }
}

/** Returns the chart of a live message in the chat's timezone, and its picture where the platform takes one and it is ready in time. */
async function pictureOf(
  live: LiveContent | undefined,
  { address, notifier, context }: { readonly address: Address; readonly notifier: Notifier; readonly context: ReviseContext },
): Promise<{ readonly chart?: Chart; readonly picture?: Picture | undefined }> {
  if (live?.chart === undefined) return {};
  const chart = chartInZone(live.chart, context.watchlists.read(address).timezone);
  const { pictureTheme: theme } = notifier;
  const { pictures } = context;
  return { chart, picture: theme && pictures && (await drawn(chart, theme, { ...context, pictures })) };
}

interface Edited {
  readonly edit: DueEdit;
  readonly live?: LiveContent;
  readonly outcome: EditOutcome;
  readonly context: ReviseContext;
}

async function settleEdit(address: Address, { edit, live, outcome, context }: Edited): Promise<void> {
  const { queues, clock, random, log, reachability } = context;
  const now = clock.now();
  const { topic, message } = edit;
  const jitter = random();
  await queues.change(address, (queue) =>
    withLive(queue, topic, (current) =>
      current.messageId === message.messageId ? afterEdit(current, { outcome, live, now, jitter }) : current,
    ),
  );
  if (outcome.kind === 'edited') log.debug('edit.done', { address, topic });
  else if (isByDesign(outcome)) log.debug('edit.left', { address, topic });
  else if (message.failures === undefined) log.warn('edit.failed', { address, topic, outcome: outcome.kind });
  await takeDeparture(address, outcome, reachability);
}

/** Some formats, such as Slack's, have no edits, and some messages are too old for one. */
const isByDesign = (outcome: EditOutcome): boolean => outcome.kind === 'lost' && outcome.because === 'not-editable';

const WAIT = { first: 10 * SECOND, most: HOUR };

/** Decides what follows an edit. `jitter` is a random number from 0 to 1. */
function afterEdit(
  message: LiveMessage,
  {
    outcome,
    live,
    now,
    jitter,
  }: { readonly outcome: EditOutcome; readonly live?: LiveContent | undefined; readonly now: Instant; readonly jitter: number },
): LiveMessage {
  const { notBefore: _, failures = 0, ...rest } = message;
  const retriedAfter = (wait: number): LiveMessage => ({ ...rest, failures: failures + 1, notBefore: later(now, Math.ceil(wait)) });
  switch (outcome.kind) {
    case 'edited':
      return live === undefined ? message : edited(message, live.status, now);
    case 'later':
      return retriedAfter(waitAfter(outcome, jittered(backoff(WAIT, failures + 1), jitter)));
    case 'not-permitted':
      return retriedAfter(NOT_PERMITTED_WAIT);
    case 'lost':
      if (outcome.because === 'deleted') return deletedAt(message, now);
      return leftAlone(message);
    case 'refused':
      return leftAlone(message);
    // The move or departure is recorded with the chat, and the message waits for that.
    case 'moved':
    case 'gone':
      return retriedAfter(0);
    default:
      return never(outcome);
  }
}
