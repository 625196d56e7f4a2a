/** The `postgres://` engine, shared by processes (docs/decisions/0031-shared-engines.md). Only `get` goes through Keyv, over our own pool: Keyv's ends the process when the server restarts. */
import * as sql from './postgres-sql.js';
import { KeyvPostgres } from '@keyv/postgres';
import { Keyv } from 'keyv';
import PQueue from 'p-queue';
import pg, { type Pool, type PoolClient } from 'pg';
import { z } from 'zod';
import { plainTexts, type Backend, type KeyRange, type StoredText, FORMAT } from './backend.js';
import { postgresFailure } from './postgres-errors.js';
import {
  moved,
  newer,
  openServerClock,
  placeOf,
  serverUrl,
  type BatchResult,
  type LeaseGrant,
  type LeaseRequest,
  type ServerBatch,
  type ServerClock,
  type ServerEngine,
  DEFAULT_SERVER_WAIT_MS,
  openPatience,
  type ServerOptions,
} from './server-engine.js';
import { openServerBackend } from './server-backend.js';
import { StoreError, type CounterLimit, type CounterRate, type LeaseHolder, type ServerFacts } from './store.js';
import { CREATE, INSERT_MARK, MARK, START_LOCK, SURVEY } from './postgres-sql.js';

/** The number of connections for reads, and for counters and the lease. Each kind of writers has one more. */
const MAX_READS = 3;
const MAX_COUNTERS = 2;
const MAX_CONNECTIONS = MAX_READS + MAX_COUNTERS + 3;

/** The value is in milliseconds. Reading a whole collection takes longer than a document. */
const CONNECT_MS = 2_000;
const RANGE_MS = 60_000;
/** How long a statement waits for a lock, in milliseconds: less than a write waits. */
const LOCK_MS = 3_000;
/** How much longer we wait for the server's answer that a write was too late, in milliseconds. */
const ANSWER_MS = 500;

