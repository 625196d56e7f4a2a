/** Opens a PostgreSQL database: refuses what would lose data, makes the tables. */
import type { Pool, PoolClient } from 'pg';
import { z } from 'zod';
import { FORMAT } from './format.js';
import { postgresFailure } from './postgres-errors.js';
import { CREATE, INSERT_MARK, MARK, START_LOCK, SURVEY } from './postgres-sql.js';
import { newer } from './server-errors.js';
import { StoreError, type ServerFacts } from './store.js';

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

const marks = z.tuple([z.object({ id: z.string(), format: z.int() })]);

/** The id of the database. Rejects with a `StoreError`. */
export async function claimPostgres(pool: Pool, place: string): Promise<string> {
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
    const [{ id, format }] = marks.parse((await client.query(MARK)).rows);
    if (format > FORMAT) throw newer(place, format);
    await client.query('COMMIT');
    client.release();
    return id;
  } catch (error) {
    // Ends the connection, and the transaction with it.
    client?.release(true);
    throw postgresFailure(place, error);
  }
}

const surveyFrom = (rows: unknown): Survey => surveys.parse(rows)[0];

export function factsFrom(rows: unknown): ServerFacts {
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
