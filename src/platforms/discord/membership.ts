/** Is a person in a server, and can they see a channel? */
import { later, MINUTE, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { inWords, isCode } from './outcome.js';
import { canSee } from './permissions.js';
import type { RestCall } from './rest.js';

/** Several presses cost one call. */
const BELIEVED = 5 * MINUTE;
const MAX_KNOWN = 1_000;

/** By `discord/guild/<id>` or `discord/channel/<id>`. Never rejects. */
export type Membership = (circle: string, person: string) => Promise<boolean>;

export function openMembership({ call, clock, log }: { readonly call: RestCall; readonly clock: Clock; readonly log: Log }): Membership {
  const known = new Map<string, { readonly is: boolean; readonly until: Instant }>();

  async function read(circle: string, person: string): Promise<boolean> {
    const [, guild] = /^discord\/guild\/(\d+)$/u.exec(circle) ?? [];
    const [, channel] = /^discord\/channel\/(\d+)$/u.exec(circle) ?? [];
    if (guild !== undefined) await call({ method: 'GET', path: `/guilds/${guild}/members/${person}` });
    return guild !== undefined || (channel !== undefined && canSee(call, { channel, user: person }));
  }

  return async (circle, person) => {
    const key = `${circle} ${person}`;
    const before = known.get(key);
    if (before !== undefined && before.until > clock.now()) return before.is;
    const is = await read(circle, person).catch((error: unknown) => {
      // Unknown server, member or person; or the bot is not there.
      if (isCode(error, 10_003, 10_004, 10_007, 10_013, 50_001)) return false;
      log.warn('discord.membership-unknown', { because: inWords(error) });
      return undefined;
    });
    if (is === undefined) return false;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, { is, until: later(clock.now(), BELIEVED) });
    return is;
  };
}
