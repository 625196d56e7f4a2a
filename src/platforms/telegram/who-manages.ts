/** Who may change a watchlist. */
import type { Api } from 'grammy';
import { SECOND, later, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { ChatKind, Sender } from './incoming-update.js';
import { inWords } from './outcome.js';

/** Several buttons cost one call. */
const BELIEVED = 30 * SECOND;
const MAX_KNOWN = 1_000;

interface Role {
  readonly manages: boolean;
  readonly hidden: boolean;
}

interface Who {
  readonly chat: number;
  readonly scene: ChatKind;
  readonly from: Sender;
}

export interface Rights {
  /** Without an answer, no. Never rejects. */
  manages(who: Who): Promise<boolean>;
  /** Must not be named; without an answer, true. Never rejects. */
  hidden(who: Who): Promise<boolean>;
}

export function openRights({ api, clock, log }: { api: Api; clock: Clock; log: Log }): Rights {
  const known = new Map<string, Role & { readonly until: Instant }>();

  async function roleOf(chat: number, person: number): Promise<Role | undefined> {
    const key = `${chat}/${person}`;
    const before = known.get(key);
    if (before !== undefined && before.until > clock.now()) return before;
    try {
      const member = await api.getChatMember(chat, person);
      const manages = member.status === 'creator' || member.status === 'administrator';
      const role = { manages, hidden: manages && member.is_anonymous };
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(key, { ...role, until: later(clock.now(), BELIEVED) });
      return role;
    } catch (error) {
      log.warn('telegram.rights-unknown', { chat, error: inWords(error) });
      return undefined;
    }
  }

  return {
    async manages({ chat, scene, from }) {
      if (scene === 'private') return true;
      // Only administrators post in a channel or as the group.
      if (from.as !== 'person') return from.as === 'chat';
      return (await roleOf(chat, from.id))?.manages === true;
    },
    async hidden({ chat, scene, from }) {
      if (scene === 'private') return false;
      return from.as !== 'person' || (await roleOf(chat, from.id))?.hidden !== false;
    },
  };
}
