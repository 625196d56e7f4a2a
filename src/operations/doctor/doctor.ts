/** Checks everything that the bot depends on. Changes only the ledger of calls. */
import { createAnalytics } from '../../analytics/client.js';
import { storedProjects } from '../../analytics/directory.js';
import { SECOND, type Clock } from '../../base/clock.js';
import type { Finding } from '../../base/finding.js';
import type { Slug } from '../../domain/scalars.js';
import type { LinkTemplates } from '../../domain/links.js';
import { silentLog } from '../../base/log.js';
import { openStore } from '../../store/open.js';
import type { Store } from '../../store/store.js';
import { examineService, proposalLinkFinding } from './service.js';
import { examineStore, refusedByBot, type RunningBot } from './store.js';
import type { RowReport, WalkResult } from './walk.js';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { once } from 'node:events';

export type DoctorPart = 'config' | 'platforms' | 'store' | 'service';

export interface DoctorOptions {
  readonly parts: ReadonlySet<DoctorPart>;
  readonly project: string | undefined;
  readonly projects?: readonly Slug[] | undefined;
  /** True if the operator agreed to spend calls of a monthly limit. */
  readonly agreed: boolean;
  readonly most: number | undefined;
  /** Undefined if the bot's URL is unknown. */
  readonly bot: RunningBot | undefined;
  readonly onFinding: (part: DoctorPart, finding: Finding) => void;
  readonly onRow: (report: RowReport) => void;
}

export interface DoctorDeps {
  readonly storeUrl: string;
  readonly analytics: {
    /** Undefined for the embedded service. */
    readonly baseUrl: string | undefined;
    readonly apiKey: string;
    readonly requestsPerSecond: number;
    readonly requestsPerMonth: number | undefined;
    readonly budgetResetDay: number;
  };
  /** The settings that would connect a platform. */
  readonly connectable: readonly string[];
  /** The check of each platform with a token. */
  readonly platforms: readonly (() => Promise<readonly Finding[]>)[];
  readonly heartbeatUrl: string | undefined;
  /** Checks the files of WATCHLISTS. */
  readonly watchlists: () => Promise<readonly Finding[]>;
  /** Checks the chats of these files in the store; undefined without WATCHLISTS. */
  readonly claims?: (store: Store) => Promise<readonly Finding[]>;
  readonly links: LinkTemplates;
  readonly embedded: () => Promise<{ readonly url: string; close(): Promise<void> }>;
  readonly clock: Clock;
  readonly random: () => number;
}

export async function examine(patient: DoctorDeps, examination: DoctorOptions): Promise<WalkResult | undefined> {
  const { parts, bot, onFinding } = examination;
  // Links are not checked for the embedded service, whose projects are invented.
  if (parts.has('config') && patient.analytics.baseUrl !== undefined) onFinding('config', proposalLinkFinding(patient.links));
  const files = parts.has('config') ? await patient.watchlists() : [];
  // What the store says of a file is said in the line of that file.
  if (!parts.has('store')) {
    const refused = files.length === 0 ? [] : await refusedByBot(bot);
    for (const finding of oneForEachFile(files, refused)) onFinding('config', finding);
  }
  if (parts.has('platforms')) {
    if (patient.platforms.length === 0)
      onFinding('platforms', {
        mark: 'none',
        about: 'platforms',
        says: `neither ${patient.connectable.join(' nor ')} is set, so only the local page is there`,
      });
    for (const check of patient.platforms) for (const finding of await check()) onFinding('platforms', finding);
    if (patient.heartbeatUrl !== undefined) onFinding('platforms', await examineHeartbeat(patient.heartbeatUrl));
  }
  // The ledger of calls is in the store, so the service check needs the store too.
  const needsLedger = parts.has('service') && patient.analytics.baseUrl !== undefined;
  if (!parts.has('store') && !needsLedger) return parts.has('service') ? examineEmbedded(patient, examination) : undefined;
  const { findings, store } = await examineStore({ url: patient.storeUrl, bot });
  try {
    if (parts.has('store')) {
      // If a bot runs, it is asked, because it knows more than its store.
      const claims = patient.claims === undefined ? [] : await (store === undefined ? refusedByBot(bot) : patient.claims(store));
      for (const finding of [...findings, ...oneForEachFile(files, claims)]) onFinding('store', finding);
    }
    if (!parts.has('service')) return undefined;
    if (patient.analytics.baseUrl === undefined) return await examineEmbedded(patient, examination);
    return await examineWith(patient, examination, { store, baseUrl: patient.analytics.baseUrl });
  } finally {
    await store?.close();
  }
}

