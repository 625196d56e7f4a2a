/** What falls into a situation. */
import { SECOND } from '../../../src/base/clock.js';
import { platformOf } from '../../../src/chat/address.js';
import { ask, PROJECT, type MakeDisturbance } from './pair-parts.js';

const JUMPS = [-90, -20, 20, 90] as const;
/** In ms, until what goes away comes back. */
const SHORT = [500, 8_000] as const;

export const DISTURBANCES: readonly MakeDisturbance[] = [
  ({ chats, random }, near) => {
    const minutes = random.pick([0.25, 0.5]);
    return chats.map((chat) => near(ask(chat, { kind: 'mute', minutes })));
  },
  // Until the hour that begins soon.
  ({ chat }, near) => [near(ask(chat, { kind: 'quiet', from: 12, to: 13 }))],
  ({ chat, watched, random }, near) => [
    { ...ask(chat, { kind: 'mute', minutes: 1 }), at: watched + random.whole(SECOND, 12 * SECOND) },
    near(ask(chat, { kind: 'unmute' })),
  ],
  ({ chat, random }, near) => [near(ask(chat, { kind: 'filter', project: PROJECT, usd: random.pick([400, 30_000]) }))],
  ({ chat, random }, near) => [
    near(ask(chat, { kind: 'mode', project: PROJECT, feed: 'supply', on: false })),
    ...(random.chance(0.5) ? [near(ask(chat, { kind: 'mode', project: PROJECT, feed: 'supply', on: true }), random.whole(...SHORT))] : []),
  ],
  ({ chat, random }, near) => [
    near(ask(chat, { kind: 'unwatch', project: PROJECT })),
    ...(random.chance(0.5) ? [near(ask(chat, { kind: 'watch', project: PROJECT }), random.whole(...SHORT))] : []),
  ],
  ({ random }, near) => [near({ kind: 'kill', down: random.whole(0, 4_000), after: random.whole(0, 3) })],
  ({ random }, near) => [near({ kind: 'kill', down: random.whole(0, 1_000), after: random.whole(0, 12) })],
  ({ random }, near) => [near({ kind: 'stop', down: random.whole(0, 4_000), after: random.whole(0, 3) })],
  // Longer than a lease, where another process can take over.
  ({ random }, near) => [near({ kind: 'pause', for: random.whole(2_000, 30_000) })],
  ({ random }, near) => [near({ kind: 'clock', jump: random.pick(JUMPS) * SECOND })],
  // The clock goes back while the bot is down.
  ({ random }, near) => [
    near({ kind: 'clock', jump: random.pick([-90, -20]) * SECOND }, random.whole(0, 50)),
    near({ kind: 'kill', down: random.whole(0, 1_000), after: random.whole(0, 6) }),
  ],
  ({ chat, random }, near) => [
    near({ kind: 'chat', chat, becomes: 'gone' }),
    near({ kind: 'chat', chat, becomes: 'member' }, random.whole(...SHORT)),
  ],
  ({ chat }, near) => [near({ kind: 'chat', chat, becomes: 'moved' })],
  ({ chat, random }, near) => [
    near({ kind: 'platform', name: platformOf(chat), trouble: 'limited' }),
    near({ kind: 'platform', name: platformOf(chat), trouble: undefined }, random.whole(...SHORT)),
  ],
  ({ random }, near) => [near({ kind: 'disk', failing: true }), near({ kind: 'disk', failing: false }, random.whole(...SHORT))],
  // What fails is not written before the end.
  ({ random }, near) => [
    near({ kind: 'disk', failing: true }),
    near({ kind: 'kill', down: random.whole(0, 3_000), after: random.whole(0, 6) }, random.whole(50, 6_000)),
    near({ kind: 'disk', failing: false }, random.whole(6_000, 9_000)),
  ],
  ({ random }, near) => [near({ kind: 'spoil', of: 'check', fault: random.pick(['429', 'old', 'slow'] as const) })],
  ({ random }, near) => [
    near({ kind: 'spoil', of: 'delivery', fault: random.pick(['slow', 'answer lost', 'fails after', 'request lost'] as const) }),
  ],
  ({ chat }, near) => [near(ask(chat, { kind: 'import', projects: [PROJECT] }))],
];
