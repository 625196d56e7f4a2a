/** How SQLite keeps what was written last: https://sqlite.org/wal.html */

/** A commit is on disk before it is acknowledged. */
export const WAL_MODE = ['PRAGMA journal_mode = WAL', 'PRAGMA synchronous = FULL'] as const;

/** Leaves the `-wal` file empty: https://sqlite.org/pragma.html#pragma_wal_checkpoint */
export const WAL_CHECKPOINT = 'PRAGMA wal_checkpoint(TRUNCATE)';
