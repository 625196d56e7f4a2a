/** Delivers alerts on the console exactly once. */
import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { chatNameSchema, localOf, platformOf, type Address } from '../../chat/address.js';
import type { DeliveryRequest, Notifier } from '../../chat/notifier.js';
import { plainText } from '../../chat/plain-text.js';
import { MAX_ABOUT, type ConsoleMessage, type ConversationLog } from './conversation-log.js';

export function consoleNotifier({ conversations, clock, log }: { conversations: ConversationLog; clock: Clock; log: Log }): Notifier {
  let trouble = false;
  return {
    platform: 'console',
    knowsRepeats: true,
    async deliver(to, delivery) {
      const chat = chatOf(to);
      if (chat === undefined) return { kind: 'refused', detail: `${to} is not a chat of the page` };
      const at = clock.now();
      try {
        const about = await aboutOf(delivery, log);
        const id = await conversations.postOnce(chat, {
          at,
          kind: 'alert',
          text: plainText(delivery.reply, at),
          reply: delivery.reply,
          deliveryId: delivery.id,
          ...(delivery.silent && { silent: true as const }),
          ...(delivery.about?.kind === 'sample' && { sample: true as const }),
          ...(about.length > 0 && { about }),
          ...(delivery.replyTo === undefined ? {} : { answers: Number(delivery.replyTo) }),
        });
        trouble = false;
        return { kind: 'sent', messageId: String(id) };
      } catch (error) {
        if (!trouble) log.error('console.not-saved', { chat, delivery: delivery.id, error });
        trouble = true;
        return { kind: 'later', because: 'server-error' };
      }
    },
    async revise(to, { messageId, reply }) {
      const chat = chatOf(to);
      if (chat === undefined) return { kind: 'refused', detail: `${to} is no chat of the console` };
      const editedAt = clock.now();
      try {
        const isKept = await conversations.revise(chat, Number(messageId), { reply, text: plainText(reply, editedAt), editedAt });
        return isKept ? { kind: 'edited' } : { kind: 'lost', because: 'not-editable' };
      } catch (error) {
        log.error('console.not-edited', { chat, message: messageId, error });
        return { kind: 'later', because: 'server-error' };
      }
    },
    async probe(to) {
      return chatOf(to) === undefined
        ? { missing: [], blocked: `${to} is not a console chat; their names are like console/main.` }
        : { missing: [] };
    },
    async diagnose() {
      const chats = conversations.chats().length;
      if (trouble) return { ok: false, says: 'the last alert could not be saved; the log says why' };
      return { ok: true, says: `${chats === 1 ? '1 chat' : `${chats} chats`} on the page` };
    },
  };
}

/** Returns the kinds and projects by which the timeline filters. An alert whose events cannot be read is posted without them. */
async function aboutOf({ about, id }: DeliveryRequest, log: Log): Promise<NonNullable<ConsoleMessage['about']>> {
  if (about === undefined || about.kind === 'digest') return [];
  try {
    const distinct = new Map(
      (await about.events()).map(({ feed, project }) => [`${feed}/${project ?? ''}`, omitUndefined({ kind: feed, project })]),
    );
    return [...distinct.values()].slice(0, MAX_ABOUT);
  } catch (error) {
    log.warn('console.about-unread', { delivery: id, error });
    return [];
  }
}

/** Returns undefined for an address of another platform. */
function chatOf(to: Address): string | undefined {
  return platformOf(to) === 'console' ? chatNameSchema.safeParse(localOf(to)).data : undefined;
}
