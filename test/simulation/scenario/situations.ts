/** What is under way when a disturbance comes. */
import { SECOND } from '../../../src/base/clock.js';
import type { Address } from '../../../src/chat/address.js';
import type { LedgerRow, Market } from '../world/world.js';
import { WALLET } from './hours.js';
import { ask, CHECK, PROJECT, rowAt, rowsOf, type Base, type MakeSituation, type Situation } from './pair-parts.js';
import type { Spoiled, SpoiltBy, Timed } from './scenario.js';

const spoil = ({ start }: Base, of: Spoiled, fault: SpoiltBy): Timed => ({ kind: 'spoil', of, fault, at: start });
/** When so many wait for their slots. */
const mutedAt = ({ start, chats, random }: Base, chat: Address): Timed => ({
  ...{ ...ask(chat, { kind: 'mute', minutes: 0.5 }), at: start },
  when: { sign: 'slot', nth: 2 * chats.length - 1, wait: random.whole(0, 1_000) },
});
const MUCH = { usd: 20_000, direction: 'in' } as const;

/** Each check finds the next stage, or it stays live. With everything its creation begins the live message. */
function withMarket(
  base: Base,
  { isLong = base.random.chance(0.35), isLiveAtOnce = false } = {},
): Required<Pick<Situation, 'world' | 'steps'>> {
  const { random, start, watched, chats } = base;
  const createdAt = watched + random.whole(1_000, CHECK - 4_000);
  const liveAt = isLiveAtOnce ? createdAt + 1_000 : watched + random.whole(CHECK + 2_000, 2 * CHECK - 2_000);
  const endsAt = isLong ? liveAt + 900 * SECOND : liveAt + random.whole(13_000, 17_000);
  const market: Market = {
    project: PROJECT,
    title: 'Market 1',
    createdAt,
    liveAt,
    endsAt,
    result: random.pick(['passed', 'failed'] as const),
  };
  return {
    world: { markets: [market], rows: rowsOf(base).slice(2) },
    steps: chats.map((chat) => ({ ...ask(chat, { kind: 'preset', project: PROJECT, preset: 'everything' }), at: start + 2 * SECOND })),
  };
}

/** A row that the second check finds, and a later one finds to be restated. */
function restatedRow({ random, watched }: Base, after: number, isRemoved = random.chance(0.6)): readonly LedgerRow[] {
  const at = watched + random.whole(3_000, CHECK - 3_000);
  const restated = { at: watched + after, to: isRemoved ? ('removed' as const) : at + random.whole(2, 9) * 60 * SECOND };
  const other = watched + random.whole(0, 2 * CHECK);
  return [rowAt({ ...MUCH, restated }, at, 0), rowAt(MUCH, other, 1)];
}

/** When the second check has surely found its rows. */
const FOUND = CHECK + 2 * SECOND;

