/** Explains PostgreSQL errors with a remedy. https://www.postgresql.org/docs/15/errcodes-appendix.html */
import { z } from 'zod';
import { moved } from './server-engine.js';
import { StoreError, type StoreTrouble } from './store.js';

type Explain = readonly [trouble: StoreTrouble, sentence: (place: string, why: string) => string];

const away: Explain = [
  'unreachable',
  (place, why) => `PostgreSQL at ${place} cannot be reached (${why}); start it, or correct the host and port in STORE_URL`,
];
const denied: Explain = [
  'denied',
  (place, why) => `PostgreSQL at ${place} refuses this user or password (${why}); correct them in STORE_URL, or see its pg_hba.conf`,
];
const busy: Explain = [
  'locked',
  (place, why) => `PostgreSQL at ${place} could not get a lock in time (${why}); end the other sessions that hold it`,
];
const damaged: Explain = ['unreadable', (place, why) => `the database ${place} is damaged (${why}); restore a backup`];

/** Explanations by code, or by its class of two characters. */
const explained: Readonly<Record<string, Explain>> = {
  '08': away,
  '57P01': away,
  '57P02': away,
  '57P03': away,
  '57014': ['unreachable', (place) => `PostgreSQL at ${place} did not answer in time; see its log and its load`],
  '53300': [
    'unreachable',
    (place) => `PostgreSQL at ${place} has no connection left; raise its max_connections, or end other programs (Navwatch uses up to 8)`,
  ],
  '28': denied,
  '42501': [
    'denied',
    (place) => `PostgreSQL at ${place} does not let this user create or write the tables of Navwatch; make it the owner of the database`,
  ],
  '3D000': ['failed', (place) => `PostgreSQL at ${place} has no such database; create it (createdb), or correct its name in STORE_URL`],
  '53100': ['full', (place) => `no room is left for ${place}; free some space on the disk of PostgreSQL (what was stored before is safe)`],
  '25006': ['read-only', (place) => `PostgreSQL at ${place} is read-only, perhaps a replica; name the primary server in STORE_URL`],
  '40': busy,
  '55P03': busy,
  XX001: damaged,
  XX002: damaged,
};

const coded = z.object({ code: z.string() });

/** Five characters, https://www.postgresql.org/docs/15/protocol-error-fields.html */
const SQLSTATE = /^[0-9A-Z]{5}$/u;

/** The codes if tables or the schema no longer exist. */
const GONE: ReadonlySet<string> = new Set(['42P01', '3F000', '42703']);

/** Finds the explanation. Errors of Node and of the client have no SQLSTATE. */
function explanationOf(code: string | undefined, message: string): Explain {
  if (code !== undefined && SQLSTATE.test(code)) {
    return (
      explained[code] ??
      explained[code.slice(0, 2)] ?? [
        'failed',
        (place, why) => `the database ${place} failed (${why}); see the log of PostgreSQL, then start again`,
      ]
    );
  }
  return message.startsWith('SASL') ? denied : away;
}

/** Converts an error into a `StoreError`, without details, which may quote a document. A `StoreError` passes unchanged. */
export function postgresFailure(place: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = coded.safeParse(error).data?.code;
  if (code !== undefined && GONE.has(code)) return moved(place);
  const message = error instanceof Error ? error.message : 'an unknown error';
  const [trouble, sentence] = explanationOf(code, message);
  return new StoreError(trouble, `store: ${sentence(place, code ?? message)}`, {
    cause: new Error(code === undefined ? message : `${code} ${message}`),
  });
}
