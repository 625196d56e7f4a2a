/** The table of the HTTP API's operations, from which requests are parsed and the OpenAPI document is written. */
import { z } from 'zod';
import { addressSchema } from '../../chat/address.js';
import { MAX_LINE } from '../../chat/inbound.js';
import { TONES } from '../../chat/reply.js';
import { amount, crossingSchema } from '../program-data.js';
import type { ProblemName } from './problems.js';

const MAX_PAGE = 100;

const moment = z.iso.datetime().describe('A moment in UTC.');
const chat = addressSchema.max(200).describe('The address of a chat, such as console/main or discord/1234567890.');
const link = z.object({ label: z.string(), url: z.url() });
const tone = z.enum(Object.keys(TONES)).describe('What the glyph of a chat shows: up, down, live, over, warning or plain.');

const block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('line'), text: z.string() }),
  z.object({ kind: z.literal('figures'), items: z.array(z.object({ label: z.string(), value: z.string() })) }),
  z.object({
    kind: z.literal('list'),
    items: z.array(z.object({ tone, text: z.string(), detail: z.string().optional() })),
    more: z.int().describe('Items that are left out.'),
  }),
  z.object({
    kind: z.literal('table'),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    more: z.int().describe('Rows that are left out.'),
  }),
]);

export const replySchema = z
  .object({
    text: z.string().describe('The whole reply as plain text, as a terminal shows it.'),
    finding: z.string().describe('The answer in one line.'),
    tone,
    isError: z
      .boolean()
      .describe(
        'The question was not answered: it cannot be read, names something unknown, is not permitted, or the bot failed. The text says why.',
      ),
    blocks: z.array(block),
    links: z.array(link),
    actions: z.array(z.object({ label: z.string(), line: z.string() })).describe('Lines to ask next.'),
    files: z.array(z.object({ name: z.string(), type: z.string(), text: z.string() })),
    asOf: moment.optional().describe('The time of the oldest data in the reply.'),
    ageSeconds: z.int().optional().describe('The age of that data when the reply was made.'),
    stale: z.string().optional().describe('Why the data is older than usual.'),
    sources: z.string().optional().describe('The line that shows the requests and the arithmetic behind the figures.'),
  })
  .meta({ id: 'Reply' });
export type ReplyData = z.infer<typeof replySchema>;

const kinds = z.array(z.string()).optional();
const mutes = z.record(z.string(), moment).optional();
/** The forms are those of the watchlist file. */
const choices = {
  on: kinds.describe('Alert kinds that are on, unlike in the preset.'),
  silent: kinds.describe('Alert kinds without a sound, unlike in the preset.'),
  off: kinds.describe('Alert kinds that are off, unlike in the preset.'),
  rules: z
    .array(z.union([z.string(), z.record(z.string(), z.unknown())]))
    .optional()
    .describe('Rules that replace those of the preset, by kind, in the words of /alerts. One without words is an object.'),
  mutedUntil: moment.optional(),
  mutedKinds: mutes.describe('The ends of mutes, by alert kind.'),
};
const exceptionSchema = z.object({
  project: z.string(),
  excluded: z.literal(true).optional().describe('The project is not watched.'),
  ...choices,
});

const entrySchema = z.object({
  target: z
    .string()
    .describe(
      'A project, the public key of a wallet or of a proposal, the address of a launch, "all", "launches", or "screen" with its filter.',
    ),
  kind: z.enum(['project', 'wallet', 'market', 'all', 'launches', 'screen']),
  label: z.string().optional(),
  preset: z.string(),
  since: moment,
  ...choices,
  maxAgeHours: z.int().optional().describe('Alerts that are older when they could be sent are dropped.'),
  mentions: z.array(z.string()).optional(),
  exceptions: z.array(exceptionSchema).optional().describe('Of "all": the projects that are excluded or differ.'),
});

const watchlistSchema = z
  .object({
    chat,
    timezone: z.string().optional().describe('An IANA name. UTC where it is absent.'),
    away: z
      .object({ since: moment, because: z.string() })
      .optional()
      .describe('The bot cannot post there, so nothing is sent: a disabled webhook endpoint, or a chat that removed the bot.'),
    quiet: z.object({ from: z.string(), to: z.string() }).optional().describe('Hours without a sound, in the timezone of the chat.'),
    mutedUntil: moment.optional(),
    mutedKinds: mutes.describe('The ends of mutes, by alert kind.'),
    mutedTopics: mutes.describe('The ends of mutes of single proposals and launches, by topic.'),
    entries: z.array(entrySchema),
  })
  .meta({ id: 'Watchlist' });

export const alertSchema = z
  .object({
    id: z.string().describe('The id of the event. It derives from what happened, so it is the same in every chat.'),
    delivery: z.string().describe('The message that reported it.'),
    kind: z.string().describe('The alert kind, as in /alerts.'),
    stage: z.string(),
    topic: z.string(),
    project: z.string().optional(),
    wallet: z.string().optional(),
    occurredAt: moment.optional(),
    detectedAt: moment,
    sentAt: moment,
    text: z.string(),
    figures: z.object({ usd: amount, percent: amount, amount, symbol: z.string(), metric: z.string() }).partial(),
    crossings: z.array(crossingSchema).optional().describe('Of a threshold alert: what it measured, as in webhooks.'),
    watched: z.string().optional(),
    rule: z.string().optional(),
    correction: z
      .object({ at: moment, was: z.string().optional(), now: z.string().optional() })
      .optional()
      .describe('What the service corrected since. Without values it no longer lists the event.'),
    links: z.array(link),
  })
  .meta({ id: 'Alert' });
