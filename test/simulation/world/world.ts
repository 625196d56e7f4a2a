/** What happens in one simulation. Everything has an identity that can be read in a text: its amount, its title, its price. */

/** A row of a ledger; no two rows of a world have the same amount. */
export interface LedgerRow {
  readonly ledger: 'supply' | 'movements';
  readonly project: string;
  readonly amount: number;
  readonly direction: 'in' | 'out';
  readonly usd: number;
  /** Of a movement; `unknown` is not shown. By default it is USDC. */
  readonly token?: string;
  /** When it happened, and when the service begins to show it. */
  readonly at: number;
  readonly shownAt: number;
  /** From `at` on the service dates it otherwise, or lists it no more. */
  readonly restated?: { readonly at: number; readonly to: number | 'removed' };
}

/** A proposal; the title is different for each. Its edge rises every few seconds, and it ends with its result. */
export interface Market {
  readonly project: string;
  readonly title: string;
  readonly createdAt: number;
  readonly liveAt: number;
  readonly endsAt: number;
  readonly result: 'passed' | 'failed';
  /** It goes from passing to failing, or back, at these moments. Without them its margin only rises. */
  readonly flipsAt?: readonly number[];
  /** Until `at` the service shows another end. */
  readonly moved?: { readonly at: number; readonly from: number };
  /** Its public key, where a chat names it alone. */
  readonly key?: string;
  readonly trades?: readonly Trade[];
}

/** A single trade of a market; no two of a market are worth the same. */
export interface Trade {
  readonly usd: number;
  /** When it was made, and when the service begins to list it. */
  readonly at: number;
  readonly shownAt: number;
}

/** What a project is worth from then on. Where one crosses a threshold it differs from every other. */
export interface Value {
  readonly project: string;
  readonly at: number;
  readonly price: string;
  readonly navPerShare: string;
  readonly runway: string;
}

/** What a wallet holds from then on; the service shows it once a refresh has completed. */
export interface Holding {
  readonly wallet: string;
  readonly project: string;
  readonly at: number;
  readonly balance: number;
}

/** A launch; the title is different for each. What is committed grows until its end; without `minimumAt` it never reaches its minimum. */
export interface Launch {
  readonly project: string;
  readonly title: string;
  readonly createdAt: number;
  readonly liveAt: number;
  readonly minimumAt?: number;
  readonly endsAt: number;
  readonly result: 'complete' | 'refunding';
  /** Its final amount, in percent of the minimum. */
  readonly restated?: Restated;
  /** Its address, where a chat names it alone. */
  readonly key?: string;
}

/** What the service says from `at` on. */
export interface Restated {
  readonly at: number;
  readonly to: number;
}

/** A metric's value of one day from `at` on, and what it is restated to, one after the other; no two values of a world are the same. */
export interface GrowthDay {
  readonly project: string;
  readonly metric: string;
  /** "2026-11-19". */
  readonly day: string;
  readonly at: number;
  readonly value: number;
  readonly restated: readonly Restated[];
}

/** A tranche of a team is locked until `at`, which is after its cliff, and `state` from then on. */
export interface Tranche {
  readonly project: string;
  /** 0 unlocks first. */
  readonly order: number;
  readonly cliffAt: number;
  readonly at: number;
  readonly state: 'cliff-twap-pending' | 'unlocked';
}

/** What a treasury is worth from then on, in dollars; each is different. */
export interface Nav {
  readonly project: string;
  readonly at: number;
  readonly dollars: number;
}

/** What a list shows of a project, or of all of them, instead of the truth. */
interface Misleading {
  readonly list: 'projects' | 'markets';
  /** Default: all. */
  readonly project?: string;
  readonly from: number;
  readonly to: number;
}

/**
 * A list is refused, omits projects, shows what was true before (dated so, or as of now), shows zeros, claims another price, or knows of mints and burns
 * before the ledger shows them.
 */
export type ListTrouble = Misleading &
  (
    | { readonly how: '404' | '503' | 'omits' | 'frozen' | 'zeros' | 'at NAV' | 'below NAV' | 'ahead' }
    /** In ms. */
    | { readonly how: 'lags'; readonly by: number }
  );

export interface World {
  readonly projects: readonly string[];
  readonly rows: readonly LedgerRow[];
  readonly markets: readonly Market[];
  readonly values: readonly Value[];
  readonly holdings: readonly Holding[];
  readonly launches: readonly Launch[];
  readonly growth: readonly GrowthDay[];
  readonly tranches: readonly Tranche[];
  readonly navs: readonly Nav[];
  /** Of the global lists. Default: they show the truth. */
  readonly troubles?: readonly ListTrouble[];
}
