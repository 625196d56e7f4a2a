/** Declares what a command can use: interfaces only, no platform and no store. */
import type { Analytics, ServiceState } from '../analytics/analytics.js';
import type { CheckRecord } from '../alerts/checks/check-records.js';
import type { Directory } from '../analytics/directory.js';
import type { BacktestAnswer, BacktestOrder } from '../alerts/backtest/backtest.js';
import type { FireDrills } from '../alerts/backtest/fire-drill.js';
import type { History } from '../alerts/explanation/history.js';
import type { PendingImports } from '../alerts/watchlist/pending-imports.js';
import type { CommandWatchlists } from '../alerts/watchlist/watchlists.js';
import type { Why } from '../alerts/explanation/explain.js';
import type { Target } from '../alerts/watchlist/entry.js';
import type { DigestPeriod } from '../alerts/digest/schedule.js';
import type { LastDigest } from '../alerts/digest/setting.js';
import type { Samples } from '../alerts/delivery/sample.js';
import type { DroppedLines } from '../base/line-writer.js';
import type { ClockDoubt } from '../base/trusted-clock.js';
import type { Address } from '../chat/address.js';
import type { Catalogue } from '../chat/catalogue.js';
import type { FeedAddresses } from '../chat/feed-addresses.js';
import type { Probe } from '../chat/notifier.js';
import type { ManagedChat, Person, SentFile } from '../chat/inbound.js';
import type { Privacy } from '../chat/privacy.js';
import type { Link, Reply } from '../chat/reply.js';
import type { ExpectedDelay, PanelState } from '../chat/status-strip.js';
import type { MakeLinks } from '../domain/links.js';
import type { RefreshEnd, RefreshProgress, RefreshStanding, WalletAddress } from '../domain/wallet.js';
import type { Instant } from '../domain/scalars.js';
import type { Recorder } from '../sources/recorder.js';
import type { Sources } from '../sources/kept-sources.js';

interface Waiting {
  readonly checks: number;
  readonly since: Instant;
}

export interface Status {
  readonly service: ServiceState & { readonly name: string };
  readonly platforms: readonly { readonly name: string; readonly ok: boolean; readonly says: string; readonly problem?: string }[];
  /** Slugs in PROJECTS that the service does not list, each with the most similar ones that it does. */
  readonly unknownProjects?: readonly string[];
  /** `says` is shown to operators, `problem` to everybody. */
  readonly store: { readonly ok: true; readonly says: string } | { readonly ok: false; readonly says: string; readonly problem: string };
  readonly log: DroppedLines;
  readonly feeds: PanelState['feeds'];
  readonly gaps: readonly string[];
  readonly watching: { readonly projects: number; readonly wallets?: number; readonly chats: number };
  /** Deliveries of the last 24 hours. */
  readonly deliveries: PanelState['deliveries'];
  readonly plan?: {
    readonly limited: boolean;
    /** The longest interval divided by its target. */
    readonly stretch: number;
    /** The shortest and the longest interval, in milliseconds. */
    readonly refreshes?: readonly [number, number] | undefined;
  };
  /** Lists of the service that one check reads for all projects. */
  readonly lists?: readonly {
    readonly list: string;
    readonly at: Instant | undefined;
    /** The value is in milliseconds. */
    readonly every: number | undefined;
    readonly isFailing: boolean;
    /** The trust in the list (a fraction) for its least and its most trusted kind; undefined if no kind relies on it. */
    readonly trust: readonly [number, number] | undefined;
    /** Projects that the list leaves out or reported wrongly. */
    readonly uncovered: readonly string[];
  }[];
  readonly overdue?: { readonly late: Waiting | undefined; readonly first: Waiting | undefined };
  /** The number of chats whose alerts wait much longer than planned; the oldest waits since `since`. */
  readonly lateChats?: { readonly chats: number; readonly since: Instant } | undefined;
  /** Set while the bot ignores a jump of the machine's clock. */
  readonly clockDoubt?: ClockDoubt | undefined;
  readonly runningSince: Instant;
}

export interface FirstCheckCounts {
  readonly done: number;
  readonly pending: number;
  readonly failed: number;
  /** The expected time until the pending checks are done, in milliseconds; absent if unknown. */
  readonly readyIn?: number | undefined;
  /** The pending checks wait for the API budget. */
  readonly isDeferred?: true | undefined;
}

