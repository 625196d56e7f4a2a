/** This module delivers a chat's queue in order: slot, seal, record "sending", send, settle. After a crash an attempt may be repeated. */
import { omitUndefined } from '../../base/omit-undefined.js';
import { instant, MINUTE, SECOND, type Clock, type Instant } from '../../base/clock.js';
import { LateError, withDeadline } from '../../base/deadline.js';
import { platformOf, type Address } from '../../chat/address.js';
import { chartInZone, type Chart, type Picture, type Pictures } from '../../chat/chart.js';
import { askedAt, endSlot, EXTRAS, type DeliveryOutcome, type DeliveryRequest, type Notifier, type Slot } from '../../chat/notifier.js';
import { marketOf } from '../../domain/event.js';
import { postTags } from '../../domain/post-tags.js';
import { aboutDelivery } from './message-data.js';
import { drawn, storedChart } from './event-chart.js';
import { lastAbsence } from '../watchlist/absence.js';
import { areSuppressed, kindOfItem, LATE_AFTER, next, type Next } from '../queue/batch.js';
import { modeOf } from '../rules/presets.js';
import { entryOf } from '../queue/queued-event.js';
import { mutedUntil } from '../queue/prepared-message.js';
import { suppressionOf } from '../queue/suppression.js';
import { begin, close, reopen, unseal, type Delivery, type Queue } from '../queue/queue.js';
import { sealNext, showSteps, type OpenTopics, type SealingContext } from './sealing.js';
import { expiredEnd, MAX_DELIVERY_AGE, settle, type Repeats } from './after-attempt.js';
import type { Chat, Watchlists } from '../watchlist/watchlists.js';
import type { Reachability } from './reachability.js';

export interface DeliverContext extends SealingContext {
  readonly reachability: Reachability;
  readonly notifiers: readonly Notifier[];
  readonly ambiguous: Exclude<Repeats, 'recognised'>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Outcomes that the store failed to record, so that an attempt that is known to have arrived is not repeated. */
  readonly outcomes: Map<Address, KnownOutcome>;
  readonly pictures?: Pictures | undefined;
  /** Called after every attempt, for metrics. */
  readonly attempted?: ((attempt: DeliveryAttempt) => void) | undefined;
}

export interface KnownOutcome {
  readonly delivery: Delivery;
  readonly outcome: DeliveryOutcome;
}

export interface DeliveryAttempt {
  readonly platform: string;
  readonly outcome: DeliveryOutcome['kind'];
  /** Milliseconds from queued to sent, for each alert; catch-ups and samples are left out. */
  readonly delays: readonly number[];
}

export interface SendPace {
  readonly watchlists: Watchlists;
  readonly now: Instant;
  readonly running?: Instant | undefined;
  readonly openTopics?: OpenTopics | undefined;
}

export function openTopicsOf({ topics, notifiers }: Pick<DeliverContext, 'topics' | 'notifiers'>): OpenTopics | undefined {
  if (topics === undefined) return undefined;
  const isOpen = (topic: string): boolean => topics.read(topic)?.ended === false;
  return (address) => (notifierOf(address, { notifiers })?.revise === undefined ? undefined : isOpen);
}

export const dueAt = (queue: Queue, pace: SendPace): Instant | undefined => dueNext(queue, pace)?.due;

function dueNext(queue: Queue, { watchlists, now, running, openTopics }: SendPace): Next | undefined {
  const chat = watchlists.read(queue.address);
  // The queue of a chat that moved is moved at once; a chat that is gone gets nothing.
  const isEmpty = queue.open === undefined && queue.waiting.length === 0 && queue.prepared === undefined && queue.live === undefined;
  if (chat.left !== undefined && isEmpty) return undefined;
  if (chat.left !== undefined) return chat.left.movedTo === undefined ? undefined : { due: now };
  if (queue.open) return { due: openDue(queue.open, { chat, now }) };
  return next({ queue, chat, now, running, isOpen: openTopics?.(queue.address) });
}

