/** The picture messages of answers. */
import type { Log } from '../../base/log.js';
import type { TelegramDocument } from './document.js';

/** Text and buttons, and the picture, may be one message. */
export interface ShownAnswer {
  readonly message: number;
  readonly picture?: number | undefined;
}

export interface PictureMessages {
  now(chat: number, answer: ShownAnswer): Promise<ShownAnswer>;
  /** Never rejects. */
  note(chat: number, answer: ShownAnswer): Promise<void>;
}

const MAX_REMEMBERED = 200;

/** `document` may reject while the store cannot be read. */
export function openPictureMessages({ document, log }: { document: () => Promise<TelegramDocument>; log: Log }): PictureMessages {
  /** Null: without a picture. */
  const recent = new Map<string, number | null>();

  function remember(key: string, picture: number | undefined): void {
    recent.delete(key);
    recent.set(key, picture ?? null);
    const [oldest] = recent.keys();
    if (recent.size > MAX_REMEMBERED && oldest !== undefined) recent.delete(oldest);
  }

  return {
    async now(chat, answer) {
      const known = recent.get(`${chat}/${answer.message}`);
      if (known !== undefined) return { message: answer.message, picture: known ?? undefined };
      try {
        const kept = (await document()).read().pictureReplies.find((one) => one.chat === chat && one.message === answer.message);
        return kept === undefined ? answer : { message: answer.message, picture: kept.picture };
      } catch {
        return answer;
      }
    },
    async note(chat, { message, picture }) {
      remember(`${chat}/${message}`, picture);
      const kept = picture === message ? undefined : picture;
      try {
        const documents = await document();
        await documents.change((now) => {
          const others = now.pictureReplies.filter((one) => one.chat !== chat || one.message !== message);
          if (kept === undefined && others.length === now.pictureReplies.length) return now;
          return {
            ...now,
            pictureReplies: [...others, ...(kept === undefined ? [] : [{ chat, message, picture: kept }])].slice(-MAX_REMEMBERED),
          };
        });
      } catch (error) {
        log.debug('telegram.picture-not-noted', { error });
      }
    },
  };
}
