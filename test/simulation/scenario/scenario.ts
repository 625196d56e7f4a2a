/** A simulation as data: what happens in the world, what people ask, and what goes wrong. Any part of it can be left out and it still plays. */
import type { Address } from '../../../src/chat/address.js';
import type { World } from '../world/world.js';

export type Kind = 'supply' | 'movements' | 'launches' | 'proposals' | 'growth' | 'premium' | 'treasury' | 'vesting';

/** One proposal of a project, or one launch. */
export interface Followed {
  readonly title: string;
  readonly key: string;
  /** A slug, or `launches`. */
  readonly of: string;
}

/** Something that a chat asks for, as the oracle understands it. */
export type Ask =
  /** A project's slug, or `all`. */
  | { readonly kind: 'watch' | 'unwatch'; readonly project: string }
  | { readonly kind: 'preset'; readonly project: string; readonly preset: 'important' | 'everything' }
  | { readonly kind: 'filter'; readonly project: string; readonly usd: number }
  /** It lets through only movements of this token. */
  | { readonly kind: 'token'; readonly project: string; readonly token: string }
  | { readonly kind: 'mode'; readonly project: string; readonly feed: Kind; readonly on: boolean }
  /** Without a project, a proposal or a launch the whole chat is meant. */
  | { readonly kind: 'mute'; readonly minutes: number; readonly project?: string; readonly one?: Followed }
  | { readonly kind: 'unmute'; readonly project?: string; readonly one?: Followed }
  | { readonly kind: 'follow' | 'unfollow'; readonly one: Followed }
  /** Hours of the day in UTC. */
  | { readonly kind: 'quiet'; readonly from: number; readonly to: number }
  | { readonly kind: 'digest'; readonly hour: number }
  /** The maximum age. */
  | { readonly kind: 'age'; readonly project: string; readonly hours: number }
  | { readonly kind: 'timezone'; readonly zone: string }
  /** So many minutes before each end. */
  | { readonly kind: 'remind'; readonly minutes: number }
  /** A price or a premium above, or a runway below the level. */
  | {
      readonly kind: 'rule';
      readonly project: string;
      readonly measure: 'price' | 'premium' | 'runway';
      readonly level: string;
      readonly band: string;
      /** In minutes. By default it alerts at once. */
      readonly lasts?: number;
      /** A runway above the level, which must hold at the same time. */
      readonly and?: { readonly level: string; readonly band: string };
    }
  /** It says how a chat learns that an alert of these is over. */
  | { readonly kind: 'back'; readonly project: string; readonly measure: 'price' | 'runway'; readonly way: 'edit' | 'message' | 'off' }
  /** Each time NAV has moved by so many percent. */
  | { readonly kind: 'move'; readonly project: string; readonly percent: number }
  /** Each single trade of its markets that is worth more. */
  | { readonly kind: 'trade'; readonly project: string; readonly usd: number }
  /** Who enters or leaves a price above the level. */
  | { readonly kind: 'screen'; readonly level: string }
  | { readonly kind: 'wallet'; readonly wallet: string }
  /** `off`: kinds that the entries of the list switch off. */
  | { readonly kind: 'import'; readonly projects: readonly string[]; readonly off?: readonly Kind[] }
  | { readonly kind: 'hostile'; readonly line: string };

export type Step =
  | { readonly kind: 'ask'; readonly chat: Address; readonly ask: Ask }
  /** People delete what was posted of proposals. */
  | { readonly kind: 'delete'; readonly chat: Address }
  /** `after`: so many writes and requests later, which is how a kill falls between any two of them. */
  | { readonly kind: 'kill' | 'stop'; readonly down: number; readonly after: number }
  /** The active process stands still, for so many ms. */
  | { readonly kind: 'pause'; readonly for: number }
  | { readonly kind: 'service'; readonly down: boolean }
  | { readonly kind: 'platform'; readonly name: string; readonly trouble: 'limited' | 'unreachable' | undefined }
  | { readonly kind: 'chat'; readonly chat: Address; readonly becomes: 'gone' | 'member' | 'moved' }
  | { readonly kind: 'clock'; readonly jump: number }
  | { readonly kind: 'disk'; readonly failing: boolean }
  /** The next request of its kind has this fault. */
  | { readonly kind: 'spoil'; readonly of: Spoiled; readonly fault: SpoiltBy };

/** A check of a ledger, or another request of the service; a delivery or an edit on any platform. */
export type Spoiled = 'check' | 'other' | 'delivery' | 'edit';
/** `slow`: answered after many seconds. `old`: an answer of ten seconds ago. */
export type SpoiltBy = '429' | 'old' | 'slow' | 'limited' | 'request lost' | 'answer lost' | 'fails after';

/** What shows outside the bot: a request leaves or is done, a message waits for its slot, a process starts or has become active. */
export type Sign = 'check' | 'markets' | 'list' | 'slot' | 'delivery' | 'posted' | 'edit' | 'start' | 'active';

/** So many ms after the `nth` sign from its time on. */
export interface When {
  readonly sign: Sign;
  readonly nth: number;
  readonly wait: number;
}

export type Timed = Step & { readonly at: number; readonly when?: When };

export interface Scenario {
  readonly seed: number;
  readonly profile:
    'brief' | 'pair' | 'minutes' | 'hours' | 'days' | 'crowd' | 'flood' | 'expiry' | 'lists' | 'limited' | 'followed' | 'trades';
  readonly start: number;
  /** From here on nothing goes wrong any more. */
  readonly calm: number;
  readonly ambiguous: 'repeat' | 'hold';
  readonly pollSeconds: number;
  readonly tickSeconds: number;
  readonly requestsPerMonth: number | undefined;
  /** The chance of a fault in a request. */
  readonly faultRates: { readonly service: number; readonly platform: number };
  /** Of an answer of the service, in ms. */
  readonly slowestAnswer: number;
  readonly processes: 1 | 2;
  readonly world: World;
  readonly chats: readonly Address[];
  /** In order of time. */
  readonly steps: readonly Timed[];
}

/** Kinds of which nothing happens in a seed; in three of four seeds chats switch them off, because most requests would be theirs. */
export const unusedIn = (seed: number, { rows, markets }: Pick<World, 'rows' | 'markets'>): readonly Kind[] =>
  seed % 4 === 1
    ? []
    : [
        'launches',
        ...(markets.length === 0 ? ['proposals' as const] : []),
        ...(rows.some(({ ledger }) => ledger === 'movements') ? [] : ['movements' as const]),
      ];

export const PROJECTS = ['tide', 'heron'] as const;
/** `exact` recognises a repeat, `plain` does not. */
export const PLATFORMS = ['exact', 'plain'] as const;
