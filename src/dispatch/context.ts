/** What a command can use. It contains no platform and no store; a job is reached through the ports defined here. */
import type { Analytics, ServiceState } from '../analytics/analytics.js';
import type { Directory } from '../analytics/directory.js';
import type { History } from '../alerts/explanation/history.js';
import type { PendingImports } from '../alerts/watchlist/pending-imports.js';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
import type { Why } from '../alerts/explanation/explain.js';
import type { Target } from '../alerts/watchlist/entry.js';
import type { Samples } from '../alerts/delivery/sample.js';
import type { DroppedLines } from '../base/lines.js';
import type { Address } from '../chat/address.js';
import type { Catalogue } from '../chat/catalogue.js';
import type { Probe } from '../chat/notifier.js';
import type { Person, SentFile } from '../chat/inbound.js';
import type { Privacy } from '../chat/privacy.js';
import type { Reply } from '../chat/reply.js';
import type { PanelState } from '../chat/panel.js';
import type { RefreshEnd, RefreshProgress, RefreshStanding } from '../domain/refresh.js';
import type { Instant } from '../domain/scalars.js';
import type { WalletAddress } from '../domain/wallet.js';

interface Waiting {
  readonly checks: number;
  readonly since: Instant;
}

/** The data of `/status`, collected by app. */
export interface Status {
  readonly service: ServiceState & { readonly name: string };
  readonly platforms: readonly { readonly name: string; readonly ok: boolean; readonly says: string; readonly problem?: string }[];
  /** Slugs of PROJECTS that are in no list of the service. */
  readonly unknownProjects?: readonly string[];
  /** `says` contains the path and is for operators; `problem` is for everybody: what is wrong and what to do. */
  readonly store: { readonly ok: true; readonly says: string } | { readonly ok: false; readonly says: string; readonly problem: string };
  /** Log lines that could not be written. */
  readonly log: DroppedLines;
  readonly feeds: PanelState['feeds'];
  /** Gaps and unreadable rows, one sentence each. */
  readonly gaps: readonly string[];
  readonly watching: { readonly projects: number; readonly wallets?: number; readonly chats: number };
  /** In the last 24 hours. */
  readonly deliveries: PanelState['deliveries'];
  /** The plan of the month's requests. Pairs are the shortest and the longest interval, in milliseconds. */
  readonly plan?: {
    /** Whether there is a monthly limit. */
    readonly limited: boolean;
    /** How many times the longest interval exceeds its target. */
    readonly stretch: number;
    readonly lists?: readonly [number, number] | undefined;
    readonly refreshes?: readonly [number, number] | undefined;
  };
  /** Checks that have waited too long, with the start of the longest wait: those that ran before, and those that never ran. */
  readonly overdue?: { readonly late: Waiting | undefined; readonly first: Waiting | undefined };
  readonly runningSince: Instant;
}

/** Runs the first checks of a new entry before `/watch` replies. */
export interface FirstCheckRunner {
  /**
   * Runs the checks of the target that never ran, for at most `patience` milliseconds; the rest continue in the background. Never rejects.
   */
  make(
    target: Target,
    how: { readonly chat: Address; readonly patience: number },
  ): Promise<{ readonly done: number; readonly pending: number; readonly failed: number }>;
}

/** Refreshes of wallet snapshots. */
export interface Refreshes {
  /** The maximum age of a watched wallet's snapshot, in milliseconds. */
  readonly maxAge: number;
  /** The usual number of requests of one refresh. */
  cost?(wallet: WalletAddress): number;
  /** The known state, without a request. */
  standing(wallet: WalletAddress): RefreshStanding;
  /**
   * Requests a refresh, of one token if its mint is given, and waits at most `patience` milliseconds. The refresh continues after that.
   * Rejects with an `AnalyticsError` when the service cannot be called.
   */
  refresh(order: {
    readonly address: WalletAddress;
    readonly token?: string | undefined;
    readonly patience: number;
    readonly progress?: ((progress: RefreshProgress) => void) | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<RefreshEnd>;
}

export interface Context {
  readonly chat: Address;
  readonly asker: Person;
  /** Whether the asker is an operator. */
  readonly operator: boolean;
  /** Shows an interim reply that the final one replaces; absent on platforms that cannot edit. Never rejects. */
  readonly progress?: (reply: Reply) => Promise<void>;
  /** Files sent with the question, oldest first. Reading one may reject with an `UnreadableFile`. */
  readonly files: readonly SentFile[];
  readonly now: Instant;
  readonly signal?: AbortSignal;
  readonly analytics: Analytics;
  readonly directory: Directory;
  readonly watchlists: Watchlists;
  /** Lists that were previewed and can be imported with a button. */
  readonly imports: Pick<PendingImports, 'keep' | 'read'>;
  /** The alert kinds in display order. */
  readonly kinds: readonly { readonly id: string; readonly summary: string }[];
  readonly catalogue: Catalogue;
  readonly firstChecks: FirstCheckRunner;
  readonly why: Why;
  /** The alerts sent to this chat. */
  readonly history: History;
  readonly refreshes: Refreshes;
  readonly privacy: Privacy;
  readonly samples: Samples;
  /** Whether alerts can be posted in this chat. */
  readonly probe: () => Promise<Probe>;
  /** Sentences that the chat's platform adds to the greeting. */
  readonly platformHints: (chat: Address) => readonly string[];
  readonly status: () => Promise<Status>;
}