export type AlertData = z.infer<typeof alertSchema>;

const limit = z.coerce.number().int().min(1).max(MAX_PAGE).default(50);
const cursor = z.string().max(500).optional().describe('The value of "next" from the page before. It stays valid when newer rows arrive.');
const next = z.string().optional().describe('The cursor of the next page. Absent on the last page.');

const statusSchema = z
  .object({
    store: z
      .object({ ok: z.boolean(), problem: z.string().optional() })
      .describe('Whether the bot can save. If not, nothing is checked or alerted, and /healthz answers 503.'),
    service: z.object({ ok: z.boolean(), says: z.string(), invented: z.boolean().describe('The embedded service answers.') }),
    kinds: z.array(
      z.object({
        kind: z.string(),
        watched: z.int().describe('Subjects that are checked.'),
        failing: z.int(),
        oldestCheck: moment.optional(),
      }),
    ),
    budget: z.object({ used: z.int(), limit: z.int().optional() }).optional().describe('Only for keys that see every chat.'),
    deliveries: z.object({ waiting: z.int(), sent: z.int() }).optional().describe('Only for keys that see every chat. The last 24 hours.'),
  })
  .meta({ id: 'Status' });

const commandSchema = z.object({
  name: z.string(),
  summary: z.string(),
  reads: z.boolean().describe('It never changes a chat, so a key that reads may always run it.'),
  options: z.array(z.object({ name: z.string(), summary: z.string(), required: z.boolean(), choices: z.array(z.string()).optional() })),
  examples: z.array(z.string()),
});

interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly summary: string;
  readonly says: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly response: z.ZodObject;
  readonly problems: readonly ProblemName[];
}

const define = <const O extends Operation>(operation: O): O => operation;

export const askOperation = define({
  id: 'ask',
  method: 'post',
  path: '/ask',
  summary: 'Ask a question',
  says: 'Runs a command line such as "/premium tide", or reads a plain sentence such as "is tide cheap". A key that reads may not change anything; a sentence never does.',
  body: z.object({
    line: z.string().trim().min(1).max(MAX_LINE),
    chat: chat.optional().describe('The chat to ask in. By default that of the key.'),
  }),
  response: z.object({ reply: replySchema }),
  problems: ['invalid', 'forbidden', 'too-large', 'wrong-type'],
});

export const watchlistsOperation = define({
  id: 'watchlists',
  method: 'get',
  path: '/watchlists',
  summary: 'List watchlists',
  says: 'The chats that the key may see, by address, with what each watches. A chat to which nothing can be sent is listed only for its own key or if "chat" names it; it has "away".',
  query: z.object({ chat: chat.optional(), cursor, limit }),
  response: z.object({ watchlists: z.array(watchlistSchema), next }),
  problems: ['invalid', 'forbidden', 'no-such-chat'],
});

export const alertsOperation = define({
  id: 'alerts',
  method: 'get',
  path: '/alerts',
  summary: 'List alerts of a chat',
  says: 'The alerts of the last 30 days and of about the last 300 messages of a chat, the newest first.',
  query: z.object({
    chat: chat.optional().describe('Required for a key that sees every chat.'),
    project: z.string().max(200).optional().describe('Its slug, symbol or name.'),
    kind: z.string().max(50).optional().describe('An alert kind, as in /alerts.'),
    since: z.iso.datetime({ offset: true }).optional().describe('Only alerts that were sent after this moment.'),
    cursor,
    limit,
  }),
  response: z.object({ alerts: z.array(alertSchema), next }),
  problems: ['invalid', 'forbidden', 'no-such-chat'],
});

const statusOperation = define({
  id: 'status',
  method: 'get',
  path: '/status',
  summary: 'Read the state of the bot',
  says: 'Whether the bot can save, whether the analytics service answers, and how recent the checks are.',
  response: statusSchema,
  problems: [],
});

const commandsOperation = define({
  id: 'commands',
  method: 'get',
  path: '/commands',
  summary: 'List commands',
  says: 'What can be asked, with the options of each command.',
  response: z.object({ commands: z.array(commandSchema) }),
  problems: [],
});

export const OPERATIONS: readonly Operation[] = [askOperation, watchlistsOperation, alertsOperation, statusOperation, commandsOperation];

type Given = z.input<typeof askOperation.body> & z.input<typeof watchlistsOperation.query> & z.input<typeof alertsOperation.query>;

/** What each field accepts, for the sentence that refuses another value. */
const FORMS = {
  line: `a text of 1 to ${MAX_LINE.toLocaleString('en')} characters, such as "/premium tide"`,
  chat: 'the address of a chat, such as console/main or discord/1234567890',
  project: 'a slug, symbol or name of at most 200 characters',
  kind: 'an alert kind, such as supply',
  since: 'a time such as 2026-01-31T00:00:00Z',
  cursor: 'the "next" of the page before',
  limit: `a whole number from 1 to ${MAX_PAGE}`,
} satisfies Record<keyof Given, string>;

/** Returns undefined for a field that no operation has. */
export const formOf = (field: string): string | undefined => new Map(Object.entries(FORMS)).get(field);

/** The problems that every operation may return. */
export const COMMON_PROBLEMS: readonly ProblemName[] = ['unauthorized', 'rate-limited', 'busy', 'failed'];