export const SITUATIONS: readonly MakeSituation[] = [
  // A message waits for its slot, is sealed, or is about to be sent.
  { chats: 3, make: ({ random }) => ({ moment: { sign: 'slot', nth: random.whole(1, 4) } }) },
  { make: ({ random }) => ({ moment: { sign: 'slot', nth: random.whole(1, 2) } }) },
  // Repeats of unclear attempts wait for their slots, because the platform refuses two others; a mute of all may begin meanwhile.
  {
    chats: 6,
    make: (base) => {
      const unclear = base.chats.map(() =>
        spoil(base, 'delivery', base.random.pick(['answer lost', 'fails after', 'request lost'] as const)),
      );
      const limited = [spoil(base, 'delivery', 'limited'), spoil(base, 'delivery', 'limited')];
      const muted = base.random.chance(0.85) ? base.chats.map((chat) => mutedAt(base, chat)) : [];
      return { steps: [...unclear, ...limited, ...muted], moment: { sign: 'slot', nth: base.random.whole(7, 12) } };
    },
  },
  {
    make: (base) => ({
      steps: [spoil(base, 'delivery', base.random.pick(['answer lost', 'fails after', 'request lost'] as const))],
      moment: { sign: 'delivery', nth: base.random.whole(1, 2) },
    }),
  },
  // An alert is being sent.
  { make: (base) => ({ steps: [spoil(base, 'delivery', 'slow')], moment: { sign: 'delivery', nth: 1 } }) },
  { make: () => ({ moment: { sign: 'posted', nth: 1 } }) },
  // A check finds rows, and routes them.
  { make: ({ random }) => ({ moment: { sign: 'check', nth: random.whole(2, 3) } }) },
  {
    make: (base) => ({
      steps: [{ ...spoil(base, 'check', base.random.pick(['429', 'old', 'slow'] as const)), at: base.watched + SECOND }],
      moment: { sign: 'check', nth: base.random.whole(2, 4) },
    }),
  },
  // What it found is stored, but not everywhere, when the process is killed; its clock may go back meanwhile.
  {
    make: ({ random, start }) => {
      const when = { sign: 'check', nth: 2, wait: 0 } as const;
      const kill: Timed = { kind: 'kill', down: random.whole(300, 6_000), after: random.whole(3, 6), at: start, when };
      const jump: Timed = { kind: 'clock', jump: random.pick([-90, -20]) * SECOND, at: start, when: { ...when, wait: 200 } };
      return { steps: [kill, ...(random.chance(0.5) ? [jump] : [])], moment: { sign: 'start', nth: 2 } };
    },
  },
  // A live message is edited, and what it shows goes on.
  {
    make: (base) => {
      const { world, steps } = withMarket(base, { isLong: false });
      return {
        world,
        steps: [...steps, spoil(base, 'edit', 'slow')],
        moment: base.random.pick([{ sign: 'edit', nth: 1 } as const, { sign: 'posted', nth: 2 } as const]),
      };
    },
  },
  { make: (base) => ({ ...withMarket(base), moment: { sign: 'posted', nth: 1 } }) },
  // People delete it, and the chat may be muted when that is found.
  {
    make: (base) => {
      const { chat, random, watched } = base;
      const { world, steps } = withMarket(base, { isLong: random.chance(0.8) });
      const at = watched + random.whole(FOUND + 3_000, 2 * CHECK);
      const muted: Timed = { ...ask(chat, { kind: 'mute', minutes: 0.5 }), at: at + random.whole(0, 3_000) };
      return {
        world,
        steps: [...steps, { kind: 'delete', chat, at }, ...(random.chance(0.5) ? [muted] : [])],
        moment: random.chance(0.5) ? { at: at + random.whole(0, CHECK) } : { sign: 'edit', nth: 1 },
      };
    },
  },
  // It is left behind by a move, and no other stage follows that would be posted at the new address.
  {
    make: (base) => {
      const { world, steps } = withMarket(base, { isLong: true, isLiveAtOnce: true });
      const when = { sign: 'posted', nth: 1, wait: base.random.whole(0, 4_000) } as const;
      return { world, steps: [...steps, { kind: 'chat', chat: base.chat, becomes: 'moved', at: base.start, when }], moment: when };
    },
  },
  // A row is restated or removed: its alert waits, is being sent, is dropped, or has just been sent.
  {
    make: (base) => ({
      world: { rows: restatedRow(base, FOUND) },
      steps: [{ ...ask(base.chat, { kind: 'mute', minutes: 0.5 }), at: base.watched + 2 * SECOND }],
      moment: { at: base.watched + base.random.whole(2 * CHECK - SECOND, 3 * CHECK) },
    }),
  },
  {
    make: (base) => ({
      world: { rows: restatedRow(base, FOUND + base.random.whole(0, 1_000), false) },
      steps: [spoil(base, 'delivery', 'slow')],
      moment: { sign: 'delivery', nth: 1 },
    }),
  },
  {
    make: (base) => {
      const { chat, random, watched } = base;
      const turn = (on: boolean, at: number): Timed => ({ ...ask(chat, { kind: 'mode', project: PROJECT, feed: 'supply', on }), at });
      return {
        world: { rows: restatedRow(base, random.whole(FOUND, 2 * CHECK)) },
        steps: [
          { ...ask(chat, { kind: 'mute', minutes: 0.25 }), at: watched + CHECK - SECOND },
          turn(false, watched + FOUND + SECOND),
          turn(true, watched + FOUND + CHECK + random.whole(3_000, 8_000)),
        ],
        moment: { at: watched + random.whole(FOUND, 3 * CHECK) },
      };
    },
  },
  {
    make: (base) => ({
      world: { rows: restatedRow(base, base.random.whole(FOUND + 4_000, 2 * CHECK)) },
      moment: base.random.pick([
        { sign: 'posted', nth: 1 } as const,
        { sign: 'edit', nth: 1 } as const,
        { sign: 'check', nth: 3 } as const,
      ]),
    }),
  },
  // A digest is composed and sent.
  {
    atHour: true,
    make: (base) => {
      const composed = digest(base, (due) => ({ at: due + base.random.whole(0, 2_000) }));
      const slow: Timed = { ...spoil(base, 'other', 'slow'), at: dueIn(base.start) - 200 };
      // A check of values may come first.
      return { ...composed, steps: [...composed.steps, slow, slow] };
    },
  },
  { atHour: true, make: (base) => digest(base, (due) => ({ at: due + base.random.whole(3_000, 14_000) })) },
  // One was sent, and its time comes again in another timezone.
  {
    atHour: true,
    make: (base) => {
      const { chat, random, start } = base;
      const due = dueIn(start);
      const at = due + random.whole(20, 50) * 60 * SECOND;
      return {
        ...digest(base, () => ({ at })),
        steps: [
          { ...ask(chat, { kind: 'digest', hour: new Date(due).getUTCHours() }), at: start + 2 * SECOND },
          { ...ask(chat, { kind: 'timezone', zone: 'Atlantic/Azores' }), at },
        ],
        lasts: 70 * 60 * SECOND,
      };
    },
  },
  // A chat comes back.
  {
    make: ({ chat, random, watched }) => {
      const at = watched + random.whole(SECOND, CHECK);
      const back = at + random.whole(SECOND, CHECK + 5 * SECOND);
      return {
        steps: [
          { kind: 'chat', chat, becomes: 'gone', at },
          { kind: 'chat', chat, becomes: 'member', at: back },
        ],
        moment: { at: back },
      };
    },
  },
  // A process starts after a kill, or takes over.
  {
    make: ({ random, start }) => {
      const when = { sign: random.pick(['check', 'slot', 'delivery', 'posted'] as const), nth: random.whole(1, 2), wait: 0 };
      return {
        steps: [{ kind: 'kill', down: random.whole(0, 2_000), after: random.whole(0, 12), at: start, when }],
        moment: { sign: random.pick(['start', 'active'] as const), nth: 2 },
      };
    },
  },
  {
    make: ({ random, start }) => ({
      steps: [{ kind: 'pause', for: random.whole(20_000, 40_000), at: start, when: { sign: 'slot', nth: random.whole(1, 2), wait: 0 } }],
      moment: { sign: 'active', nth: 2 },
      processes: 2,
    }),
  },
  // A wallet has been refreshed.
  {
    make: ({ chat, random, start, watched }) => ({
      world: {
        holdings: [
          { wallet: WALLET, project: PROJECT, at: start - 3_600 * SECOND, balance: 5_001 },
          { wallet: WALLET, project: PROJECT, at: watched, balance: 6_001 },
        ],
      },
      steps: [{ ...ask(chat, { kind: 'wallet', wallet: WALLET }), at: watched + SECOND }],
      moment: { at: watched + random.whole(CHECK, 3 * CHECK) },
    }),
  },
];

