/** Answers questions of programs: decides in which chat they run and whether the key permits them. */
import { omitUndefined } from '../../base/omit-undefined.js';
import { MINUTE, type Clock } from '../../base/clock.js';
import { withDeadline } from '../../base/deadline.js';
import type { Log } from '../../base/log.js';
import type { Address } from '../../chat/address.js';
import type { ChatData } from '../../chat/chat-data.js';
import type { Answerer, Inbound } from '../../chat/inbound.js';
import { footText, lineText, plainText } from '../../chat/plain-text.js';
import type { Block, Reply } from '../../chat/reply.js';
import { never } from '../../base/never.js';
import { oneLine } from '../../base/one-line.js';
import type { Instant } from '../../domain/scalars.js';
import { iso } from '../program-data.js';
import { chatOf, type ApiKey } from './keys.js';
import type { ReplyData } from './operations.js';
import { Problem } from './problems.js';

/** How many questions of one key run at once. The analytics client shares its calls fairly between them and people. */
const MAX_PER_KEY = 8;
/** How many questions of all keys run at once. */
const MAX_AT_ONCE = 40;
/** A question that takes longer is aborted. */
const DEADLINE = MINUTE;
const MAX_FILES = 1024 * 1024;

export interface QuestionsDeps {
  readonly answer: Answerer;
  /** Tells whether a question only reads, as its command declares. */
  readonly isReading: (inbound: Pick<Inbound, 'ask'>) => Promise<boolean>;
  readonly data: ChatData;
  readonly clock: Clock;
  readonly log: Log;
}

/** The circle of a key. The operator created the key, so it may ask. */
const CIRCLES = ['api/key'];

export class ApiQuestions {
  readonly #deps: QuestionsDeps;
  readonly #underWay = new Map<string, number>();
  #all = 0;

  constructor(deps: QuestionsDeps) {
    this.#deps = deps;
  }

  /** Returns the chat of a request. Throws a `Problem` if the key may not see it. */
  chat(key: ApiKey, wanted: Address | undefined): Address {
    const { data } = this.#deps;
    const own = key.chat === undefined ? undefined : (data.present(key.chat) ?? key.chat);
    if (wanted === undefined || wanted === key.chat || wanted === own) return own ?? chatOf(key);
    if (key.chat !== undefined) throw new Problem('forbidden', `This key is for the chat ${key.chat}. Leave "chat" out.`);
    if (wanted === chatOf(key)) return wanted;
    const present = data.present(wanted);
    if (present === undefined) throw new Problem('no-such-chat', 'No such chat. GET /api/v1/watchlists lists those that watch something.');
    return present;
  }

  /** Answers a question. Rejects with a `Problem`. */
  async ask(key: ApiKey, { ask, chat: wanted, mayChange }: Asked): Promise<ReplyData> {
    const chat = this.chat(key, wanted);
    if (holdsSeveral(ask)) throw new Problem('invalid', 'One question at a time: send each line in a request of its own.');
    const manages = mayChange && key.scope === 'manage';
    if (!manages && !(await this.#deps.isReading({ ask })))
      throw new Problem('forbidden', 'This line would change something. Use a key that manages the chat.');
    const running = this.#underWay.get(key.id) ?? 0;
    if (running >= MAX_PER_KEY)
      throw new Problem('rate-limited', `This key has ${MAX_PER_KEY} questions under way. Wait for an answer first.`, { retryAfter: 1 });
    if (this.#all >= MAX_AT_ONCE) throw new Problem('busy', 'The bot answers many questions at the moment.', { retryAfter: 1 });
    this.#underWay.set(key.id, running + 1);
    this.#all += 1;
    try {
      return await this.#answered(key, { ask, chat, manages });
    } finally {
      this.#all -= 1;
      const left = (this.#underWay.get(key.id) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(key.id);
      else this.#underWay.set(key.id, left);
    }
  }

  async #answered(
    key: ApiKey,
    { ask, chat, manages }: { readonly ask: Inbound['ask']; readonly chat: Address; readonly manages: boolean },
  ): Promise<ReplyData> {
    const { answer, clock, log } = this.#deps;
    const from = { id: `api/${key.id}`, name: key.name === '' ? 'an API key' : `API key ${key.name}`, manages: async () => manages };
    const late = () => new Problem('failed', 'The answer took too long. Ask again in a minute.', { retryAfter: 60 });
    try {
      const reply = await withDeadline({ clock, milliseconds: DEADLINE, stops: [], late }, async (signal) =>
        answer({ chat, from, ask, circles: CIRCLES, byOperator: true, signal }),
      );
      return replyData(reply, clock.now());
    } catch (error) {
      if (error instanceof Problem) throw error;
      log.error('api.answer-failed', { key: key.id, error });
      throw new Problem('failed', 'The bot could not answer that. The log says why; try again in a minute.');
    }
  }
}

interface Asked {
  readonly ask: Inbound['ask'];
  readonly chat: Address | undefined;
  /** True if a key that manages may change something with this request. */
  readonly mayChange: boolean;
}

/** Tells whether a text has a second question below the first. Below a command, other lines may belong to it, such as a list to import. */
function holdsSeveral(ask: Inbound['ask']): boolean {
  const texts = 'line' in ask ? [ask.line] : Object.values(ask.options);
  return texts.some((text) => (text.trim().startsWith('/') ? /[\r\n]\s*\//u : /[\r\n]/u).test(text.trim()));
}

const SOURCES = /^\/sources /u;

/** Converts a reply to JSON. Charts are left out, because their values are in the text or in the CSV file. */
function replyData(reply: Reply, now: Instant): ReplyData {
  const { finding, tone, isError, blocks, links, actions, asOf, stale, zone, files } = reply;
  const sources = actions.find(({ line }) => SOURCES.test(line))?.line;
  let left = MAX_FILES;
  return {
    text: plainText({ ...reply, actions: actions.filter(({ line }) => !SOURCES.test(line)) }, now),
    finding: lineText(finding, now, zone),
    tone,
    isError: isError === true,
    blocks: blocks.map((block) => blockData(block, now, zone)),
    links: links.map(({ label, url }) => ({ label, url })),
    actions: actions.filter(({ line }) => !SOURCES.test(line)).map(({ label, line }) => ({ label, line })),
    files: files.filter(({ text }) => (left -= text.length) >= 0).map(({ name, type, text }) => ({ name, type, text })),
    ...omitUndefined({
      asOf: asOf === undefined ? undefined : iso(asOf),
      ageSeconds: asOf === undefined ? undefined : Math.max(0, Math.round((now - asOf) / 1000)),
      stale: stale === undefined ? undefined : footText(reply, now),
      sources,
    }),
  };
}

function blockData(block: Block, now: Instant, zone: string | undefined): ReplyData['blocks'][number] {
  switch (block.kind) {
    case 'line':
      return { kind: 'line', text: lineText(block.line, now, zone) };
    case 'figures':
      return { kind: 'figures', items: block.items.map(({ label, value }) => ({ label: oneLine(label), value: oneLine(value) })) };
    case 'list':
      return {
        kind: 'list',
        items: block.items.map(({ tone, line, detail }) => ({
          tone,
          text: lineText(line, now, zone),
          ...(detail === undefined ? {} : { detail: lineText(detail, now, zone) }),
        })),
        more: block.more,
      };
    case 'table':
      return {
        kind: 'table',
        columns: block.columns.map(({ title }) => oneLine(title)),
        rows: block.rows.map((row) => row.map(oneLine)),
        more: block.more,
      };
    default:
      return never(block);
  }
}
