/** We came into a chat: whether somebody has added us there, or a group that we were in has become this supergroup, which looks the same at first. */
import type { Clock } from '../../base/clock.js';
import type { OnChatEvent } from '../../chat/platform.js';
import { addressOf } from './address.js';
import type { Heard } from './heard.js';
import type { Memory } from './memory.js';

type Joined = Extract<Heard, { kind: 'joined' }>;

export interface Joining {
  /** Looks at what was taken over, which may say what a chat is before its turn comes. */
  notice(heard: Heard): void;
  /** Tells what it is. False: it is too early to tell, and the platform stops. Rejects where the news was not taken. */
  handle(heard: Joined): Promise<boolean>;
}

export interface JoiningNeeds {
  readonly memory: () => Promise<Memory>;
  readonly clock: Clock;
  readonly tell: OnChatEvent;
  readonly stopping: AbortSignal;
}

export function openJoining({ memory, clock, tell, stopping }: JoiningNeeds): Joining {
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
    notice(heard) {
      if (heard.kind === 'moved') waiting.get(heard.to)?.abort(new Error('it is known'));
    },
    async handle({ chat, settled }) {
      const isUpgraded = async (): Promise<boolean> => (await memory()).read().upgraded.includes(chat);
      if (settled !== undefined && settled > clock.now() && !(await isUpgraded())) {
        await settle(chat, settled);
        if (settled > clock.now() && !(await isUpgraded())) return false;
      }
      const at = addressOf({ chat });
      await tell({ kind: 'back', chat: at });
      if (!(await isUpgraded())) await tell({ kind: 'joined', chat: at });
      return true;
    },
  };
}
