/** This module delivers a chat's queue in order: slot, seal, record "sending", send, settle. Every message is sent at least once. */
import { omitUndefined } from '../../base/omit-undefined.js';
import { instant, MINUTE, SECOND, type Clock, type Instant } from '../../base/clock.js';
import { LateError, withDeadline } from '../../base/deadline.js';
import { platformOf, type Address } from '../../chat/address.js';
import { chartInZone, type Chart, type Picture, type Pictures } from '../../chat/chart.js';
import { endSlot, EXTRAS, type DeliveryOutcome, type DeliveryRequest, type Notifier, type Slot } from '../../chat/notifier.js';
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
  /** These outcomes of attempts are kept while the store fails, so that an attempt that is known to have arrived is not repeated. */
  readonly outcomes: Map<Address, KnownOutcome>;
  readonly pictures?: Pictures | undefined;
  /** It is called after every attempt, for metrics. By default nothing is called. */
  readonly attempted?: ((attempt: DeliveryAttempt) => void) | undefined;
}

export interface KnownOutcome {
  readonly delivery: Delivery;
  readonly outcome: DeliveryOutcome;
}

export interface DeliveryAttempt {
  readonly platform: string;
  readonly outcome: DeliveryOutcome['kind'];
  /** For each alert sent, it has the ms since it was queued; catch-ups and samples are not counted. */
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
  // A queue at an old address is moved at once; a chat that is gone gets nothing.
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
  // It cannot be batched again, but it waits for the end of a chat-wide suppression.
  return silentUntil(open, chat, now) ?? due;
}

const silentUntil = ({ prepared }: Pick<Delivery, 'prepared'>, chat: Chat, now: Instant): Instant | undefined =>
  prepared === undefined ? suppressionOf({ feed: '' }, undefined, chat, now)?.until : mutedUntil(chat, now);

/** A run has had this delivery in hand for much longer than it takes. */
export interface DeliveryDelay {
  readonly since: Instant;
  /** The delivery waits because the platform asked for it. */
  readonly pausedUntil?: Instant;
}

/** Rate limits keep alerts for seconds, after a flood for minutes; digests go to all chats at once and come last. */
const USUAL_WAIT = { alert: 5 * MINUTE, prepared: 30 * MINUTE };

/** The run that sends it began at `runSince`. The result is undefined if nothing is due, or not for long. */
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

/** It runs until nothing is due or `signal` aborts. One chat must not have two runs at once. */
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
      // If nothing could be sealed, receipts say why; the loop checks the rest of the queue.
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

/** While a chat is on hold nothing is sealed: that would batch its waiting items again. */
function isOnHold(address: Address, { queues, watchlists, clock }: DeliverContext): boolean {
  const [{ open }, chat, now] = [queues.read(address), watchlists.read(address), clock.now()];
  if (chat.left !== undefined) return chat.left.movedTo === undefined;
  return open !== undefined && openDue(open, { chat, now }) > now;
}

/** It settles interrupted attempts, moved chats and stale deliveries, and returns true if there were any. */
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
    // An interrupted attempt is not repeated so late.
    await conclude(address, { delivery: cut, outcome: { kind: 'unclear', because: 'line-cut' }, repeats: 'hold', context });
    return true;
  }
  if (cut?.state === 'sending' && silentUntil(cut, chat, now) !== undefined) {
    // It is not repeated under a mute that began meanwhile.
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

/** It is undefined after an abort, or if what is due must be chosen again. */
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
  // The wait varies, so that not all chats get theirs at the same moment.
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

/** The delivery begins after its chart is drawn, so a crash while drawing has sent nothing. */
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
  // The chat may have been forgotten meanwhile.
  return begun !== undefined && context.queues.read(address).open?.id === begun.id ? { sending: begun, chart, picture } : undefined;
}

/** A delivery waits again after a new suppression, absence or long wait, but never if it may have arrived. */
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

/** Another attempt would exceed the maximum age. */
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

/** The delays are in ms; they are unknown after the clock was set back. */
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
    // The group became a supergroup while it was sent, and the rest of its queue has left.
    if (movedTo !== undefined) await reachability.follow(address, movedTo);
    log[settlement.done.end === 'sent' ? 'debug' : 'warn'](`delivery.${settlement.done.end}`, {
      ...fields,
      because: settlement.done.because,
    });
  } else {
    // It is logged when the reason changes, not on every retry.
    if (delivery.problem !== settlement.again.problem) log.warn('delivery.again', { ...fields, because: settlement.again.problem });
    const { left } = settlement;
    if (left?.movedTo !== undefined) await reachability.take({ kind: 'moved', from: address, to: left.movedTo });
    else if (left !== undefined) await reachability.take({ kind: 'gone', chat: address, because: left.because });
  }
}

export const notifierOf = (address: Address, { notifiers }: Pick<DeliverContext, 'notifiers'>): Notifier | undefined =>
  notifiers.find((one) => one.platform === platformOf(address));

function repeatsAt(address: Address, context: DeliverContext): Repeats {
  const notifier = notifierOf(address, context);
  const isRecognised = notifier?.knowsRepeatsAt?.(address) ?? notifier?.knowsRepeats ?? true;
  return isRecognised ? 'recognised' : context.ambiguous;
}

/** A live message opens the thread of its topic. A message with alerts of several entries is shared only if each of them is. */
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

/** It is several times what a platform's own deadlines allow. A notifier that never answers must not keep its slot. */
export const MAX_SENDING = 3 * MINUTE;

async function send(address: Address, { sending, chart, picture }: BegunDelivery, context: DeliverContext): Promise<DeliveryOutcome> {
  const { id, reply, silent, replyTo, mayHaveArrived, firstTriedAt, shows } = sending;
  const notifier = notifierOf(address, context);
  const { clock, log } = context;
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
    return await withDeadline({ clock, milliseconds: MAX_SENDING }, async () => notifier.deliver(address, delivery));
  } catch (cause) {
    // Notifiers return outcomes in time, so an exception is our bug, and the message may have been sent.
    log.error('delivery.threw', { address, delivery: id, cause });
    return { kind: 'unclear', because: cause instanceof LateError ? 'timeout' : 'server-error' };
  }
}
