/** The SQL statements of `postgres://`. Each is a transaction by itself. */
import { APPLICATION } from './backend.js';

/** Keys compare by bytes, as in the other engines. */
const KEY = 'text COLLATE "C"';

const NOW = 'extract(epoch FROM clock_timestamp()) * 1000';

/** Creates the tables. The row of `store` is the mark and the lease; writes lock it. */
export const CREATE = `
  CREATE SCHEMA IF NOT EXISTS navwatch;
  CREATE TABLE navwatch.documents (key ${KEY} PRIMARY KEY, value text NOT NULL);
  CREATE TABLE navwatch.counters (name ${KEY} PRIMARY KEY, value double precision NOT NULL, until timestamptz NOT NULL);
  CREATE TABLE navwatch.store (
    application integer PRIMARY KEY CHECK (application = ${APPLICATION}),
    format integer NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    epoch bigint NOT NULL DEFAULT 0,
    owner uuid,
    holder text NOT NULL DEFAULT '',
    until timestamptz NOT NULL DEFAULT '-infinity'
  )`;

export const INSERT_MARK = `INSERT INTO navwatch.store (application, format) VALUES (${APPLICATION}, $1)`;

export const MARK = 'SELECT id, format FROM navwatch.store';

export const CLOCK = `SELECT ${NOW} AS now`;

/** Surveys the schema: `tables` is the number of its tables, and `marked` tells whether the mark's table exists. */
export const SURVEY = `
  SELECT count(c.oid)::int AS tables, coalesce(bool_or(c.relname = 'store'), false) AS marked,
    current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
    current_setting('synchronous_commit') AS commit, current_setting('server_version') AS version, pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS readonly
  FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p')
  WHERE n.nspname = 'navwatch'`;

/** The lock for creating tables, because processes may start at the same moment. */
export const START_LOCK = `SELECT pg_advisory_xact_lock(${APPLICATION})`;

export const RANGE_FROM = 'SELECT key, value FROM navwatch.documents WHERE key >= $1 AND key < $2 ORDER BY key LIMIT $3';
export const RANGE_AFTER = 'SELECT key, value FROM navwatch.documents WHERE key > $1 AND key < $2 ORDER BY key LIMIT $3';

/** Writes a batch. Parameters: id, owner, epoch, deadline, keys, texts, ifAbsent. The row lock orders writes and takeovers, so the epoch that is read is current. */
const write = (held: string, lock: string): string => `
  WITH fence AS MATERIALIZED (
    SELECT id = $1::uuid AS same, ${held} AS held, ${NOW} <= $4::double precision AS timely FROM navwatch.store ${lock}
  ), given AS MATERIALIZED (
    SELECT g.key COLLATE "C" AS key, g.value, g.if_absent
    FROM fence, unnest($5::text[], $6::text[], $7::boolean[]) AS g (key, value, if_absent) WHERE same AND held AND timely
  ), deleted AS (
    DELETE FROM navwatch.documents d USING given g WHERE d.key = g.key AND g.value IS NULL
  ), stored AS (
    INSERT INTO navwatch.documents (key, value) SELECT key, value FROM given WHERE value IS NOT NULL AND NOT if_absent
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
  ), added AS (
    INSERT INTO navwatch.documents (key, value) SELECT key, value FROM given WHERE value IS NOT NULL AND if_absent
    ON CONFLICT (key) DO NOTHING RETURNING key
  )
  SELECT same, held, timely, ${NOW} AS now, ARRAY(SELECT key FROM added) AS added FROM fence`;

export const WRITE_ACTIVE = write('coalesce(owner = $2::uuid, false) AND epoch = $3::bigint', 'FOR SHARE');
export const WRITE_ANY = write('$2::uuid IS NULL AND $3::bigint IS NULL', '');

/** Takes or extends the lease. Parameters: id, owner, holder, ttlMs, the known format. */
export const ACQUIRE = `
  UPDATE navwatch.store SET epoch = CASE WHEN owner = $2::uuid THEN epoch ELSE epoch + 1 END, owner = $2::uuid, holder = $3,
    until = clock_timestamp() + $4::double precision * interval '1 millisecond'
  WHERE id = $1::uuid AND format <= $5::int AND (owner IS NULL OR owner = $2::uuid OR until <= clock_timestamp())
  RETURNING epoch::double precision AS epoch`;

/** Releases the lease. Raises the epoch, so that a write under way cannot be committed later. */
export const RELEASE = `
  UPDATE navwatch.store SET epoch = epoch + 1, owner = NULL, holder = '', until = '-infinity' WHERE id = $1::uuid AND owner = $2::uuid`;

export const HOLDER = `
  SELECT holder, epoch::double precision AS epoch, extract(epoch FROM until - clock_timestamp()) * 1000 AS remaining
  FROM navwatch.store WHERE owner IS NOT NULL AND until > clock_timestamp()`;

/** Terminates sessions that hold a lock on an expired lease, because their process is gone or paused. */
export const END_STUCK = `
  SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid
  WHERE l.relation = 'navwatch.store'::regclass AND l.mode = 'RowShareLock' AND l.granted AND a.pid <> pg_backend_pid()
    AND a.xact_start < clock_timestamp() - interval '2 seconds'
    AND EXISTS (SELECT FROM navwatch.store WHERE until <= clock_timestamp())`;

/** Takes from a rate. Parameters: name, intervalMs, burst. `value` is when the counter is empty again. */
export const TAKE = `
  WITH quick AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)), taken AS (
    INSERT INTO navwatch.counters AS c (name, value, until)
    SELECT $1, ${NOW} + $2::double precision, clock_timestamp() + $2::double precision * interval '1 millisecond' FROM quick
    ON CONFLICT (name) DO UPDATE SET value = greatest(c.value, ${NOW}) + $2::double precision,
      until = to_timestamp((greatest(c.value, ${NOW}) + $2::double precision) / 1000)
    WHERE greatest(c.value, ${NOW}) - ($3::int - 1) * $2::double precision <= ${NOW}
    RETURNING name
  )
  SELECT CASE WHEN EXISTS (SELECT FROM taken) THEN 0
    ELSE greatest(1, (SELECT value FROM navwatch.counters WHERE name = $1) - ($3::int - 1) * $2::double precision - ${NOW}) END AS wait`;

/** Adds to a counter. Parameters: name, amount, limit, ttlMs. */
export const ADD = `
  INSERT INTO navwatch.counters AS c (name, value, until)
  SELECT $1, $2::double precision, clock_timestamp() + $4::double precision * interval '1 millisecond' WHERE $2::double precision <= $3::double precision
  ON CONFLICT (name) DO UPDATE SET value = CASE WHEN c.until <= clock_timestamp() THEN 0 ELSE c.value END + $2::double precision,
    until = CASE WHEN c.until <= clock_timestamp() THEN excluded.until ELSE c.until END
  WHERE CASE WHEN c.until <= clock_timestamp() THEN 0 ELSE c.value END + $2::double precision <= $3::double precision
  RETURNING value`;

export const TIDY = 'DELETE FROM navwatch.counters WHERE until < clock_timestamp()';
