/** What happens in one simulation, chosen by its seed: who watches what and when, what is burned, and what goes wrong. */
import { address, type Address } from '../../src/chat/address.js';
import { SECOND } from '../../src/base/clock.js';
import type { Random } from './random.js';
import type { Burn, Market } from './service.js';

export type Step =
  /** A project's slug, or `all`. */
  | { readonly kind: 'watch' | 'unwatch'; readonly chat: Address; readonly project: string }
  | { readonly kind: 'mute'; readonly chat: Address; readonly milliseconds: number }
  /** People delete what was posted of proposals. */
  | { readonly kind: 'delete'; readonly chat: Address }
  /** `after`: so many writes and requests later, which is how a kill falls between any two of them. */
  | { readonly kind: 'kill' | 'stop'; readonly down: number; readonly after: number }
  | { readonly kind: 'service'; readonly down: boolean }
  | { readonly kind: 'platform'; readonly name: string; readonly trouble: 'limited' | 'unreachable' | undefined };

export type Timed = Step & { readonly at: number };

export interface Scenario {
  readonly start: number;
  /** From here on nothing goes wrong any more. */
  readonly calm: number;
  readonly ambiguous: 'repeat' | 'hold';
  readonly burns: readonly Burn[];
  readonly markets: readonly Market[];
  /** In order of time. */
  readonly steps: readonly Timed[];
}

export const PROJECTS = ['tide', 'heron'] as const;
/** `exact` recognises a repeat, `plain` does not. */
export const PLATFORMS = ['exact', 'plain'] as const;

const LENGTH = 150 * SECOND;
/** With the four events of a proposal, so many stand in one message in full, so each can be read back. */
const MAX_BURNS = 6;

export function scenario(random: Random): Scenario {
  const start = Date.UTC(2026, 10, 20, 12) + random.whole(0, 59) * SECOND;
  const calm = start + LENGTH;
  const moment = (part = 1): number => start + random.whole(0, LENGTH * part);
  const chats = Array.from({ length: random.whole(2, 5) }, (_, index) => address(random.pick(PLATFORMS), `chat-${index}`));
  const steps: Timed[] = [];
  for (const chat of chats) {
    const project = random.pick([...PROJECTS, 'all'] as const);
    const at = moment(0.3);
    steps.push({ kind: 'watch', chat, project, at });
    if (random.chance(0.25)) steps.push({ kind: 'unwatch', chat, project, at: Math.min(calm, at + random.whole(10, 100) * SECOND) });
    if (random.chance(0.2)) steps.push({ kind: 'delete', chat, at: moment() });
    if (random.chance(0.35)) steps.push({ kind: 'mute', chat, milliseconds: random.whole(5, 60) * SECOND, at: moment() });
  }
  if (random.chance(0.4)) {
    const at = moment(0.8);
    steps.push({ kind: 'service', down: true, at }, { kind: 'service', down: false, at: at + random.whole(1, 30) * SECOND });
  }
  for (const name of PLATFORMS) {
    if (!random.chance(0.4)) continue;
    const at = moment(0.8);
    steps.push({ kind: 'platform', name, trouble: random.pick(['limited', 'unreachable'] as const), at });
    steps.push({ kind: 'platform', name, trouble: undefined, at: at + random.whole(1, 30) * SECOND });
  }
  const burns: Burn[] = [];
  while (burns.length < MAX_BURNS) {
    // Alone, or several within moments.
    const at = moment();
    const project = random.pick(PROJECTS);
    for (let count = random.chance(0.7) ? 1 : random.whole(2, 4); count > 0 && burns.length < MAX_BURNS; count -= 1) {
      const own = at + random.whole(0, 3_000);
      burns.push({ project, amount: 101 + burns.length, at: own, shownAt: own + (random.chance(0.3) ? random.whole(0, 20_000) : 0) });
    }
  }
  for (let count = random.whole(0, 4); count > 0; count -= 1) {
    // Most of them where something is under way: from the check that finds a burn until it is delivered.
    const at = random.chance(0.8) ? random.pick(burns).shownAt + random.whole(0, 22_000) : moment();
    steps.push({
      kind: random.chance(0.75) ? 'kill' : 'stop',
      down: random.whole(0, 10_000),
      after: random.whole(0, 12),
      at: Math.min(calm, at),
    });
  }
  return {
    ...{
      start,
      calm,
      burns,
      markets: [market(random, { project: random.pick(PROJECTS), title: 'Market', start })],
      ambiguous: random.chance(0.5) ? 'repeat' : 'hold',
    },
    steps: steps.toSorted((a, b) => a.at - b.at),
  };
}

/** Long enough for several edits at its stages. */
function market(random: Random, { start, ...about }: { readonly project: string; readonly title: string; readonly start: number }): Market {
  const createdAt = start + random.whole(5, 40) * SECOND;
  const liveAt = createdAt + random.whole(10, 30) * SECOND;
  return { ...about, createdAt, liveAt, endsAt: liveAt + random.whole(40, 90) * SECOND };
}
