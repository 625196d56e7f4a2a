/** Distinguishes a bot that was added from a group that became a supergroup. */
import type { Clock } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { OnChatEvent } from '../../chat/platform.js';
import { addressOf } from './address.js';
import type { IncomingUpdate } from './incoming-update.js';
import type { TelegramDocument } from './document.js';

type Joined = Extract<IncomingUpdate, { kind: 'joined' }>;

export interface Joining {
  notice(incoming: IncomingUpdate): void;
  /** Resolves with false if that is not known yet. Rejects if the event was not recorded. */
  handle(incoming: Joined): Promise<boolean>;
}

export interface JoiningDeps {
  readonly document: () => Promise<TelegramDocument>;
  readonly clock: Clock;
  readonly report: OnChatEvent;
  readonly stopping: AbortSignal;
}

export function openJoining({ document, clock, report, stopping }: JoiningDeps): Joining {
  const waiting = new Map<number, AbortController>();

  async function settle(chat: number, at: number): Promise<void> {
    const known = new AbortController();
    const end = (): void => known.abort(new Error('it is known'));
    stopping.addEventListener('abort', end);
    waiting.set(chat, known);
    if (stopping.aborted) end();
    await clock.sleep(at - clock.now(), known.signal).catch(() => undefined);
    stopping.removeEventListener('abort', end);
    waiting.delete(chat);
  }

  return {
    notice(incoming) {
      if (incoming.kind === 'moved') waiting.get(incoming.to)?.abort(new Error('it is known'));
    },
    async handle({ chat, settled, by, title }) {
      const isUpgraded = async (): Promise<boolean> => (await document()).read().upgraded.includes(chat);
      if (settled !== undefined && settled > clock.now() && !(await isUpgraded())) {
        await settle(chat, settled);
        if (settled > clock.now() && !(await isUpgraded())) return false;
      }
      const at = addressOf({ chat });
      await report({ kind: 'back', chat: at });
      const adder =
        by === undefined || title === undefined
          ? undefined
          : { chat: addressOf({ chat: by }), circle: `telegram/user/${by}`, channel: String(chat), name: title };
      if (!(await isUpgraded())) await report(omitUndefined({ kind: 'joined', chat: at, adder }));
      return true;
    },
  };
}