/** Opens the engine. Rejects with a `StoreError`. */
export async function openPostgres(rest: string, { serverWaitMs = DEFAULT_SERVER_WAIT_MS, onTime }: ServerOptions = {}): Promise<Backend> {
  const url = serverUrl('postgres', rest);
  const place = placeOf(url);
  const pool = new pg.Pool({
    connectionString: String(url),
    application_name: 'navwatch',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    lock_timeout: LOCK_MS,
    statement_timeout: RANGE_MS,
    idle_in_transaction_session_timeout: DEFAULT_SERVER_WAIT_MS,
  });
  // A broken idle connection is replaced at the next query. Without this listener its error would end the process.
  pool.on('error', () => {});
  const ask = async (text: string, values: readonly unknown[], withinMs = serverWaitMs): Promise<unknown[]> => {
    try {
      // The client closes the connection at this timeout.
      const query = { text, values: [...values], query_timeout: withinMs + ANSWER_MS };
      return (await pool.query<object>(query)).rows;
    } catch (error) {
      throw postgresFailure(place, error);
    }
  };

  const patiently = openPatience(serverWaitMs);
  const clock = openServerClock(onTime);
  let id: string;
  try {
    id = await patiently(async () => claimPostgres(pool, place));
    await timed(clock, async () => moments.parse(await ask(sql.CLOCK, []))[0]);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return openServerBackend(new PostgresEngine({ id, place, pool, ask, clock }), patiently);
}

interface Session {
  readonly id: string;
  readonly place: string;
  readonly pool: pg.Pool;
  readonly ask: (text: string, values: readonly unknown[], withinMs?: number) => Promise<unknown[]>;
  readonly clock: ServerClock;
}

class PostgresEngine implements ServerEngine {
  readonly place: string;
  readonly #session: Session;
  readonly #keyv: Keyv<string>;
  readonly #reads = new PQueue({ concurrency: MAX_READS });
  readonly #counters = new PQueue({ concurrency: MAX_COUNTERS });

  constructor(session: Session) {
    this.place = session.place;
    this.#session = session;
    this.#keyv = openKeyv(session);
  }

  async get(key: string): Promise<string | undefined> {
    return this.#reads.add(async () => this.#keyv.get(key));
  }

  async range({ from, to, after, limit }: KeyRange): Promise<readonly StoredText[]> {
    return this.#reads.add(async (): Promise<StoredText[]> => {
      const query = after === undefined ? sql.RANGE_FROM : sql.RANGE_AFTER;
      const found = await this.#session.ask(query, [after ?? from, to, limit ?? null], RANGE_MS);
      return documents.parse(found).map(({ key, value }) => [key, value]);
    });
  }

  async write({ lease, writes, withinMs }: ServerBatch): Promise<BatchResult> {
    const { id, ask, clock } = this.#session;
    const row = await timed(clock, async () => {
      const [found] = verdicts.parse(
        await ask(
          lease === undefined ? sql.WRITE_ANY : sql.WRITE_ACTIVE,
          [
            id,
            lease?.owner ?? null,
            lease?.epoch ?? null,
            clock.atServer(performance.now() + withinMs),
            writes.map(({ key }) => key),
            writes.map(({ text }) => text ?? null),
            writes.map(({ ifAbsent = false }) => ifAbsent),
          ],
          withinMs,
        ),
      );
      return found;
    });
    if (row?.same !== true) return { kind: 'moved' };
    if (!row.held) return { kind: 'superseded' };
    if (!row.timely) return { kind: 'late' };
    const added = new Set(row.added);
    const kept = writes.filter(({ key, ifAbsent }) => ifAbsent === true && !added.has(key));
    return { kind: 'written', kept: new Set(kept.map(({ key }) => key)) };
  }

  async acquire({ owner, holder, ttlMs }: LeaseRequest): Promise<LeaseGrant | undefined> {
    const { id, ask } = this.#session;
    const request = async (): Promise<LeaseGrant | undefined> =>
      grants.parse(await ask(sql.ACQUIRE, [id, owner, holder, ttlMs, FORMAT]))[0];
    const grant = await request().catch(async (error: unknown) => {
      if (!(error instanceof StoreError) || error.trouble !== 'locked') throw error;
      await ask(sql.END_STUCK, []);
      return request();
    });
    if (grant !== undefined) return grant;
    const [mark] = z.array(markSchema).parse(await ask(sql.MARK, []));
    if (mark?.id !== id) throw moved(this.place);
    if (mark.format > FORMAT) throw newer(this.place, mark.format);
    return undefined;
  }

  async release(owner: string): Promise<void> {
    await this.#session.ask(sql.RELEASE, [this.#session.id, owner]);
  }

  async holder(): Promise<LeaseHolder | undefined> {
    const [found] = holders.parse(await this.#session.ask(sql.HOLDER, []));
    return found && { holder: found.holder, epoch: found.epoch, remainingMs: found.remaining };
  }

  async take(counter: string, { intervalMs, burst }: CounterRate): Promise<number> {
    return this.#counters.add(async () => waits.parse(await this.#session.ask(sql.TAKE, [`rate/${counter}`, intervalMs, burst]))[0].wait);
  }

  async add(counter: string, amount: number, { limit, ttlMs }: CounterLimit): Promise<number | undefined> {
    return this.#counters.add(async () => sums.parse(await this.#session.ask(sql.ADD, [`sum/${counter}`, amount, limit, ttlMs]))[0]?.value);
  }

  async tidy(): Promise<void> {
    await this.#session.ask(sql.TIDY, []);
  }

  async inspect(): Promise<ServerFacts> {
    return factsFrom(await this.#session.ask(sql.SURVEY, []));
  }

  async close(): Promise<void> {
    await this.#session.pool.end();
  }
}

/** Opens Keyv over our own pool. */
function openKeyv({ pool, ask }: Session): Keyv<string> {
  /** `connect` must be a method and not a field, because Keyv's constructor calls it. */
  class OwnPool extends KeyvPostgres {
    override async connect() {
      return async (text: string, values: unknown[] = []) => ask(text, values);
    }
    override async disconnect() {
      await pool.end();
    }
  }
  const adapter = new OwnPool({ schema: 'navwatch', table: 'documents' });
  // Keyv emits an error if it cannot create the table, which exists already. Queries reject by themselves.
  adapter.on('error', () => {});
  return new Keyv<string>({ ...plainTexts, store: adapter });
}

/** Runs a query and adjusts the server clock from its reply. */
async function timed<Reply extends { readonly now: number } | undefined>(clock: ServerClock, ask: () => Promise<Reply>): Promise<Reply> {
  const sentAt = performance.now();
  const reply = await ask();
  if (reply !== undefined) clock.observe({ sentAt, receivedAt: performance.now(), serverMs: reply.now });
  return reply;
}

const documents = z.array(z.object({ key: z.string(), value: z.string() }));
const verdicts = z.array(
  z.object({ same: z.boolean(), held: z.boolean(), timely: z.boolean(), now: z.coerce.number(), added: z.array(z.string()) }),
);
const moments = z.tuple([z.object({ now: z.coerce.number() })]);
const markSchema = z.object({ id: z.string(), format: z.int() });
const grants = z.array(z.object({ epoch: z.number() }));
const holders = z.array(z.object({ holder: z.string(), epoch: z.number(), remaining: z.coerce.number() }));
const waits = z.tuple([z.object({ wait: z.coerce.number() })]);
const sums = z.array(z.object({ value: z.number() }));

const surveys = z.tuple([
  z.object({
    tables: z.int(),
    marked: z.boolean(),
    encoding: z.string(),
    fsync: z.string(),
    commit: z.string(),
    version: z.string(),
    readonly: z.boolean(),
  }),
]);

type Survey = z.output<typeof surveys>[0];

/** Creates the tables, and refuses a server or a database that would lose data. Resolves with the database's id. Rejects with a `StoreError`. */
async function claimPostgres(pool: Pool, place: string): Promise<string> {
  let client: PoolClient | undefined;
  try {
    client = await pool.connect();
    await client.query('BEGIN');
    await client.query(START_LOCK);
    const survey = surveyFrom((await client.query(SURVEY)).rows);
    const refusal = refusalOf(survey, place);
    if (refusal !== undefined) throw refusal;
    if (!survey.marked) {
      await client.query(CREATE);
      await client.query(INSERT_MARK, [FORMAT]);
    }
    const [{ id, format }] = z.tuple([markSchema]).parse((await client.query(MARK)).rows);
    if (format > FORMAT) throw newer(place, format);
    await client.query('COMMIT');
    client.release();
    return id;
  } catch (error) {
    // Closes the connection, which rolls back the transaction.
    client?.release(true);
    throw postgresFailure(place, error);
  }
}

const surveyFrom = (rows: unknown): Survey => surveys.parse(rows)[0];

function factsFrom(rows: unknown): ServerFacts {
  const { version, fsync, commit } = surveyFrom(rows);
  return { version: `PostgreSQL ${version}`, durability: `fsync ${fsync}, synchronous_commit ${commit}` };
}

function refusalOf({ tables, marked, encoding, fsync, commit, readonly }: Survey, place: string): StoreError | undefined {
  if (readonly) {
    return new StoreError(
      'read-only',
      `store: PostgreSQL at ${place} is read-only, perhaps a replica; name the primary server in STORE_URL`,
    );
  }
  if (encoding !== 'UTF8') {
    return new StoreError('failed', `store: the database ${place} has the encoding ${encoding}; create one with the encoding UTF8`);
  }
  if (fsync === 'off' || commit === 'off') {
    const setting = fsync === 'off' ? 'fsync' : 'synchronous_commit';
    return new StoreError(
      'failed',
      `store: PostgreSQL at ${place} runs with ${setting} = off, so alerts would be lost or repeated after a crash; set ${setting} = on (ALTER SYSTEM, ALTER DATABASE or ALTER ROLE), reload it, then start again`,
    );
  }
  if (tables > 0 && !marked) {
    return new StoreError(
      'unreadable',
      `store: the schema navwatch in ${place} belongs to another program; name another database in STORE_URL`,
    );
  }
  return undefined;
}
