/** First response to an interaction, due in 3 seconds. */
import type { InteractionResponseType } from 'discord.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { SECOND } from '../../base/clock.js';
import type { Upload } from '../attachments.js';
import type { Interaction } from './interaction.js';
import { isCode, outcomeOf } from './outcome.js';
import type { RestCall } from './rest.js';

const FIRST_ANSWER = SECOND;

export interface FirstAnswer {
  readonly type: InteractionResponseType;
  readonly data?: object | undefined;
  readonly files?: readonly Upload[];
}

/** Rejects with the library's errors. */
export async function acknowledge(call: RestCall, { id, token }: Pick<Interaction, 'id' | 'token'>, answer: FirstAnswer): Promise<void> {
  const { type, data, files = [] } = answer;
  const post = async () =>
    call({
      method: 'POST',
      path: `/interactions/${id}/${token}/callback`,
      body: omitUndefined({ type, data }),
      files,
      auth: false,
      deadlineMs: FIRST_ANSWER,
    });
  try {
    await post();
  } catch (error) {
    const { kind } = outcomeOf(error);
    if (kind !== 'unclear' && kind !== 'later') throw error;
    await post().catch((again: unknown) => {
      // "Acknowledged already": by the first try, whose answer was lost.
      if (!isCode(again, 40_060)) throw again;
    });
  }
}
