/** A chat platform that outlives the bot: messages travel, get lost, are refused, and arrive although the sender is gone. */
import { SECOND } from '../../../src/base/clock.js';
import { address, localOf, platformOf, type Address } from '../../../src/chat/address.js';
import type { DeliveryRequest, EditOutcome, EditRequest, Notifier, Outcome } from '../../../src/chat/notifier.js';
import { plainText } from '../../../src/chat/plain-text.js';
import type { ConnectedPlatform, PlatformDeps } from '../../../src/platforms/descriptor.js';
import { ProcessLimiter, type RateLimits } from '../../../src/platforms/limiter/limiter.js';
import type { Random } from '../machine/random.js';
import type { Life, Time } from '../machine/time.js';
import type { Sign, SpoiltBy } from '../scenario/scenario.js';

export interface Posted {
  readonly chat: Address;
  /** Of the delivery. */
  readonly id: string;
  readonly text: string;
  readonly at: number;
}

export interface Edited extends Posted {
  readonly message: string;
}

/** How a chat stands with the bot. */
export type Membership = { readonly kind: 'member' } | { readonly kind: 'gone' } | { readonly kind: 'moved'; readonly to: Address };

export interface Platform {
  readonly name: string;
  /** Whether it posts nothing twice under one id. */
  readonly isExact: boolean;
  /** What stands in its chats, in the order in which it arrived. */
  readonly posted: readonly Posted[];
  /** Every edit that arrived, in order. */
  readonly edits: readonly Edited[];
  /** When it was asked too fast, although the bot had run for long enough to know how fast it may. */
  readonly tooFast: readonly number[];
  readonly deletions: ReadonlyMap<Address, number>;
  readonly faults: readonly { readonly what: string; readonly at: number; readonly chat: Address }[];
  /** Requests of a chat, before and after it moved, whose sender never learned what became of them: those that arrived, and those that did not. */
  unknown(chat: Address): { readonly arrived: number; readonly lost: number };
  /** Ids of deliveries of which one arrived without its sender learning it. */
  readonly unconfirmed: ReadonlySet<string>;
  /** For one process. `started` gets what it is created with. */
  connect(life: Life, started: (deps: PlatformDeps) => void): ConnectedPlatform;
  /** People delete what was posted of proposals in a chat until now. */
  delete(chat: Address): void;
  become(chat: Address, membership: Membership): void;
  /** From now on it answers nothing but this; undefined: it works, with the faults of its dice. */
  answers(outcome: Outcome | undefined): void;
  /** The dice make no faults any more. */
  heal(): void;
}

/** What it allows in any second: in all chats together, and in one. */
const ALLOWED = { token: 2, chat: 1 };
const LIMITS: RateLimits = { token: { max: ALLOWED.token, per: SECOND }, chat: () => [{ max: ALLOWED.chat, per: SECOND }] };

/** Milliseconds that a request or an answer is on its way. */
const LONGEST_WAY = 50;
/** What a slow answer takes. */
const SLOW = [13_000, 19_000] as const;
/** After so long without an answer the sender gives up. */
const PATIENCE = 20_000;

type Fault = 'slow' | 'limited' | 'unreachable' | 'request lost' | 'answer lost' | 'fails before' | 'fails after' | 'silent';
const FAULTS: readonly Fault[] = ['limited', 'unreachable', 'request lost', 'answer lost', 'fails before', 'fails after', 'silent'];

export interface PlatformOptions {
  readonly isExact: boolean;
  readonly faultRate: number;
  readonly time: Time;
  readonly random: Random;
  /** Called when a request leaves, and when it has arrived. */
  readonly began: () => void;
  /** Something that shows outside the bot has happened. */
  readonly signed: (sign: Sign) => void;
  /** What the next request of this kind is spoiled by, if anything. */
  readonly spoilt: (of: 'delivery' | 'edit') => SpoiltBy | undefined;
}

