/**
 * Why, and why not: what became of an event in a chat, and how far news of a kind got on its way there. Computed from the look, event, chat and
 * queue documents; nothing is written per chat that was not told.
 */
import { MINUTE } from '../base/clock.js';
import { never } from '../base/never.js';
import type { Address } from '../chat/address.js';
import type { Line } from '../chat/reply.js';
import type { NewsEvent } from '../domain/event.js';
import type { Instant, Slug } from '../domain/scalars.js';
import type { WalletAddress } from '../domain/wallet.js';
import { feedOf } from '../feeds/index.js';
import type { Archive } from './archive.js';
import { calledHere, targetName, type Entry } from './entry.js';
import { gapOf, isAbsent, type LookRecord, type Looks } from './looks.js';
import { covering, match } from './match.js';
import type { Queue } from './queue.js';
import type { Queues } from './queues.js';
import { mutedUntil, type Chat, type Watchlists } from './watchlists.js';

/** What became of an event in one chat. */
export type Fate =
  | { readonly kind: 'sent'; readonly queuedAt: Instant; readonly sentAt: Instant; readonly attempts: number; readonly maybeSent?: number }
  /** The line was cut; it may stand here or not, and the operator chose not to send it again. */
  | { readonly kind: 'maybe sent'; readonly at: Instant; readonly because: string }
  | { readonly kind: 'waiting'; readonly queuedAt: Instant; readonly mutedUntil?: Instant }
  | {
      readonly kind: 'under way';
      readonly queuedAt: Instant;
      readonly attempts: number;
      readonly nextAt: Instant;
      readonly problem?: string;
    }
  | { readonly kind: 'given up'; readonly at: Instant; readonly because: string }
  | { readonly kind: 'not told'; readonly because: string; readonly since?: Instant };

export interface Story {
  readonly event: NewsEvent;
  /** The event in words; its id where its kind no longer exists. */
  readonly headline: Line;
  /** The entry it came through, or would have. */
  readonly entry: Entry | undefined;
  readonly fate: Fate;
}

/** One step of the way from the service to the chat. The first that is not ok is the answer. */
export interface Step {
  readonly name: 'watched' | 'looked' | 'readable' | 'changed' | 'wanted' | 'told';
  readonly ok: boolean;
  readonly says: Line;
}

export interface Way {
  readonly feed: string;
  readonly steps: readonly Step[];
}

export interface Why {
  /** What a delivery of this chat told; undefined where this chat has no such delivery, or no record of it any more. */
  ofDelivery(address: Address, id: string): Promise<readonly Story[] | undefined>;
  /** The latest news this chat was or was not told, latest first. */
  lately(address: Address, limit: number): Promise<readonly Story[]>;
  /** How far news of a kind about a project or a wallet gets on its way to this chat, with the latest story where there is one. */
  ofSilence(address: Address, subject: OneSubject, feed: string): Promise<Way & { readonly latest?: Story }>;
}

export type OneSubject = { readonly project: Slug } | { readonly wallet: WalletAddress };

export interface WhyContext {
  readonly archive: Archive;
  readonly looks: Looks;
  readonly queues: Queues;
  readonly watchlists: Watchlists;
  readonly now: () => Instant;
}

export function createWhy({ archive, looks, queues, watchlists, now }: WhyContext): Why {
  const storyOf = (address: Address, event: NewsEvent): Story => {
    const chat = watchlists.read(address);
    const queue = queues.read(address);
    const entry = entryOf(event, chat, queue);
    return { event, headline: headlineOf(event, entry), entry, fate: fateOf(event, { chat, queue, now: now() }) };
  };
  return {
    async ofDelivery(address, id) {
      const queue = queues.read(address);
      const found = queue.open?.id === id ? queue.open : queue.receipts.find((receipt) => receipt.id === id);
      if (found === undefined) return undefined;
      const events = await Promise.all(found.members.map(async (member) => archive.get(member.event)));
      return events.filter((event) => event !== undefined).map((event) => storyOf(address, event));
    },
    async lately(address, limit) {
      const chat = watchlists.read(address);
      // Which wallets other chats watch is nobody's business here.
      const only = (about: Parameters<typeof covering>[0]) => about.wallet === undefined || covering(about, chat).length > 0;
      const events = await archive.latest({ only, limit });
      return events.map((event) => storyOf(address, event));
    },
    async ofSilence(address, subject, feed) {
      const [latest] = await archive.latest({ feed, ...subject, limit: 1 });
      const story = latest && storyOf(address, latest);
      const key = 'wallet' in subject ? subject.wallet : subject.project;
      const look = looks.read(feed, feedOf(feed)?.scope === 'global' ? 'all' : key);
      return {
        feed,
        steps: stepsOf({ entries: covering({ feed, ...subject }, watchlists.read(address)), feed, look, story }),
        ...(story ? { latest: story } : {}),
      };
    },
  };
}

/** News is routed within seconds of being seen, and within this where the store limped. */
const ON_ITS_WAY = 10 * MINUTE;

function headlineOf(event: NewsEvent, entry: Entry | undefined): Line {
  try {
    return feedOf(event.feed)?.tell(event, { called: entry && calledHere(entry.target) }).headline ?? [event.id];
  } catch {
    // An event of an older layout is named rather than told; `/why` must not fail over it.
    return [event.id];
  }
}

function entryOf(event: NewsEvent, chat: Chat, queue: Queue): Entry | undefined {
  const members = [...queue.waiting, ...(queue.open?.members ?? []), ...queue.receipts.flatMap((receipt) => receipt.members)];
  const through = members.find((member) => member.event === event.id)?.entry;
  return chat.entries.find((entry) => targetName(entry.target) === through) ?? covering(event, chat)[0];
}