/** Replaces the line of a file that is well with what the bot or its store says of it. Both begin with the name of the file. */
function oneForEachFile(files: readonly Finding[], claims: readonly Finding[]): readonly Finding[] {
  const nameIn = ({ says }: Finding): string => says.slice(0, says.indexOf(': '));
  const claimed = new Map(claims.filter(({ mark }) => mark === 'warn' || mark === 'fail').map((finding) => [nameIn(finding), finding]));
  const names = new Set(files.map(nameIn));
  return [
    ...files.map((file) => (file.mark === 'ok' ? (claimed.get(nameIn(file)) ?? file) : file)),
    ...claims.filter((finding) => claimed.get(nameIn(finding)) !== finding || !names.has(nameIn(finding))),
  ];
}

/** Examines the embedded service, which needs no ledger. */
async function examineEmbedded(patient: DoctorDeps, examination: DoctorOptions): Promise<WalkResult | undefined> {
  const service = await patient.embedded();
  try {
    return await examineWith(
      { ...patient, analytics: { ...patient.analytics, requestsPerMonth: undefined, requestsPerSecond: EMBEDDED_PACE } },
      examination,
      {
        store: await openStore('memory://'),
        baseUrl: service.url,
        name: 'the embedded service',
        limitElsewhere: patient.analytics.requestsPerMonth,
      },
    );
  } finally {
    await service.close();
  }
}
const EMBEDDED_PACE = 1_000;

async function examineWith(
  { analytics: settings, links, clock, random }: DoctorDeps,
  { project, projects, agreed, most, onFinding, onRow }: DoctorOptions,
  {
    store,
    baseUrl,
    name = new URL(baseUrl).host,
    limitElsewhere,
  }: { store: Awaited<ReturnType<typeof openStore>> | undefined; baseUrl: string; name?: string; limitElsewhere?: number | undefined },
): Promise<WalkResult | undefined> {
  const analytics = createAnalytics({
    ...settings,
    baseUrl,
    clock,
    random,
    log: silentLog,
    store: store ?? (await openStore('memory://')),
  });
  const isUnbooked = store === undefined && settings.requestsPerMonth !== undefined;
  try {
    return await examineService({
      analytics,
      name,
      project,
      projects,
      known: store && (await storedProjects(store, baseUrl).catch(() => [])),
      agreed,
      most,
      clock,
      links,
      limitElsewhere,
      onRow,
      barred: isUnbooked
        ? 'not walked, because the calls could not be booked: the ledger of the month stands in the store; stop the bot, or mend the store, first'
        : undefined,
      onFinding: (finding) => onFinding('service', finding),
    });
  } finally {
    await analytics.close();
  }
}

const HEARTBEAT_PATIENCE = 10 * SECOND;

/**
 * Checks whether the host accepts a connection. The URL is not called, because that would report a running bot, and is secret, so only its
 * host is shown. Never rejects.
 */
export async function examineHeartbeat(address: string): Promise<Finding> {
  const about = 'heartbeat';
  const { protocol, hostname, port, host } = new URL(address);
  const bare = hostname.replaceAll(/[[\]]/gu, '');
  let socket: Socket | undefined;
  try {
    socket =
      protocol === 'https:'
        ? connectSecurely({ host: bare, port: Number(port || 443), ...(isIP(bare) === 0 ? { servername: bare } : {}) })
        : connect({ host: bare, port: Number(port || 80) });
    await once(socket, protocol === 'https:' ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(HEARTBEAT_PATIENCE) });
    return { mark: 'ok', about, says: `${host} takes connections; it is called each minute by the bot while all is well, and not now` };
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
    return {
      mark: 'fail',
      about,
      says: `${host} takes no connection (${code}), so its alarm will sound; check HEARTBEAT_URL, the network and the certificate`,
    };
  } finally {
    socket?.destroy();
  }
}
