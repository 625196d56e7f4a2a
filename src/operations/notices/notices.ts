/** Notifies OPERATOR_CHAT once per change. A notice is stored under a derived id before it is queued, so a crash does not repeat it. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { prepare } from '../../alerts/queue/queue.js';
import { preparedSchema, type PreparedMessage } from '../../alerts/queue/prepared-message.js';
import type { Queues } from '../../alerts/queue/queues.js';
import { DAY, later, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Address } from '../../chat/address.js';
import { instantSchema } from '../../domain/scalars.js';
import { StoreError, type Store, type Collection } from '../../store/store.js';
import type { BotState } from '../bot-state.js';
import { changesFrom, SIGN_KINDS, signsOf, streaksAfter, type Changes, type Sign, type Streaks } from './conditions.js';
import { never } from '../../base/never.js';
import { reply, type Line, type Reply } from '../../chat/reply.js';
import { countText, date } from '../../domain/format.js';

const raisedSchema = z.object({
  kind: z.enum(SIGN_KINDS),
  subject: z.string().optional(),
  at: instantSchema,
  /** Set if the notice was not sent because the day's limit was reached. */
  isUnsaid: z.literal(true).optional(),
});
const documentSchema = z.object({
  raised: z.record(z.string(), raisedSchema),
  /** When notices were sent during the last day. */
  sentAt: z.array(instantSchema).readonly(),
  /** Notices that must still be queued. */
  outbox: z.array(preparedSchema).readonly(),
});
type NoticeDocument = z.infer<typeof documentSchema>;

const KEY = 'operator';
const EMPTY: NoticeDocument = { raised: {}, sentAt: [], outbox: [] };
export const MAX_NOTICES_A_DAY = 10;
/** An older notice is not sent, because it says nothing new. */
const MAX_AGE = DAY;

export interface NoticesDeps {
  readonly store: Store;
  readonly queues: Pick<Queues, 'change' | 'receipts' | 'read'>;
  readonly to: Address;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Notices {
  /** Sends notices of changes. Calls must not overlap. Rejects with the store's error. */
  tick(state: BotState): Promise<void>;
}

type NoticeDocuments = Collection<NoticeDocument>;

class StoredNotices implements Notices {
  readonly #deps: NoticesDeps;
  readonly #documents: NoticeDocuments;
  #document: NoticeDocument;
  #streaks: Streaks = new Map();

  constructor(deps: NoticesDeps, documents: NoticeDocuments, document: NoticeDocument) {
    this.#deps = deps;
    this.#documents = documents;
    this.#document = document;
  }