export function simulatedPlatform(name: string, { isExact, faultRate, time, random, began, signed, spoilt }: PlatformOptions): Platform {
  const posted: Posted[] = [];
  const edits: Edited[] = [];
  const deleted = new Set<string>();
  const deletions = new Map<Address, number>();
  const unknown = new Map<Address, { arrived: number; lost: number }>();
  const unconfirmed = new Set<string>();
  const memberships = new Map<Address, Membership>();
  const faultsMade: { readonly what: string; readonly at: number; readonly chat: Address }[] = [];
  const requests: { readonly chat: Address; readonly at: number }[] = [];
  const tooFast: number[] = [];
  let startedAt = 0;
  let forced: Outcome | undefined;
  let faults = faultRate;

  const post = (chat: Address, { id, reply }: DeliveryRequest): string => {
    const standing = isExact ? posted.findIndex((one) => one.id === id && one.chat === chat) : -1;
    if (standing !== -1) return String(standing);
    return String(posted.push({ id, chat, at: time.now(), text: plainText(reply, time.now()) }) - 1);
  };
  const countUnknown = (chat: Address): { arrived: number; lost: number } => {
    const own = unknown.get(chat) ?? { arrived: 0, lost: 0 };
    unknown.set(chat, own);
    return own;
  };
  const way = async (milliseconds = random.whole(0, LONGEST_WAY)): Promise<void> =>
    new Promise((resolve) => {
      time.at(time.now() + milliseconds, resolve);
    });

  const spoiltIn = (kind: 'delivery' | 'edit'): Fault | undefined => {
    const by = spoilt(kind);
    return by === '429' || by === 'old' ? undefined : by;
  };

  /** The outcome, or silence. */
  async function serve<T>(
    life: Life,
    to: Address,
    { act, delivery }: { act: () => T; delivery?: string },
  ): Promise<T | Outcome | undefined> {
    const count = (what: 'arrived' | 'lost'): void => {
      if (delivery === undefined) return;
      countUnknown(to)[what] += 1;
      if (what === 'arrived') unconfirmed.add(delivery);
    };
    const kind = delivery === undefined ? 'edit' : 'delivery';
    const fault = spoiltIn(kind) ?? (random.chance(faults) ? random.pick(FAULTS) : undefined);
    if (fault !== undefined) faultsMade.push({ what: fault, at: time.now(), chat: to });
    signed(kind);
    began();
    await way();
    // A request that had not left when the process was killed may or may not be under way.
    if (!life.isAlive() && random.chance(0.5)) {
      count('lost');
      return undefined;
    }
    const lately = requests.filter(({ at }) => at > time.now() - SECOND);
    requests.push({ chat: to, at: time.now() });
    if (lately.length >= ALLOWED.token || lately.filter(({ chat }) => chat === to).length >= ALLOWED.chat) {
      // What the life before sent, the bot cannot know.
      if (time.now() >= startedAt + SECOND) tooFast.push(time.now());
      return { kind: 'later', because: 'rate-limited', afterMs: SECOND };
    }
    if (forced !== undefined) return forced;
    if (fault === 'limited') return { kind: 'later', because: 'rate-limited', afterMs: random.whole(100, 8_000) };
    if (fault === 'unreachable') return { kind: 'later', because: 'unreachable' };
    if (fault === 'request lost' || fault === 'fails before') {
      count('lost');
      return { kind: 'unclear', because: fault === 'request lost' ? 'line-cut' : 'server-error' };
    }
    const membership = memberships.get(to);
    if (membership?.kind === 'gone') return { kind: 'gone', because: 'bot-removed' };
    if (membership?.kind === 'moved') return { kind: 'moved', to: membership.to };
    const done = act();
    signed('posted');
    began();
    if (fault === 'answer lost' || fault === 'fails after' || fault === 'silent' || !life.isAlive()) count('arrived');
    if (fault === 'silent') return undefined;
    if (fault === 'answer lost') return { kind: 'unclear', because: 'line-cut' };
    if (fault === 'fails after') return { kind: 'unclear', because: 'server-error' };
    const before = life.isAlive();
    await way(fault === 'slow' ? random.whole(...SLOW) : undefined);
    if (before && !life.isAlive()) count('arrived');
    return done;
  }

  function edit(chat: Address, { id, messageId: message, reply }: EditRequest): EditOutcome {
    const before = posted[Number(message)];
    if (before === undefined || before.chat !== chat || deleted.has(message)) return { kind: 'lost', because: 'deleted' };
    edits.push({ id, chat, message, at: time.now(), text: plainText(reply, time.now()) });
    return { kind: 'edited' };
  }

  const notifier = (life: Life, { isActive = () => true }: Pick<PlatformDeps, 'isActive'>): Notifier => {
    const limiter = new ProcessLimiter(LIMITS, life.clock);
    startedAt = time.now();
    return {
      platform: name,
      knowsRepeats: isExact,
      async slot(to, alert, signal) {
        signed('slot');
        return limiter.take({ chat: to, ...alert }, signal);
      },
      async deliver(to, delivery) {
        if (platformOf(to) !== name) return { kind: 'refused', detail: `${to} is not here` };
        // As the real ones do, of a process that stood still for too long.
        if (!isActive()) return { kind: 'later', because: 'unreachable' };
        const act = (): Outcome => ({ kind: 'sent', messageId: post(to, delivery) });
        const outcome = await life.survive(serve(life, to, { act, delivery: delivery.id }));
        if (outcome !== undefined) return outcome;
        await life.clock.sleep(PATIENCE);
        return { kind: 'unclear', because: 'timeout' };
      },
      async revise(to, request) {
        if (!isActive()) return { kind: 'later', because: 'unreachable' };
        const outcome = await life.survive(serve(life, to, { act: () => edit(to, request) }));
        if (outcome === undefined) {
          await life.clock.sleep(PATIENCE);
          return { kind: 'later', because: 'unreachable' };
        }
        return outcome.kind === 'unclear' || outcome.kind === 'sent' ? { kind: 'later', because: 'unreachable' } : outcome;
      },
      probe: async () => ({ missing: [] }),
      diagnose: async () => ({ ok: true, says: 'simulated' }),
    };
  };

  return {
    name,
    isExact,
    posted,
    edits,
    deletions,
    tooFast,
    faults: faultsMade,
    unconfirmed,
    unknown: (chat) => {
      const known = [chat, movedAddress(chat)].flatMap((one) => unknown.get(one) ?? []);
      return {
        arrived: known.reduce((sum, { arrived }) => sum + arrived, 0),
        lost: known.reduce((sum, { lost }) => sum + lost, 0),
      };
    },
    delete(chat) {
      deletions.set(chat, (deletions.get(chat) ?? 0) + 1);
      for (const [index, one] of posted.entries()) if (one.chat === chat && one.text.includes('"Market')) deleted.add(String(index));
    },
    become: (chat, membership) => void memberships.set(chat, membership),
    answers: (outcome) => {
      forced = outcome;
    },
    heal: () => {
      forced = undefined;
      faults = 0;
    },
    connect: (life, started) => ({
      ...withoutSettings(name),
      async create(deps) {
        started(deps);
        // As the real ones do, it answers when it is connected, before anything is sent.
        return { notifier: notifier(life, deps), start: () => deps.onDate?.(new Date(time.now()).toUTCString()), stop: async () => {} };
      },
    }),
  };
}

/** A connected platform but for what it creates. */
export const withoutSettings = (name: string): Omit<ConnectedPlatform, 'create'> => ({
  name,
  title: name,
  settings: {},
  secrets: [],
  startLines: [],
  receivesOverHttp: false,
  hasToken: true,
  checkup: async () => [],
});

/** A chat's address once its group has become a supergroup. */
export const movedAddress = (chat: Address): Address => address(platformOf(chat), `${localOf(chat)}-super`);
