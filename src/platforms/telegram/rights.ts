/** Who may change a chat's watchlist: in a private chat its owner, elsewhere administrators. Asked of Telegram only when a command needs it. */
import type { Api } from 'grammy';
import { SECOND, later, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Scene, Sender } from './heard.js';
import { inWords } from './outcome.js';

/** So long an answer is believed: several buttons of one visit cost one question, and somebody who was demoted is soon noticed. */
const BELIEVED = 30 * SECOND;
const MOST_KNOWN = 1_000;

export interface Rights {
  /** Never rejects: what Telegram does not answer is no. */
  manages(who: { readonly chat: number; readonly scene: Scene; readonly from: Sender }): Promise<boolean>;
}

export function openRights({ api, clock, log }: { api: Api; clock: Clock; log: Log }): Rights {
  const known = new Map<string, { readonly until: Instant; readonly manages: boolean }>();

  async function asked(chat: number, person: number): Promise<boolean> {
    const key = `${chat}/${person}`;
    const before = known.get(key);
    if (before !== undefined && before.until > clock.now()) return before.manages;
    try {
      const { status } = await api.getChatMember(chat, person);
      const manages = status === 'creator' || status === 'administrator';
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(key, { until: later(clock.now(), BELIEVED), manages });
      return manages;
    } catch (error) {
      log.warn('telegram.rights-unknown', { chat, error: inWords(error) });
      return false;
    }
  }

  return {
    async manages({ chat, scene, from }) {
      if (scene === 'private') return true;
      // Only administrators post in a channel, or speak as the group.
      if (from.as !== 'person') return from.as === 'chat';
      return asked(chat, from.id);
    },
  };
}