export interface FirstCheckRunner {
  /** Makes the first checks of a target and waits at most `patience` milliseconds for them. Never rejects. */
  make(target: Target, how: { readonly chat: Address; readonly patience: number }): Promise<FirstCheckCounts>;
  /** Returns undefined without a monthly limit. */
  expectedDelays(targets: readonly Target[]): readonly ExpectedDelay[] | undefined;
  /** Returns the longest time until a change of this kind is detected, in milliseconds; undefined if the kind is not checked yet. */
  checkedWithin(target: Target, kind: string): number | undefined;
}

export interface DigestAnswers {
  /** Composes a digest of what changed since the last one. */
  preview(chat: Address, record?: Recorder['add']): Promise<Reply>;
  /** `next` may be overdue during a mute. */
  state(chat: Address): { readonly next?: DigestPeriod | undefined; readonly last?: LastDigest | undefined };
}

export interface Refreshes {
  /** The value is in milliseconds. */
  readonly maxAge: number;
  /** The cost of a refresh in requests. */
  cost?(wallet: WalletAddress): number;
  /** Returns the state of the wallet's refresh without a request. */
  standing(wallet: WalletAddress): RefreshStanding;
  /** Waits at most `patience` milliseconds; the refresh continues after that. Rejects with an `AnalyticsError`. */
  refresh(order: {
    readonly address: WalletAddress;
    readonly token?: string | undefined;
    /** Uses the priority and the pauses of a check. */
    readonly automatic?: boolean | undefined;
    readonly patience: number;
    readonly progress?: ((progress: RefreshProgress) => void) | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<RefreshEnd>;
}

/** Evaluates saved screens on the results of checks. */
export interface ScreenState {
  /** Returns the projects in a screen, and the number of projects without a check result. Makes no request. */
  standing(filter: string): Promise<{ readonly members: readonly string[]; readonly unread: number }>;
}

export interface Backtests {
  /** Rejects with an `AnalyticsError` or the signal's reason. */
  run(order: BacktestOrder & Pick<Context, 'analytics'>): Promise<BacktestAnswer>;
}

export interface Context {
  readonly chat: Address;
  readonly asker: Person;
  readonly operator: boolean;
  /** Replaces the reply while the command runs. Absent on platforms that cannot edit; never rejects. */
  readonly progress?: (reply: Reply) => Promise<void>;
  /**
   * Lets the asker's later questions start, and perhaps finish first. Call it before a wait of many seconds, if the command writes nothing
   * that a later question may depend on.
   */
  readonly endTurn: () => void;
  /** The sent files, the oldest first. Reading one may reject with an `UnreadableFile`. */
  readonly files: readonly SentFile[];
  readonly now: Instant;
  /** The IANA timezone of the chat; undefined is UTC. Use it for times within texts; the renderer converts the moments of a line. */
  readonly zone: string | undefined;
  readonly signal?: AbortSignal;
  readonly analytics: Analytics;
  readonly directory: Directory;
  readonly watchlists: CommandWatchlists;
  readonly imports: Pick<PendingImports, 'keep' | 'read'>;
  readonly kinds: readonly { readonly id: string; readonly summary: string }[];
  readonly catalogue: Catalogue;
  readonly links: MakeLinks;
  readonly firstChecks: FirstCheckRunner;
  readonly why: Why;
  readonly history: History;
  /** Returns what the last checks found, for the targets of all chats. Makes no request. */
  readonly lastChecks: () => readonly Pick<CheckRecord, 'feed' | 'subject' | 'dates' | 'measurements'>[];
  readonly refreshes: Refreshes;
  readonly screens: ScreenState;
  readonly backtests: Backtests;
  readonly fireDrills: FireDrills;
  readonly privacy: Privacy;
  readonly samples: Samples;
  readonly sources: Pick<Sources, 'read'>;
  readonly digests: DigestAnswers;
  readonly feeds: FeedAddresses;
  readonly probe: () => Promise<Probe>;
  readonly platformHints: (chat: Address) => readonly string[];
  /** Links that add the bot to other chats of this person. */
  readonly inviteLinks: (chat: Address) => readonly Link[];
  readonly placeWord: (chat: Address) => string;
  /** "this channel" or similar, or the name of the other channel that the question concerns. */
  readonly place: string;
  /** The question concerns a channel other than the one in which it was asked. */
  readonly isElsewhere: boolean;
  /** Resolves with another chat for questions from here. Rejects with a `UserError` if the asker does not manage it now or may not ask. */
  readonly otherChat: (channel: string) => Promise<ManagedChat & { readonly chat: Address; readonly probe: Probe }>;
  readonly status: () => Promise<Status>;
}
