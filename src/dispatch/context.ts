/** What a command may use. It knows no platform and no store; a job is reached only through the ports named here. */
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

/** What `/status` says, gathered by app. */
export interface Status {
  readonly service: ServiceState & { readonly name: string };
  readonly platforms: readonly { readonly name: string; readonly ok: boolean; readonly says: string; readonly problem?: string }[];
  /** Slugs of PROJECTS that are in no list of the service. */
  readonly unknownProjects?: readonly string[];
  /** `says` names the path and is for operators; `problem` says to everybody what is wrong and what to do. */
  readonly store: { readonly ok: true; readonly says: string } | { readonly ok: false; readonly says: string; readonly problem: string };
  /** Log lines that could not be written. */
  readonly log: DroppedLines;
  readonly feeds: PanelState['feeds'];
  /** Gaps and unreadable rows, one sentence each. */
  readonly gaps: readonly string[];
  readonly watching: { readonly projects: number; readonly wallets?: number; readonly chats: number };
  /** Over the last day. */
  readonly deliveries: PanelState['deliveries'];
  /** How the month's requests are planned; each pair is the shortest and longest interval, in milliseconds. */
  readonly plan?: {
    /** Whether a monthly limit governs. */
    readonly limited: boolean;
    /** How many times longer the longest interval had to become than it should be. */
    readonly stretch: number;
    readonly lists?: readonly [number, number] | undefined;
    readonly refreshes?: readonly [number, number] | undefined;
  };
  /** Checks that wait for their turn for long, and since when the longest does: those that ran before, and those that never did. */
  readonly overdue?: { readonly late: Waiting | undefined; readonly first: Waiting | undefined };
  readonly runningSince: Instant;
}

/** The first looks at what is newly watched, made before `/watch` answers. */
export interface FirstCheckRunner {
  /**
   * Checks everything that this chat's entry for the target needs and that never ran, for at most `patience` milliseconds; what is not done then
   * goes on in the background. Never rejects.
   */
  make(
    target: Target,
    how: { readonly chat: Address; readonly patience: number },
  ): Promise<{ readonly done: number; readonly pending: number; readonly failed: number }>;
}

/** Making snapshots of wallets anew. */
export interface Refreshes {
  /** How old the snapshot of a watched wallet may get, in milliseconds. */
  readonly maxAge: number;
  /** Requests that a refresh of this wallet usually takes. */
  cost?(wallet: WalletAddress): number;
  /** What is known without asking. */
  standing(wallet: WalletAddress): RefreshStanding;
  /**
   * Asks for a refresh, of one token where it is given by its mint, and waits at most so many milliseconds for its end; it goes on without
   * those who left. Rejects with an `AnalyticsError` when the service cannot be asked.
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
  /** Whether the asker runs the bot. */
  readonly operator: boolean;
  /** Shows an interim reply where the answer will stand; absent where the platform cannot. Never rejects. */
  readonly progress?: (reply: Reply) => Promise<void>;
  /** Files that came with the question, oldest first; reading one may reject with an `UnreadableFile`, which becomes its sentence. */
  readonly files: readonly SentFile[];
  readonly now: Instant;
  readonly signal?: AbortSignal;
  readonly analytics: Analytics;
  readonly directory: Directory;
  readonly watchlists: Watchlists;
  /** The lists that were shown and wait for the button that takes them over. */
  readonly imports: Pick<PendingImports, 'keep' | 'read'>;
  /** The alert kinds there are, in the order they are shown. */
  readonly kinds: readonly { readonly id: string; readonly summary: string }[];
  readonly catalogue: Catalogue;
  readonly firstChecks: FirstCheckRunner;
  readonly why: Why;
  /** What this chat was told. */
  readonly history: History;
  readonly refreshes: Refreshes;
  readonly privacy: Privacy;
  readonly samples: Samples;
  /** Whether alerts could be posted in this chat. */
  readonly probe: () => Promise<Probe>;
  /** What the platform of a chat adds to the greeting. */
  readonly platformHints: (chat: Address) => readonly string[];
  readonly status: () => Promise<Status>;
}
