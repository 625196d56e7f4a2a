/** How the answer to an interaction is shown: as one message, or as its text, to which one edit adds the picture and the files. */
import type { Log } from '../../base/log.js';
import type { Address } from '../../chat/address.js';
import { reply } from '../../chat/reply.js';
import { wordsOnly, type Attached } from '../attachments.js';
import type { Steps } from '../text-first.js';
import { inWords, isCode, isForFiles } from './outcome.js';
import type { Stage } from './stage.js';

export interface StepNeeds {
  /** Of the message that the answer is in. */
  readonly key: string;
  /** Resolves when nothing is announced any more. */
  readonly ready: () => Promise<void>;
  readonly chat: Address;
  readonly command: string;
  readonly log: Log;
}

export function stepsOf(stage: Stage, { key, ready, chat, command, log }: StepNeeds): Steps {
  const orText = async (attached: Attached): Promise<void> => {
    try {
      await stage.final(attached);
    } catch (error) {
      if (!isForFiles(error) || (attached.picture === undefined && attached.files.length === 0)) throw error;
      log.warn('discord.files-not-taken', { chat, command, because: inWords(error) });
      await stage.final(wordsOnly(attached));
    }
  };

  async function shown(attached: Attached): Promise<void> {
    await ready();
    try {
      await orText(attached);
    } catch (error) {
      // Refused for how it looks, which is our mistake: the person shall not be left without a word.
      if (!isCode(error, 50_035, 50_006)) throw error;
      log.error('discord.answer-refused', { chat, command, because: inWords(error) });
      const sorry = reply({ tone: 'warning', finding: ['The answer could not be shown here. The log says why.'], audience: 'asker' });
      await stage.final({ reply: sorry, files: [] });
    }
  }

  return {
    async whole(attached) {
      await shown(attached);
      return undefined;
    },
    // The files come with the picture: an edit sends again all that the message shall have.
    async text({ reply: said }) {
      await shown({ reply: said, files: [] });
      return key;
    },
    async rest(attached, turn) {
      if (attached.picture === undefined && attached.files.length === 0) return;
      await turn.run(async () => orText(attached));
    },
  };
}
