/** Runs a question of the console. */
import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { address } from '../../chat/address.js';
import type { Answerer, Person, SentFile } from '../../chat/inbound.js';
import { reply, type Reply } from '../../chat/reply.js';
import { plainText } from '../../chat/plain-text.js';
import type { ConsoleMessage } from './message.js';
import { bounded } from './size-limits.js';
import type { ConversationLog } from './conversation-log.js';

const YOU: Person = { id: 'console/local', name: 'you', manages: async () => true };

const CIRCLES = { anyone: ['console/local'], operator: ['console/local', 'console/operator'] };

export interface ConsoleQuestion {
  readonly text: string;
  readonly files?: readonly SentFile[];
}

interface AskedQuestion extends ConsoleQuestion {
  /** Somebody who is logged in. */
  readonly byOperator: boolean;
}

export interface ConsoleQuestions {
  /** When the reply is saved. */
  ask(chat: string, question: AskedQuestion): Promise<ConsoleMessage>;
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
  const open = new Set<Promise<ConsoleMessage>>();

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
      });
    }
  }

  return {
    async ask(chat, question) {
      const work = run(chat, question);
      open.add(work);
      return work.finally(() => open.delete(work));
    },
    async idle() {
      while (open.size > 0) await Promise.allSettled(open);
    },
  };
}