function openDue(open: Delivery, { chat, now }: { readonly chat: Chat; readonly now: Instant }): Instant {
  // The clock may have been set back; waiting for it to catch up would silence the chat.
  const due = open.sealedAt > now ? now : open.notBefore;
  const isSample = open.members[0]?.sample === true;
  if (due > now || open.state === 'sending' || open.mayHaveArrived !== true || isSample) return due;
  // A delivery that may have arrived is not batched again, but it waits for the end of a chat-wide suppression.
  return silentUntil(open, chat, now) ?? due;
}

const silentUntil = ({ prepared }: Pick<Delivery, 'prepared'>, chat: Chat, now: Instant): Instant | undefined =>
  prepared === undefined ? suppressionOf({ feed: '' }, undefined, chat, now)?.until : mutedUntil(chat, now);

/** A delivery that takes much longer than usual. */
export interface DeliveryDelay {
  readonly since: Instant;
  /** The platform asked the bot to send nothing before this time. */
  readonly pausedUntil?: Instant;
}

/** Rate limits delay alerts by seconds, after a flood by minutes. Digests are due in all chats at once and are sent last. */
const USUAL_WAIT = { alert: 5 * MINUTE, prepared: 30 * MINUTE };

/** Finds the delay of a chat's delivery, whose run began at `runSince`. Returns undefined if nothing has been due for long. */
export function deliveryDelay(
  queue: Queue,
  {
    now,
    runSince,
    ...context
  }: Pick<DeliverContext, 'watchlists' | 'notifiers' | 'running' | 'openTopics'> & { readonly now: Instant; readonly runSince: Instant },
): DeliveryDelay | undefined {
  if (now - runSince < USUAL_WAIT.alert) return undefined;
  const ready = dueNext(queue, { ...context, now });
  if (ready === undefined) return undefined;
  const since = instant(Math.max(ready.due, runSince));
  const isLong = now - since >= USUAL_WAIT[slotKind(queue, ready) === 'prepared' ? 'prepared' : 'alert'];
  const pausedUntil = notifierOf(queue.address, context)?.pausedUntil?.(queue.address);
  return isLong ? { since, ...(pausedUntil !== undefined && pausedUntil > now ? { pausedUntil } : {}) } : undefined;
}

/** Sends what is due until nothing is or `signal` aborts. Two runs of one chat at once would send twice. */
export async function deliver(address: Address, context: DeliverContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const ready = readyNext(address, context);
    if (ready === undefined) return;
    if (await tidied(address, context)) continue;
    if (ready.batch?.kind === 'step') {
      await showSteps(address, ready.batch, { queues: context.queues, now: context.clock.now() });
      continue;
    }
    const slot = await slotFor(address, { ready, context, signal });
    if (slot === undefined) continue;
    try {
      if (signal.aborted) return;
      // During the wait for the slot the chat may have been muted, moved or forgotten.
      if (isOnHold(address, context) || (await tidied(address, context))) continue;
      const begun = await begunDelivery(address, context);
      // If nothing could be sealed, receipts say why, and the loop continues with the rest of the queue.
      if (begun !== undefined) await attempt(address, { ...begun, slot, context });
    } finally {
      slot.unused();
    }
  }
}

function readyNext(address: Address, context: DeliverContext): Next | undefined {
  const now = context.clock.now();
  const ready = dueNext(context.queues.read(address), { ...context, now });
  return ready !== undefined && ready.due <= now ? ready : undefined;
}

/** Tells whether the chat is away, or its open delivery is not due. Continuing would batch the waiting items again. */
function isOnHold(address: Address, { queues, watchlists, clock }: DeliverContext): boolean {
  const [{ open }, chat, now] = [queues.read(address), watchlists.read(address), clock.now()];
  if (chat.left !== undefined) return chat.left.movedTo === undefined;
  return open !== undefined && openDue(open, { chat, now }) > now;
}

