/** Answers inline queries: texts for one person to post in any chat. */
import { GrammyError, type Api } from 'grammy';
import { SECOND, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Answerer, Inbound } from '../../chat/inbound.js';
import type { Reply } from '../../chat/reply.js';
import { lineText } from '../../chat/plain-text.js';
import type { Prepared } from '../attachments.js';
import { truncateLine } from '../truncate.js';
import { addressOf } from './address.js';
import type { InlineLines } from './inline-lines.js';
import { photoResult, textResult } from './inline-results.js';
import { inWords, isStale } from './outcome.js';
import type { InlineQuery } from './update.js';

export interface InlineDeps {
  readonly api: Api;
  readonly answer: Answerer;
  readonly lines: InlineLines;
  readonly prepare: (reply: Reply) => Prepared;
  /** Undefined: pictures are left out. */
  readonly pictureId: ((bytes: Uint8Array) => Promise<string | undefined>) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

export interface Inline {
  /** In the background, not kept over a restart. */
  take(query: InlineQuery): void;
  idle(): Promise<void>;
}

/** Only what people stop at is asked. */
const TYPED_ON_WITHIN = 0.4 * SECOND;
const PICTURE_WITHIN = 3 * SECOND;
/** Seconds; less than an answer is fresh. */
const CACHED_FOR = 30;
const MAX_NAME = 64;
/** Characters, beside the results. */
const MAX_HINT = 60;
const HINT = 'Type a project or a command, such as premium';
/** Opens a private chat with the bot. */
const START = 'inline';

interface Answered {
  readonly line: string;
  readonly reply: Reply;
}

export function openInline({ api, answer, lines, prepare, pictureId, clock, log, stopping }: InlineDeps): Inline {
  const latest = new Map<number, string>();
  const working = new Set<Promise<void>>();

  const ask = async (line: string, { from }: InlineQuery): Promise<Answered> => {
    const inbound: Inbound = {
      chat: addressOf({ chat: from.id }),
      // Typing changes nothing: every letter is a query.
      from: { id: `telegram/${from.id}`, name: truncateLine(from.first_name, MAX_NAME).trim() || 'somebody', manages: async () => false },
      ask: { line },
      circles: [`telegram/chat/${from.id}`, `telegram/user/${from.id}`],
      withoutButtons: true,
      signal: stopping,
    };
    return { line, reply: await answer(inbound) };
  };

  async function answersTo(query: InlineQuery): Promise<readonly Answered[]> {
    const chat = addressOf({ chat: query.from.id });
    const all = await Promise.all((await lines.of(query.query, chat)).map(async (line) => ask(line, query)));
    if (all.some(isAnswer) || all.length === 0) return all;
    const completed = await lines.completed(query.query, chat);
    return [...(await Promise.all(completed.map(async (line) => ask(line, query)))), ...all];
  }

  /** None in time. Never rejects. */
  async function pictureOf(reply: Reply): Promise<string | undefined> {
    if (pictureId === undefined || reply.chart === undefined) return undefined;
    const over = new AbortController();
    const late = clock.sleep(PICTURE_WITHIN, over.signal).catch(() => undefined);
    const sent = prepare(reply)
      .picture.then(async (picture) => picture && pictureId(picture.bytes))
      .catch((error: unknown) => {
        log.warn('telegram.inline-picture-not-kept', { error: inWords(error) });
        return undefined;
      });
    const found = await Promise.race([sent, late]);
    over.abort(new Error('the picture is there'));
    return found ?? undefined;
  }

  async function resultsOf({ line, reply }: Answered) {
    const now = clock.now();
    const picture = await pictureOf(reply);
    return { text: textResult(line, reply, now), photo: picture === undefined ? undefined : photoResult({ line, reply, picture }, now) };
  }

  async function work(query: InlineQuery): Promise<void> {
    await clock.sleep(TYPED_ON_WITHIN, stopping);
    if (latest.get(query.from.id) !== query.id) return;
    const all = await answersTo(query);
    const found = await Promise.all(all.filter(isAnswer).map(resultsOf));
    if (stopping.aborted || latest.get(query.from.id) !== query.id) return;
    const refusal = all.find((one) => !isAnswer(one))?.reply;
    const hint = refusal === undefined ? HINT : truncateLine(lineText(refusal.finding, clock.now(), refusal.zone), MAX_HINT).trim();
    const options = {
      is_personal: true,
      cache_time: CACHED_FOR,
      ...(found.length > 0 ? {} : { button: { text: hint || HINT, start_parameter: START } }),
    };
    const texts = found.map(({ text }) => text);
    const withPictures = found.flatMap(({ photo, text }) => (photo === undefined ? [text] : [photo, text]));
    try {
      await api.answerInlineQuery(query.id, withPictures, options);
    } catch (error) {
      if (withPictures.length === texts.length || !(error instanceof GrammyError) || isStale(error)) throw error;
      // A `file_id` may have expired.
      await api.answerInlineQuery(query.id, texts, options);
    }
  }

  return {
    take(query) {
      latest.set(query.from.id, query.id);
      const done = work(query)
        .catch((error: unknown) => {
          if (!stopping.aborted) log[isStale(error) ? 'debug' : 'warn']('telegram.inline-not-answered', { error: inWords(error) });
        })
        .finally(() => {
          working.delete(done);
          if (latest.get(query.from.id) === query.id) latest.delete(query.from.id);
        });
      working.add(done);
    },
    idle: async () => void (await Promise.all(working)),
  };
}

/** Refusals are not to be posted. */
const isAnswer = ({ reply }: Answered): boolean => !(reply.tone === 'warning' && reply.audience === 'asker');
