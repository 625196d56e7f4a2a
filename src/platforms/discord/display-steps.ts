/** Shows an answer as one message, or text first. */
import type { Log } from '../../base/log.js';
import type { Address } from '../../chat/address.js';
import { reply } from '../../chat/reply.js';
import { wordsOnly, type Attached } from '../attachments.js';
import type { DisplaySteps } from '../text-first.js';
import { inWords, isCode, isForFiles } from './outcome.js';
import type { DiscordReplyLifecycle } from './reply-lifecycle.js';

export interface DisplayDeps {
  readonly key: string;
  readonly ready: () => Promise<void>;
  readonly chat: Address;
  readonly command: string;
  readonly log: Log;
}

export function displaySteps(lifecycle: DiscordReplyLifecycle, { key, ready, chat, command, log }: DisplayDeps): DisplaySteps {
  const orText = async (attached: Attached): Promise<void> => {
    try {
      await lifecycle.final(attached);
    } catch (error) {
      if (!isForFiles(error) || (attached.picture === undefined && attached.files.length === 0)) throw error;
      log.warn('discord.files-not-taken', { chat, command, because: inWords(error) });
      await lifecycle.final(wordsOnly(attached));
    }
  };

  async function shown(attached: Attached): Promise<void> {
    await ready();
    try {
      await orText(attached);
    } catch (error) {
      // Refused for its form, which is our bug: the person still gets an answer.
      if (!isCode(error, 50_035, 50_006)) throw error;
      log.error('discord.answer-refused', { chat, command, because: inWords(error) });
      const sorry = reply({ tone: 'warning', finding: ['The answer could not be shown here. The log says why.'], audience: 'asker' });
      await lifecycle.final({ reply: sorry, files: [] });
    }
  }

  return {
    async whole(attached) {
      await shown(attached);
      return undefined;
    },
    // The files follow with the picture: an edit uploads all attachments again.
    async text({ reply: said }) {
      await shown({ reply: said, files: [] });
      return key;
    },
    async rest(attached, ticket) {
      if (attached.picture === undefined && attached.files.length === 0) return;
      await ticket.run(async () => orText(attached));
    },
  };
}