  async tick(state: BotState): Promise<void> {
    await this.#decide(state);
    if (this.#document.outbox.length === 0) return;
    for (const message of this.#document.outbox) await this.#enqueue(message);
    await this.#write({ ...this.#document, outbox: [] });
  }

  async #write(next: NoticeDocument): Promise<void> {
    await this.#documents.set(KEY, next);
    this.#document = next;
  }

  async #decide(state: BotState): Promise<void> {
    const { now } = state;
    const signs = signsOf(state);
    this.#streaks = streaksAfter(this.#streaks, signs, now);
    const changes = changesFrom(this.#document.raised, { signs, streaks: this.#streaks, now });
    if (changes.raised.length + changes.cleared.length === 0) return;
    const sentAt = this.#document.sentAt.filter((at) => at <= now && now - at < DAY);
    const isFull = sentAt.length >= MAX_NOTICES_A_DAY;
    const said: Changes = { ...changes, cleared: changes.cleared.filter(({ key }) => this.#document.raised[key]?.isUnsaid !== true) };
    const isSaid = !isFull && said.raised.length + said.cleared.length > 0;
    const raised: NoticeDocument['raised'] = Object.fromEntries([
      ...Object.entries(this.#document.raised).filter(([key]) => !changes.cleared.some((one) => one.key === key)),
      ...changes.raised.map(({ key, kind, subject }): [string, NoticeDocument['raised'][string]] => [
        key,
        { kind, at: now, ...(subject === undefined ? {} : { subject }), ...(isFull ? { isUnsaid: true } : {}) },
      ]),
    ]);
    await this.#write({
      raised,
      sentAt: isSaid ? [...sentAt, now] : sentAt,
      outbox: isSaid
        ? [...this.#document.outbox, this.#messageOf(said, state, sentAt.length === MAX_NOTICES_A_DAY - 1)]
        : this.#document.outbox,
    });
    for (const { key } of changes.raised) this.#deps.log.warn('operator.condition-raised', { condition: key, isNotified: isSaid });
    for (const { key } of changes.cleared) this.#deps.log.info('operator.condition-cleared', { condition: key, isNotified: isSaid });
  }

  /** Queues a message, unless its receipt shows that it was sent before a crash. */
  async #enqueue(message: PreparedMessage): Promise<void> {
    const { queues, to } = this.#deps;
    if ((await queues.receipts(to)).some(({ id }) => id === message.id)) return;
    await queues.change(to, (queue) => prepare(queue, message));
  }

  #messageOf(changes: Changes, state: BotState, isLast: boolean): PreparedMessage {
    const now = this.#deps.clock.now();
    return {
      id: idOf([now, ...changes.raised.map(({ key }) => `bad ${key}`), ...changes.cleared.map(({ key }) => `good ${key}`)]),
      summary: 'Operator notice',
      reply: noticeOf(changes, state, isLast),
      queuedAt: now,
      until: later(now, MAX_AGE),
    };
  }
}

export async function openNotices(deps: NoticesDeps): Promise<Notices> {
  const documents = deps.store.collection({ prefix: 'notice', schema: documentSchema, version: 1 });
  try {
    return new StoredNotices(deps, documents, (await documents.get(KEY)) ?? EMPTY);
  } catch (cause) {
    if (!(cause instanceof StoreError) || cause.trouble !== 'unreadable') throw cause;
    deps.log.warn('notices.unreadable', { cause });
    return new StoredNotices(deps, documents, EMPTY);
  }
}

const idOf = (parts: readonly (string | number)[]): string =>
  createHash('sha256')
    .update(JSON.stringify(['notice', ...parts]))
    .digest('base64url')
    .slice(0, 22);

interface Sentence {
  readonly says: string;
  readonly since?: Instant | undefined;
  readonly detail?: string;
}

/** Writes a notice, with the problems first. `isLast` means that the day's limit is reached. */
export function noticeOf({ raised, cleared }: Changes, state: BotState, isLast: boolean): Reply {
  const bad = raised.map((sign) => badSentence(sign, state));
  const good = cleared.map((one) => goodSentence(one, state));
  const [first = { says: '' }, ...others] = [...bad, ...good];
  const line = (...spans: Line) => ({ kind: 'line', line: spans }) as const;
  return reply({
    tone: bad.length > 0 ? 'warning' : 'plain',
    finding: [{ strong: first.says }, ...sinceOf(first)],
    blocks: [
      ...(first.detail === undefined ? [] : [line(first.detail)]),
      ...others.map((one) => line(one.says, ...sinceOf(one), one.detail === undefined ? '.' : `. ${one.detail}`)),
      ...(isLast ? [line('No more notices for 24 hours.')] : []),
    ],
    actions: [{ label: 'Status', line: '/status' }],
  });
}

function badSentence({ kind, subject = '', since }: Sign, { now, calls, diskFree }: BotState): Sentence {
  switch (kind) {
    case 'feed':
      return { says: `No new ${dataOf(subject)} data`, since, detail: 'Its checks fail or run late, so its alerts are delayed.' };
    case 'service':
      return { says: "The analytics service isn't responding: no new data", since, detail: 'Alerts follow once it responds.' };
    case 'budget':
      return {
        says: `The API budget will run out on ${whenOut(calls.runsOutAt, now)}`,
        detail: `${count(calls.used)} of ${count(calls.limit)} calls used. It resets on ${date(calls.resetsAt, now)}.`,
      };
    case 'spent':
      return {
        says: `The API budget is used up until ${date(calls.resetsAt, now)}`,
        detail: 'Checks wait until then, and questions get stored answers.',
      };
    case 'disk':
      return {
        says: `The disk is almost full: ${bytes(diskFree)} free`,
        detail: 'Free some space. When it is full, no alert can be sent.',
      };
    case 'token':
      return {
        says: `${platformName(subject)} refuses the bot's token`,
        detail: `Set a new ${subject.toUpperCase()}_TOKEN and restart the bot.`,
      };
    case 'key':
      return { says: 'The analytics service refuses the API key', detail: 'Set a new ANALYTICS_API_KEY and restart the bot.' };
    default:
      return never(kind);
  }
}

function goodSentence({ kind, subject = '' }: Pick<Sign, 'kind' | 'subject'>, { now, calls, diskFree }: BotState): Sentence {
  switch (kind) {
    case 'feed':
      return { says: `${capitalised(dataOf(subject))} data is up to date again` };
    case 'service':
      return { says: 'The analytics service is responding again' };
    case 'budget':
      return { says: `The API budget lasts until ${date(calls.resetsAt, now)}` };
    case 'spent':
      return { says: `The API budget has calls again: ${calls.left === undefined ? 'no limit' : `${count(calls.left)} left`}` };
    case 'disk':
      return { says: `The disk has space again: ${bytes(diskFree)} free` };
    case 'token':
      return { says: `${platformName(subject)} accepts the bot's token again` };
    case 'key':
      return { says: 'The analytics service accepts the API key again' };
    default:
      return never(kind);
  }
}

const sinceOf = ({ since }: Sentence): Line => (since === undefined ? [] : [' since ', { at: since, exact: true }]);

const DATA: Readonly<Record<string, string>> = { proposals: 'proposal', launches: 'launch', movements: 'movement' };
const dataOf = (feed: string): string => DATA[feed] ?? feed;
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const platformName = capitalised;
const count = (calls: number | undefined): string => (calls === undefined ? 'n/a' : countText(calls));
const bytes = (free: number | undefined): string =>
  free === undefined ? 'n/a' : free < 1e9 ? `${Math.round(free / 1e6)} MB` : `${(free / 1e9).toFixed(1)} GB`;
const whenOut = (at: Instant | undefined, now: Instant): string => (at === undefined ? 'n/a' : date(at, now));
