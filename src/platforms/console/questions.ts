/** Parses questions from JSON or a form, and answers them. */
import type { Context, HonoRequest, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { bufferToFormData } from 'hono/utils/buffer';
import { z } from 'zod';
import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { address } from '../../chat/address.js';
import { LARGEST_FILE, type Answerer, type Person, type SentFile } from '../../chat/inbound.js';
import { plainText } from '../../chat/plain-text.js';
import { reply, type Reply } from '../../chat/reply.js';
import { textOfFile, tooLargeSays } from '../attachments.js';
import type { ConsoleMessage, ConversationLog } from './conversation-log.js';
import { bounded } from './size-limits.js';

const YOU: Person = { id: 'console/local', name: 'you', manages: async () => true };

const CIRCLES = { anyone: ['console/local'], operator: ['console/local', 'console/operator'] };

export interface ConsoleQuestion {
  readonly text: string;
  readonly files?: readonly SentFile[];
}

interface AskedQuestion extends ConsoleQuestion {
  /** True if the person is logged in as an operator. */
  readonly byOperator: boolean;
}

export interface ConsoleQuestions {
  /** Answers a question in the conversation. Resolves when the reply is stored. */
  ask(chat: string, question: AskedQuestion): Promise<ConsoleMessage>;
  /** Answers without storing question or reply. */
  view(chat: string, question: AskedQuestion): Promise<Reply>;
  idle(): Promise<void>;
}

export function createQuestions({
  conversations,
  answer,
  clock,
  log,
}: {
  conversations: ConversationLog;
  answer: Answerer;
  clock: Clock;
  log: Log;
}): ConsoleQuestions {
  const open = new Set<Promise<unknown>>();
  const tracked = async <T>(work: Promise<T>): Promise<T> => {
    open.add(work);
    return work.finally(() => open.delete(work));
  };

  async function run(chat: string, asked: AskedQuestion): Promise<ConsoleMessage> {
    const sent = asked.files?.map(({ name, size }) => ({ name, size }));
    const question = await conversations.post(chat, { at: clock.now(), kind: 'question', text: asked.text, ...(sent && { sent }) });
    const final = bounded(await answered(chat, asked));
    const at = clock.now();
    return conversations.post(chat, { at, kind: 'reply', text: plainText(final, at), reply: final, answers: question.id });
  }

  async function answered(chat: string, { text: line, files, byOperator }: AskedQuestion): Promise<Reply> {
    try {
      const circles = byOperator ? CIRCLES.operator : CIRCLES.anyone;
      return await answer({ chat: address('console', chat), from: YOU, circles, ask: { line }, ...(files && { files }) });
    } catch (error) {
      log.error('console.answer-failed', { chat, error });
      return reply({
        tone: 'warning',
        finding: ['I could not answer that. The log of the bot says why; try again in a minute.'],
        audience: 'asker',
        isError: true,
      });
    }
  }

  return {
    ask: async (chat, question) => tracked(run(chat, question)),
    view: async (chat, question) => tracked(answered(chat, question)),
    async idle() {
      while (open.size > 0) await Promise.allSettled(open);
    },
  };
}

const MAX_TEXT = 64 * 1024;
const MAX_NAME = 200;

const TEXT_SAYS = 'That is more than the 64 KB a message may have. Send less text.';
const FORM_SAYS = `A message may have 64 KB of text and a file of ${LARGEST_FILE / 1024} KB; that is more. Split the file and send the parts one after another.`;
const SHAPE_SAYS =
  'Send a question as JSON, for example {"text": "/help"}, or as a form with "text" and "file"; the text must not be empty.';

const questionSchema = z.object({ text: z.string().trim().min(1) });

interface NoQuestion {
  readonly status: 400 | 413;
  readonly says: string;
}

/** Refuses a body that is too large before it is read. */
export function questionLimit(refuse: (c: Context, says: string) => Response): MiddlewareHandler {
  const text = bodyLimit({ maxSize: MAX_TEXT, onError: (c) => refuse(c, TEXT_SAYS) });
  const form = bodyLimit({ maxSize: MAX_TEXT + LARGEST_FILE, onError: (c) => refuse(c, FORM_SAYS) });
  return async (c, next) => (isForm(c.req) ? form(c, next) : text(c, next));
}

/** Parses a request. Rejects if the sender closes the connection. */
export async function questionOf(request: HonoRequest): Promise<ConsoleQuestion | NoQuestion> {
  // The body is read before it is parsed, because the form parser hides why reading failed.
  const bytes = await request.arrayBuffer();
  return isForm(request) ? questionOfForm(await form(request, bytes)) : questionOfJson(json(new TextDecoder().decode(bytes)));
}

const isForm = (request: HonoRequest): boolean => request.header('content-type')?.toLowerCase().startsWith('multipart/form-data') === true;

function questionOfJson(body: unknown): ConsoleQuestion | NoQuestion {
  const question = questionSchema.safeParse(body);
  return question.success ? question.data : { status: 400, says: SHAPE_SAYS };
}

async function questionOfForm(body: FormData | undefined): Promise<ConsoleQuestion | NoQuestion> {
  const question = questionSchema.safeParse({ text: body?.get('text') });
  if (body === undefined || !question.success) return { status: 400, says: SHAPE_SAYS };
  if (Buffer.byteLength(question.data.text) > MAX_TEXT) return { status: 413, says: TEXT_SAYS };
  const files: SentFile[] = [];
  for (const part of body.getAll('file')) {
    if (!(part instanceof File)) return { status: 400, says: SHAPE_SAYS };
    const name = part.name.slice(-MAX_NAME);
    const says = tooLargeSays(name, part.size);
    if (says !== undefined) return { status: 413, says };
    const bytes = await part.bytes();
    files.push({ name, size: bytes.byteLength, read: async () => textOfFile(name, bytes) });
  }
  return { text: question.data.text, ...(files.length > 0 && { files }) };
}

async function form(request: HonoRequest, bytes: ArrayBuffer): Promise<FormData | undefined> {
  try {
    return await bufferToFormData(bytes, request.header('content-type') ?? '');
  } catch {
    return undefined;
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