/** Settles interrupted attempts, moved chats and stale deliveries, and returns true if there were any. */
async function tidied(address: Address, context: DeliverContext): Promise<boolean> {
  const { queues, watchlists, reachability, clock } = context;
  const now = clock.now();
  const chat = watchlists.read(address);
  const { movedTo } = chat.left ?? {};
  const cut = queues.read(address).open;
  // The platform does not recognise a repeat at another address.
  const repeats = movedTo === undefined ? repeatsAt(address, context) : context.ambiguous;
  const known = context.outcomes.get(address);
  if (cut?.state === 'sending' && known?.delivery.id === cut.id) {
    await conclude(address, { ...known, repeats, context });
    return true;
  }
  if (cut?.state === 'sending' && repeats !== 'recognised') {
    await conclude(address, { delivery: cut, outcome: { kind: 'unclear', because: 'line-cut' }, repeats, context });
    return true;
  }
  if (cut?.state === 'sending' && cut.prepared !== undefined && now >= cut.prepared.until) {
    // A digest is not repeated after its deadline.
    await conclude(address, { delivery: cut, outcome: { kind: 'unclear', because: 'line-cut' }, repeats: 'hold', context });
    return true;
  }
  if (cut?.state === 'sending' && silentUntil(cut, chat, now) !== undefined) {
    // The chat was muted meanwhile, so the attempt is repeated only after the mute.
    await queues.change(address, (queue) => reopen(queue, { ...cut, state: 'sealed', mayHaveArrived: true, problem: 'unclear: line-cut' }));
    return true;
  }
  if (movedTo !== undefined) {
    await reachability.follow(address, movedTo);
    return true;
  }
  if (cut !== undefined && waitsAgain(cut, chat, now)) {
    await queues.change(address, (queue) => unseal(queue, cut.id));
    return true;
  }
  if (cut !== undefined && isStale(cut, now)) {
    const { id, members, attempts, problem: because = 'it became too old', maybeSent, summary } = cut;
    const rest = omitUndefined({ maybeSent, summary });
    await queues.change(address, (queue) => close(queue, { id, members, end: expiredEnd(cut), endedAt: now, attempts, because, ...rest }));
    return true;
  }
  return false;
}

const MIN_PREPARED_WAIT = SECOND;

/** Waits for a slot. Returns undefined after an abort, or if the caller must choose again what is due. */
async function slotFor(
  address: Address,
  { ready, context, signal }: { readonly ready: Next; readonly context: DeliverContext; readonly signal: AbortSignal },
): Promise<Slot | undefined> {
  const notifier = notifierOf(address, context);
  if (notifier?.slot === undefined) return UNLIMITED;
  const alert = { kind: slotKind(context.queues.read(address), ready), since: ready.due };
  if (alert.kind !== 'prepared') return notifier.slot(address, alert, signal);
  const [choosing, ended] = [new AbortController(), new AbortController()];
  const stop = (): void => choosing.abort();
  signal.addEventListener('abort', stop, { once: true });
  // The wait is random, so that not all chats ask for a slot at the same moment.
  const milliseconds = MIN_PREPARED_WAIT * (1 + context.random());
  void context.clock.sleep(milliseconds, ended.signal).then(stop, () => {});
  try {
    return await notifier.slot(address, alert, choosing.signal);
  } finally {
    signal.removeEventListener('abort', stop);
    ended.abort();
  }
}

function slotKind({ open }: Queue, { batch, prepared }: Next): 'ringing' | 'silent' | 'prepared' {
  if (open === undefined ? prepared !== undefined : open.prepared !== undefined) return 'prepared';
  if (open !== undefined) return open.silent === true ? 'silent' : 'ringing';
  const { members = [] } = batch ?? {};
  const isSilent = members.every(
    ({ member, entry }) => member.sample !== true && entry !== undefined && modeOf(entry, kindOfItem(member)) === 'silent',
  );
  return isSilent ? 'silent' : 'ringing';
}

const UNLIMITED: Slot = { answered: () => {}, refused: () => {}, unused: () => {} };

interface BegunDelivery {
  readonly sending: Delivery;
  readonly chart: Chart | undefined;
  readonly picture: Picture | undefined;
}

const MAX_PICTURE_ATTEMPTS = 3;

