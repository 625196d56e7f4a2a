/** Minutes in which chats follow one proposal or launch alone, or mute one of a project that they watch; the others of the project go on beside it. */
import { SECOND } from '../../../src/base/clock.js';
import { address, type Address } from '../../../src/chat/address.js';
import type { Random } from '../machine/random.js';
import type { Launch, Market } from '../world/world.js';
import { PLATFORMS, PROJECTS, type Ask, type Followed, type Scenario, type Timed } from './scenario.js';

const LENGTH = 270 * SECOND;
const [PROJECT] = PROJECTS;
const KEYS = ['j3TNPhPFwWpMA37Vmd6jgv99rZgYUAN2teNAtLN3XSg', '4UonDxjnDwkfjbB933pum4LpbSFg9UpaSQrxXyN2jLqp'] as const;
const LAUNCH_KEY = '7EZEb9hnCx4uKgE2xVBnzkCdLDaXLkTrwPEBe3E6fXt8';

export function followed(seed: number, random: Random): Scenario {
  const start = Date.UTC(2026, 10, 20, 12) + random.whole(0, 59) * SECOND;
  const calm = start + LENGTH;
  const chats = Array.from({ length: random.whole(1, 2) }, (_, index) => address(random.pick(PLATFORMS), `chat-${index}`));
  const markets = KEYS.map((key, index) => marketOf(random, { start, key, title: `Market ${index + 1}` }));
  const launches = seed % 3 === 0 ? [launchOf(random, start)] : [];
  const [first, second] = markets.map(nameOfMarket);
  const [launch] = launches.map(({ title }): Followed => ({ title, key: LAUNCH_KEY, of: 'launches' }));
  return {
    seed,
    profile: 'followed',
    start,
    calm,
    ambiguous: random.chance(0.5) ? 'repeat' : 'hold',
    pollSeconds: 15,
    tickSeconds: 1,
    requestsPerMonth: undefined,
    faultRates: { service: random.pick([0, 0, 0.02]), platform: random.pick([0, 0.1]) },
    slowestAnswer: 80,
    processes: 1,
    world: { projects: [PROJECT], rows: [], markets, values: [], holdings: [], launches, growth: [], tranches: [], navs: [] },
    chats,
    steps: [
      ...chats.flatMap((chat) =>
        seed % 2 === 0
          ? following(chat, random, { start, one: launch ?? first, other: second })
          : muting(chat, random, { start, one: launch ?? first }),
      ),
      ...disturbed(random, start),
    ].toSorted((a, b) => a.at - b.at),
  };
}

const nameOfMarket = ({ title, project, key = '' }: Market): Followed => ({ title, key, of: project });

/** It is live for longer than a check and a delivery take, so that each stage is a message of its own. */
function marketOf(random: Random, { start, key, title }: { readonly start: number; readonly key: string; readonly title: string }): Market {
  const liveAt = start + random.whole(72, 90) * SECOND;
  return {
    ...{ project: PROJECT, title, key, liveAt },
    createdAt: start - random.whole(20, 90) * SECOND,
    endsAt: liveAt + random.whole(120, 150) * SECOND,
    result: random.pick(['passed', 'failed'] as const),
  };
}

function launchOf(random: Random, start: number): Launch {
  const liveAt = start + random.whole(72, 85) * SECOND;
  return {
    ...{ project: PROJECT, title: 'Lagoon', key: LAUNCH_KEY, liveAt },
    createdAt: start - 30 * SECOND,
    endsAt: liveAt + random.whole(125, 150) * SECOND,
    result: 'refunding',
  };
}

interface Topics {
  readonly start: number;
  readonly one: Followed | undefined;
  readonly other?: Followed | undefined;
}

/** The project is not watched. Some chats follow another one as well, give one up, or watch the project later. */
function following(chat: Address, random: Random, { start, one, other }: Topics): readonly Timed[] {
  if (one === undefined || other === undefined) return [];
  const asked: Timed[] = [];
  const ask = (seconds: number, what: Ask): number => asked.push({ kind: 'ask', chat, at: start + seconds * SECOND, ask: what });
  ask(random.whole(1, 12), { kind: 'follow', one });
  if (random.chance(0.25)) ask(random.whole(14, 20), { kind: 'follow', one: other });
  if (random.chance(0.25)) ask(random.whole(22, 190), { kind: 'unfollow', one });
  if (random.chance(0.25)) muted(ask, random, one);
  return asked;
}

function muting(chat: Address, random: Random, { start, one }: Topics): readonly Timed[] {
  if (one === undefined) return [];
  const asked: Timed[] = [];
  const ask = (seconds: number, what: Ask): number => asked.push({ kind: 'ask', chat, at: start + seconds * SECOND, ask: what });
  ask(1, { kind: 'watch', project: PROJECT });
  muted(ask, random, one);
  return asked;
}

function muted(ask: (seconds: number, what: Ask) => number, random: Random, one: Followed): void {
  const at = random.whole(22, 150);
  const minutes = random.pick([0.5, 1, 2]);
  ask(at, { kind: 'mute', minutes, one });
  if (random.chance(0.5)) ask(at + random.whole(5, minutes * 60 - 5), { kind: 'unmute', one });
}

/** Kills between any two writes and requests, and an outage of the service. */
function disturbed(random: Random, start: number): readonly Timed[] {
  const kills = Array.from({ length: random.whole(0, 2) }, (): Timed => ({
    kind: random.chance(0.75) ? 'kill' : 'stop',
    down: random.whole(0, 8_000),
    after: random.whole(0, 12),
    at: start + random.whole(15, 220) * SECOND,
  }));
  if (!random.chance(0.15)) return kills;
  const at = start + random.whole(20, 150) * SECOND;
  return [...kills, { kind: 'service', down: true, at }, { kind: 'service', down: false, at: at + random.whole(2, 25) * SECOND }];
}