/** Pure: the queue knows what was routed; for what was not, the match says why. */
function fateOf(event: NewsEvent, { chat, queue, now }: { chat: Chat; queue: Queue; now: Instant }): Fate {
  const isIt = (member: { event: string }) => member.event === event.id;
  const waiting = queue.waiting.find(isIt);
  if (waiting) {
    const entry = chat.entries.find(({ target }) => targetName(target) === waiting.entry);
    return { kind: 'waiting', queuedAt: waiting.queuedAt, mutedUntil: mutedUntil(chat, entry, now) };
  }
  const open = queue.open;
  const under = open?.members.find(isIt);
  if (open && under)
    return { kind: 'under way', queuedAt: under.queuedAt, attempts: open.attempts, nextAt: open.notBefore, problem: open.problem };
  const receipt = queue.receipts.find(({ members }) => members.some(isIt));
  const member = receipt?.members.find(isIt);
  if (receipt && member) {
    if (receipt.end === 'maybe sent') return { kind: 'maybe sent', at: receipt.endedAt, because: receipt.because ?? 'the line was cut' };
    return receipt.end === 'sent'
      ? { kind: 'sent', queuedAt: member.queuedAt, sentAt: receipt.endedAt, attempts: receipt.attempts, maybeSent: receipt.maybeSent }
      : { kind: 'given up', at: receipt.endedAt, because: receipt.because ?? receipt.end };
  }
  const verdict = match(event, chat);
  if (!verdict.told) return { kind: 'not told', because: verdict.because, ...('since' in verdict ? { since: verdict.since } : {}) };
  if (event.seenAt < verdict.entry.since) return { kind: 'not told', because: 'seen before the watch began', since: verdict.entry.since };
  return {
    kind: 'not told',
    because: now - event.seenAt < ON_ITS_WAY ? 'on its way to this chat’s queue' : 'told long ago; its receipt is gone',
  };
}

function stepsOf({
  entries,
  feed,
  look,
  story,
}: {
  entries: readonly Entry[];
  feed: string;
  look: LookRecord | undefined;
  story: Story | undefined;
}): readonly Step[] {
  const [entry] = entries;
  if (entry === undefined) return [{ name: 'watched', ok: false, says: ['this chat does not watch it'] }];
  const steps: Step[] = [
    { name: 'watched', ok: true, says: [`through ${calledHere(entry.target) ?? targetName(entry.target)}, since `, { at: entry.since }] },
  ];
  if (entry.off.includes(feed)) return [...steps, { name: 'wanted', ok: false, says: [`${feed} is switched off here`] }];
  steps.push(lookedStep(look));
  if (look?.okAt === undefined) return steps;
  const gap = gapOf(look);
  steps.push({ name: 'readable', ok: gap === undefined, says: [gap ?? 'every row was read'] });
  if (story === undefined) return [...steps, { name: 'changed', ok: false, says: ['nothing has changed since it was first looked at'] }];
  steps.push({ name: 'changed', ok: true, says: ['last seen to change ', { at: story.event.seenAt }] });
  if (story.fate.kind === 'not told') return [...steps, { name: 'wanted', ok: false, says: [story.fate.because] }];
  return [...steps, { name: 'told', ok: story.fate.kind === 'sent', says: fateLine(story.fate) }];
}

function lookedStep(look: LookRecord | undefined): Step {
  if (look === undefined) return { name: 'looked', ok: false, says: ['not looked at yet'] };
  if (isAbsent(look))
    return {
      name: 'looked',
      ok: false,
      says: [`the service has no ${look.feed} data for it; last asked `, { at: look.triedAt }],
    };
  if (look.failures === 0) return { name: 'looked', ok: true, says: ['last looked ', { at: look.triedAt }] };
  const last: Line = look.okAt === undefined ? [', and it never succeeded yet'] : ['; it last succeeded ', { at: look.okAt }];
  return {
    name: 'looked',
    ok: false,
    says: [`the last ${look.failures === 1 ? 'look' : `${look.failures} looks`} failed (${look.problem ?? 'unknown'})`, ...last],
  };
}

/** A fate in words. */
export function fateLine(fate: Fate): Line {
  switch (fate.kind) {
    case 'sent':
      return [
        'queued ',
        { at: fate.queuedAt },
        ', sent ',
        { at: fate.sentAt },
        ` (${fate.attempts} ${fate.attempts === 1 ? 'attempt' : 'attempts'})`,
        ...(fate.maybeSent === undefined ? [] : ['; an earlier attempt was cut off, so it may stand here twice']),
      ];
    case 'maybe sent':
      return [`maybe sent: the attempt was cut off (${fate.because}), and it was not repeated; `, { at: fate.at }];
    case 'waiting':
      return fate.mutedUntil === undefined ? ['waiting to be sent'] : ['held back by a mute that ends ', { at: fate.mutedUntil }];
    case 'under way':
      return [
        `being sent, attempt ${fate.attempts}`,
        ...(fate.problem === undefined ? [] : [`: ${fate.problem}; next try `, { at: fate.nextAt }]),
      ];
    case 'given up':
      return [`not delivered: ${fate.because}; given up `, { at: fate.at }];
    case 'not told':
      return ['not told: ', { strong: fate.because }, ...(fate.since === undefined ? [] : [' ', { at: fate.since }])];
    default:
      return never(fate);
  }
}