/** Draws the chart, then records "sending": after a crash while drawing, the delivery is known not to be sent. */
async function begunDelivery(address: Address, context: DeliverContext): Promise<BegunDelivery | undefined> {
  const now = context.clock.now();
  const { open } = context.queues.read(address);
  let chart: Chart | undefined;
  let picture: Picture | undefined;
  const prepare = async (of: Chart): Promise<void> => {
    chart = of;
    const theme = notifierOf(address, context)?.pictureTheme;
    picture = theme && context.pictures && (await drawn(of, theme, { ...context, pictures: context.pictures }));
  };
  let begun: Delivery | undefined;
  if (open === undefined) begun = await sealNext(address, now, { ...context, prepare });
  else {
    const stored = open.attempts < MAX_PICTURE_ATTEMPTS ? (open.reply.chart ?? (await storedChart(open, context))) : undefined;
    if (stored !== undefined) await prepare(chartInZone(stored, open.reply.zone));
    begun = (await context.queues.change(address, (before) => begin(before, open.id, now))).open;
  }
  // The chat may have been forgotten while the chart was drawn.
  return begun !== undefined && context.queues.read(address).open?.id === begun.id ? { sending: begun, chart, picture } : undefined;
}

/** Tells whether a delivery is queued again after a new suppression, absence or long wait. One that may have arrived never is. */
const waitsAgain = ({ state, mayHaveArrived, ...sealed }: Delivery, chat: Chat, now: Instant): boolean =>
  state === 'sealed' && mayHaveArrived !== true && isOutdated(sealed, chat, now);

const isOutdated = (
  { members, sealedAt, attempts, prepared, until }: Pick<Delivery, 'members' | 'sealedAt' | 'attempts' | 'prepared' | 'until'>,
  chat: Chat,
  now: Instant,
): boolean =>
  prepared === undefined
    ? (until !== undefined && now >= until) ||
      areSuppressed(members, chat, now) ||
      sealedAt < (lastAbsence(chat, now)?.to ?? 0) ||
      (attempts === 0 && now - sealedAt >= LATE_AFTER)
    : mutedUntil(chat, now) !== undefined || now >= prepared.until;

/** Tells whether a delivery is older than its maximum age. */
const isStale = ({ state, sealedAt, maxAge = MAX_DELIVERY_AGE }: Delivery, now: Instant): boolean =>
  state === 'sealed' && now - sealedAt > maxAge;

async function attempt(
  address: Address,
  { slot, context, ...begun }: BegunDelivery & { readonly slot: Slot; readonly context: DeliverContext },
): Promise<void> {
  const { sending } = begun;
  const outcome = await send(address, begun, context);
  context.outcomes.set(address, { delivery: sending, outcome });
  endSlot(slot, outcome);
  context.attempted?.({
    platform: platformOf(address),
    outcome: outcome.kind,
    delays: outcome.kind === 'sent' ? delaysOf(sending, context.clock.now()) : [],
  });
  await conclude(address, { delivery: sending, outcome, repeats: repeatsAt(address, context), context });
}

/** Returns delays in ms. A delay is left out if the clock was set back meanwhile. */
const delaysOf = ({ members, summary }: Delivery, now: Instant): readonly number[] =>
  summary === undefined
    ? members.flatMap(({ sample, late, queuedAt }) => (sample === true || late !== undefined || queuedAt > now ? [] : [now - queuedAt]))
    : [];