/** A reminder is due: its end may have moved, the platform may be away until after the end, or the process is killed. */
export const REMINDED: readonly MakeSituation[] = (['calm', 'moved', 'away', 'killed'] as const).map((how) => ({
  make: (base) => reminded(base, how),
}));

/** The shortest reminder. */
const BEFORE = 5;

function reminded(base: Base, how: 'calm' | 'moved' | 'away' | 'killed'): Situation {
  const { random, start, watched, chats, chat } = base;
  const { world, steps } = withMarket(base, { isLong: true, isLiveAtOnce: true });
  const [market] = world.markets ?? [];
  if (market === undefined) return { world, steps, moment: { at: watched } };
  const from = watched + random.whole(BEFORE * 60 + 85, BEFORE * 60 + 105) * SECOND;
  const moved = how === 'moved' ? { at: watched + random.whole(20, 25) * SECOND, from } : undefined;
  const endsAt = moved === undefined ? from : from + random.whole(150, 200) * SECOND;
  const due = endsAt - BEFORE * 60 * SECOND;
  const [name = ''] = chat.split('/');
  const when = { sign: 'posted', nth: random.whole(1, 2), wait: random.whole(0, 300) } as const;
  const troubles: readonly Timed[] =
    how === 'away'
      ? [
          { kind: 'platform', name, trouble: 'unreachable', at: due - 5 * SECOND },
          { kind: 'platform', name, trouble: undefined, at: endsAt + 5 * SECOND },
        ]
      : how === 'killed'
        ? [
            { kind: 'kill', down: random.whole(0, 5_000), after: random.whole(0, 12), at: due },
            { kind: 'kill', down: random.whole(0, 5_000), after: random.whole(0, 25), at: due + 40 * SECOND },
          ]
        : [];
  return {
    world: { ...world, markets: [{ ...market, endsAt, ...(moved && { moved }) }] },
    steps: [...steps, ...chats.map((one) => ({ ...ask(one, { kind: 'remind', minutes: BEFORE }), at: start + 3 * SECOND })), ...troubles],
    moment: random.chance(0.5) ? { at: due + random.whole(-2_000, 20_000) } : when,
    lasts: endsAt - start + 30 * SECOND,
    isDense: true,
  };
}

const dueIn = (start: number): number => Math.ceil((start + 1) / (3_600 * SECOND)) * 3_600 * SECOND;

function digest(base: Base, moment: (due: number) => { readonly at: number }): Situation & Required<Pick<Situation, 'steps'>> {
  const { chat, random, start, watched } = base;
  const due = dueIn(start);
  // Checked again as it is composed.
  const rows = [due - random.whole(500, 12_000), due + random.whole(-1_500, 300), due + random.whole(0, 20_000)];
  return {
    world: {
      // With a price a list knows what an amount is worth.
      rows: rows.map((at, index) => rowAt({ ...MUCH, amount: 20_001 + index }, Math.max(at, watched), index)),
      // What it compares with is asked of the service.
      values: [{ project: PROJECT, at: start, price: '1.5', navPerShare: '1.2', runway: '20' }],
    },
    steps: [{ ...ask(chat, { kind: 'digest', hour: new Date(due).getUTCHours() }), at: start + 2 * SECOND }],
    moment: moment(due),
    on: ['premium'],
  };
}
