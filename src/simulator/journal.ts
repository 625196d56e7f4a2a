/** Keeps injected facts and active faults, in append-only documents of 100. */
import { z } from 'zod';
import { lanes } from '../base/lanes.js';
import type { Collection, Store } from '../store/store.js';
import { standingSchema, type ActiveFault } from './faults.js';
import { ServiceRefusal } from './error-response.js';
import { factSchema, type Fact } from './world/injected-facts.js';
import { kept, refreshJobSchema, type RefreshJob } from './world/wallets.js';

export interface Journal {
  readonly facts: () => readonly Fact[];
  readonly faults: () => readonly ActiveFault[];
  /** Resolves when the facts are durable. Refuses with 409 if the journal is full. */
  add(make: (before: readonly Fact[]) => readonly Fact[]): Promise<readonly Fact[]>;
  readonly refreshes: () => readonly RefreshJob[];
  /** Adds a refresh. Serialised per wallet, so that only one job is accepted. */
  addRefresh(wallet: string, make: () => RefreshJob | undefined): Promise<void>;
  /** Sets the faults; with `lasting` also in the store. */
  setFaults(faults: readonly ActiveFault[], lasting: boolean): Promise<void>;
}

export const MAX_FACTS = 5_000;
const FACTS_IN_SHARD = 100;
const FAULTS = 'faults';

const documentSchema = z.object({
  facts: z.array(factSchema).max(FACTS_IN_SHARD),
  faults: z.array(standingSchema),
  refreshes: z.array(refreshJobSchema).optional(),
});
type Document = z.output<typeof documentSchema>;

const shardKey = (shard: number): string => `facts/${String(shard).padStart(6, '0')}`;

interface Keep {
  refreshes(wallet: string, refreshes: readonly RefreshJob[]): Promise<void>;
  shard(index: number, facts: readonly Fact[]): Promise<void>;
  faults(faults: readonly ActiveFault[]): Promise<void>;
}

interface Begin {
  readonly facts: readonly Fact[];
  readonly faults: readonly ActiveFault[];
  readonly refreshes: readonly RefreshJob[];
}

function journalOver(keep: Keep, begin: Begin): Journal {
  const lane = lanes();
  let { facts, faults, refreshes } = begin;
  return {
    refreshes: () => refreshes,
    addRefresh: async (wallet, make) =>
      lane.run('refreshes', async () => {
        const job = make();
        if (job === undefined) return;
        const own = kept([...refreshes.filter((one) => one.wallet === wallet), job]);
        await keep.refreshes(wallet, own);
        refreshes = [...refreshes.filter((one) => one.wallet !== wallet), ...own];
      }),
    facts: () => facts,
    faults: () => faults,
    add: async (make) =>
      lane.run('facts', async () => {
        const added = make(facts);
        const all = [...facts, ...added];
        if (all.length > MAX_FACTS) {
          throw new ServiceRefusal(
            409,
            `the journal holds ${facts.length} of ${MAX_FACTS} facts and takes no ${added.length} more; start the simulator with another store or seed`,
          );
        }
        for (let shard = Math.floor(facts.length / FACTS_IN_SHARD); shard * FACTS_IN_SHARD < all.length; shard += 1) {
          await keep.shard(shard, all.slice(shard * FACTS_IN_SHARD, (shard + 1) * FACTS_IN_SHARD));
        }
        facts = all;
        return added;
      }),
    async setFaults(next, lasting) {
      faults = next;
      // Read inside the lane, so that an older list never overwrites a newer one.
      if (lasting) await lane.run(FAULTS, async () => keep.faults(faults));
    },
  };
}

export const memoryJournal = (): Journal =>
  journalOver({ shard: async () => {}, faults: async () => {}, refreshes: async () => {} }, { facts: [], faults: [], refreshes: [] });

/** Reads a stored journal. Rejects if a part is unreadable, because the world would differ. */
export async function storedJournal(store: Store): Promise<Journal> {
  const documents: Collection<Document> = store.collection({ prefix: 'journal', schema: documentSchema, version: 1 });
  const { found, unreadable } = await documents.list();
  const [bad] = unreadable;
  if (bad)
    throw new Error(
      `simulator: its journal cannot be read (${bad.key}: ${bad.because}); restore a backup, or start with another STORE_URL`,
    );
  return journalOver(
    {
      shard: async (index, facts) => documents.set(shardKey(index), { facts: [...facts], faults: [] }),
      faults: async (faults) => documents.set(FAULTS, { facts: [], faults: [...faults] }),
      refreshes: async (wallet, refreshes) => documents.set(`refreshes/${wallet}`, { facts: [], faults: [], refreshes: [...refreshes] }),
    },
    {
      refreshes: found.flatMap(([, document]) => document.refreshes ?? []),
      facts: found.flatMap(([, document]) => document.facts),
      faults: found.flatMap(([, document]) => document.faults),
    },
  );
}