async function conclude(
  address: Address,
  {
    delivery,
    outcome,
    repeats,
    context,
  }: { readonly delivery: Delivery; readonly outcome: DeliveryOutcome; readonly repeats: Repeats; readonly context: DeliverContext },
): Promise<void> {
  const { queues, reachability, outcomes, clock, random, log } = context;
  const settlement = settle(delivery, { outcome, now: clock.now(), jitter: random(), repeats });
  const fields = { address, delivery: delivery.id, events: delivery.members.length, attempts: delivery.attempts };
  await queues.change(address, (queue) => ('done' in settlement ? close(queue, settlement.done) : reopen(queue, settlement.again)));
  outcomes.delete(address);
  if ('done' in settlement) {
    const { movedTo } = context.watchlists.read(address).left ?? {};
    // The group became a supergroup during the attempt, and the rest of its queue has moved already.
    if (movedTo !== undefined) await reachability.follow(address, movedTo);
    log[settlement.done.end === 'sent' ? 'debug' : 'warn'](`delivery.${settlement.done.end}`, {
      ...fields,
      because: settlement.done.because,
    });
  } else {
    // Log a change of the reason, not every retry.
    if (delivery.problem !== settlement.again.problem) log.warn('delivery.again', { ...fields, because: settlement.again.problem });
    const { left } = settlement;
    if (left?.movedTo !== undefined) await reachability.take({ kind: 'moved', from: address, to: left.movedTo });
    else if (left !== undefined) await reachability.take({ kind: 'gone', chat: address, ...left });
  }
}

export const notifierOf = (address: Address, { notifiers }: Pick<DeliverContext, 'notifiers'>): Notifier | undefined =>
  notifiers.find((one) => one.platform === platformOf(address));

function repeatsAt(address: Address, context: DeliverContext): Repeats {
  const notifier = notifierOf(address, context);
  const isRecognised = notifier?.knowsRepeatsAt?.(address) ?? notifier?.knowsRepeats ?? true;
  return isRecognised ? 'recognised' : context.ambiguous;
}

/** Chooses extras: the live message of a topic gets a thread; a message of several entries is published only if all entries publish. */
function extrasOf({ members, shows, prepared }: Delivery, chat: Chat): Pick<DeliveryRequest, 'extras'> {
  const entries = prepared === undefined ? members.map((member) => (member.sample === true ? undefined : entryOf(chat, member))) : [];
  const extras = EXTRAS.filter((extra) =>
    extra === 'threads'
      ? shows !== undefined && entries.some((entry) => entry?.threads === true)
      : entries.length > 0 && entries.every((entry) => entry?.publish === true),
  );
  return extras.length === 0 ? {} : { extras };
}

function withinOf({ members, shows }: Delivery, { live = {} }: Queue): Pick<DeliveryRequest, 'within'> {
  const [topic, ...others] = new Set(members.map(({ event }) => marketOf(event) ?? ''));
  const within = topic === undefined || others.length > 0 || shows !== undefined ? undefined : live[topic]?.messageId;
  return within === undefined ? {} : { within };
}

/** Several times the platforms' own deadlines. A notifier that never answers must not keep its slot. */
export const MAX_SENDING = 3 * MINUTE;

async function send(address: Address, { sending, chart, picture }: BegunDelivery, context: DeliverContext): Promise<DeliveryOutcome> {
  const { id, reply, silent, replyTo, mayHaveArrived, firstTriedAt, shows } = sending;
  const notifier = notifierOf(address, context);
  const { clock, log } = context;
  const asked = clock.now();
  if (notifier === undefined) return { kind: 'not-permitted', because: `${platformOf(address)} is not connected` };
  try {
    const delivery = {
      id,
      reply: chart === undefined ? reply : { ...reply, chart },
      ...(picture === undefined ? {} : { picture }),
      ...(silent === undefined ? {} : { silent }),
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(shows === undefined ? {} : { post: { tags: postTags(shows), isOver: shows.ended === true } }),
      ...withinOf(sending, context.queues.read(address)),
      ...extrasOf(sending, context.watchlists.read(address)),
      ...(mayHaveArrived === true && firstTriedAt !== undefined ? { earlier: { since: firstTriedAt, ifUnknown: context.ambiguous } } : {}),
      about: aboutDelivery(sending, context.watchlists.read(address), context),
    };
    return askedAt(await withDeadline({ clock, milliseconds: MAX_SENDING }, async () => notifier.deliver(address, delivery)), asked);
  } catch (cause) {
    // Notifiers return outcomes in time, so an exception is our bug, and the message may have been sent.
    log.error('delivery.threw', { address, delivery: id, cause });
    return { kind: 'unclear', because: cause instanceof LateError ? 'timeout' : 'server-error' };
  }
}
