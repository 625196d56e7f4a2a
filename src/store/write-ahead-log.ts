/** How SQLite keeps what was written last: https://sqlite.org/wal.html */

/**
 * A commit is on disk before it is acknowledged. A log that is created under the exclusive lock has its index in memory, not in a `-shm` file,
 * whose pages would be written too: https://sqlite.org/wal.html#use_of_wal_without_shared_memory
 */
export const WAL_MODE = ['PRAGMA journal_mode = DELETE', 'PRAGMA journal_mode = WAL', 'PRAGMA synchronous = FULL'] as const;

/** Leaves the `-wal` file empty: https://sqlite.org/pragma.html#pragma_wal_checkpoint */
export const WAL_CHECKPOINT = 'PRAGMA wal_checkpoint(TRUNCATE)';
