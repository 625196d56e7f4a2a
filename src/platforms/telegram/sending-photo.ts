/** Shows "sending photo" while a picture is drawn. */
import type { Api } from 'grammy';
import { SECOND, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { sendTo, type ChatTopic } from './address.js';
import { inWords } from './outcome.js';

/** Clients show it for five seconds. https://core.telegram.org/bots/api#sendchataction */
const SHOWN_FOR = 5 * SECOND;
/** A picture is drawn within ten seconds. */
const MAX_REPEATS = 2;

/** Until `done` aborts. Never rejects. */
export async function showDrawing(
  { api, clock, log }: { readonly api: Api; readonly clock: Clock; readonly log: Log },
  place: ChatTopic,
  done: AbortSignal,
): Promise<void> {
  const { chat_id: chat, ...thread } = sendTo(place);
  try {
    for (let shown = 0; shown < MAX_REPEATS && !done.aborted; shown += 1) {
      await api.sendChatAction(chat, 'upload_photo', thread);
      await clock.sleep(SHOWN_FOR, done);
    }
  } catch (error) {
    if (!done.aborted) log.debug('telegram.action-not-shown', { chat, error: inWords(error) });
  }
}
