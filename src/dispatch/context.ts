/** Lists what a command can use: ports only, no platform and no store. */
import type { Analytics, ServiceState } from '../analytics/analytics.js';
import type { CheckRecord } from '../alerts/checks/check-records.js';
import type { Directory } from '../analytics/directory.js';
import type { BacktestAnswer, BacktestOrder } from '../alerts/backtest/backtest.js';
import type { FireDrills } from '../alerts/backtest/fire-drill.js';
import type { History } from '../alerts/explanation/history.js';
import type { PendingImports } from '../alerts/watchlist/pending-imports.js';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
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
  /** Slugs of PROJECTS that are in no list of the service, with the nearest that are. */
  readonly unknownProjects?: readonly string[];
  /** `says` is for operators, `problem` for everybody. */
  readonly store: { readonly ok: true; readonly says: string } | { readonly ok: false; readonly says: string; readonly problem: string };
  readonly log: DroppedLines;
  readonly feeds: PanelState['feeds'];
  readonly gaps: readonly string[];
  readonly watching: { readonly projects: number; readonly wallets?: number; readonly chats: number };
  /** The alerts of the last 24 hours. */
  readonly deliveries: PanelState['deliveries'];
  readonly plan?: {
    readonly limited: boolean;
    /** The longest interval divided by its target. */
    readonly stretch: number;
    /** These are the shortest and the longest interval, in milliseconds. */
    readonly refreshes?: readonly [number, number] | undefined;
  };
  /** Lists that are read once for all projects. */
  readonly lists?: readonly {
    readonly list: string;
    readonly at: Instant | undefined;
    /** It is in milliseconds. */
    readonly every: number | undefined;
    readonly isFailing: boolean;
    /** This is how far it is believed for the least and the most trusted kind, and undefined where it is believed for none. */
    readonly trust: readonly [number, number] | undefined;
    /** Projects that it leaves out or was wrong about. */
    readonly uncovered: readonly string[];
  }[];
  readonly overdue?: { readonly late: Waiting | undefined; readonly first: Waiting | undefined };
  /** Alerts of these chats wait much longer than planned, the oldest of them since `since`. */
  readonly lateChats?: { readonly chats: number; readonly since: Instant } | undefined;
  /** The machine's clock jumped and is not followed. */
  readonly clockDoubt?: ClockDoubt | undefined;
  readonly runningSince: Instant;
}

export interface FirstCheckCounts {
  readonly done: number;
  readonly pending: number;
  readonly failed: number;
  /** The pending ones are probably done in so many milliseconds. It is absent where that is unknown. */
  readonly readyIn?: number | undefined;
  /** The pending ones wait for the API budget. */
  readonly isDeferred?: true | undefined;
}

export interface FirstCheckRunner {
  /** Takes at most `patience` milliseconds and never rejects. */
  make(target: Target, how: { readonly chat: Address; readonly patience: number }): Promise<FirstCheckCounts>;
  /** It is undefined without a monthly limit. */
  expectedDelays(targets: readonly Target[]): readonly ExpectedDelay[] | undefined;
  /** It returns within how many milliseconds a change of the kind is seen, and undefined where nothing of it is checked yet. */
  checkedWithin(target: Target, kind: string): number | undefined;
}

export interface DigestAnswers {
  /** Composes what changed since the last digest. */
  preview(chat: Address, record?: Recorder['add']): Promise<Reply>;
  /** `next` may be overdue during a mute. */
  state(chat: Address): { readonly next?: DigestPeriod | undefined; readonly last?: LastDigest | undefined };
}

export interface Refreshes {
  /** It is in milliseconds. */
  readonly maxAge: number;
  /** The cost is in requests. */
  cost?(wallet: WalletAddress): number;
  /** Makes no request. */
  standing(wallet: WalletAddress): RefreshStanding;
  /** Waits at most `patience` milliseconds; the refresh continues after that. Rejects with an `AnalyticsError`. */
  refresh(order: {
    readonly address: WalletAddress;
    readonly token?: string | undefined;
    /** It has the priority and the pauses of a check. */
    readonly automatic?: boolean | undefined;
    readonly patience: number;
    readonly progress?: ((progress: RefreshProgress) => void) | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<RefreshEnd>;
}

/** Saved screens, by what checks have read. */
export interface ScreenState {
  /** Names the projects that are in a screen, and counts those that no check has read. It makes no request. */
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
  /** It is absent on platforms that cannot edit, and never rejects. */
  readonly progress?: (reply: Reply) => Promise<void>;
  /**
   * Lets the asker's later questions begin, and perhaps be answered first. It is meant for waits of many seconds that write nothing they
   * depend on.
   */
  readonly endTurn: () => void;
  /** The oldest file is first. Reading one may reject with an `UnreadableFile`. */
  readonly files: readonly SentFile[];
  readonly now: Instant;
  /** The IANA timezone of the chat, for times within texts; UTC if it is undefined. The renderer shows the moments of a line in it. */
  readonly zone: string | undefined;
  readonly signal?: AbortSignal;
  readonly analytics: Analytics;
  readonly directory: Directory;
  readonly watchlists: Watchlists;
  readonly imports: Pick<PendingImports, 'keep' | 'read'>;
  readonly kinds: readonly { readonly id: string; readonly summary: string }[];
  readonly catalogue: Catalogue;
  readonly links: MakeLinks;
  readonly firstChecks: FirstCheckRunner;
  readonly why: Why;
  readonly history: History;
  /** What checks found to be ahead, also for chats other than this one. It makes no request. */
  readonly knownDates: () => readonly Pick<CheckRecord, 'feed' | 'dates'>[];
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
  /** It reads like "this channel", or is the name of the other channel that the question concerns. */
  readonly place: string;
  /** The question concerns a channel other than the one in which it was asked. */
  readonly isElsewhere: boolean;
  /** Checks that the asker manages another chat now and may ask about it, and lets them ask from here. Rejects with a `UserError`. */
  readonly otherChat: (channel: string) => Promise<ManagedChat & { readonly chat: Address; readonly probe: Probe }>;
  readonly status: () => Promise<Status>;
}
