/**
 * Chats that watch all projects and make exceptions: what other seeds ask of one project is asked of a project that only the entry for all projects covers.
 * Some are muted, excluded and brought back as well.
 */
import { SECOND } from '../../../src/base/clock.js';
import type { Random } from '../machine/random.js';
import { brief } from './brief.js';
import { hours } from './hours.js';
import { minutes } from './minutes.js';
import type { Ask, Scenario, Timed } from './scenario.js';

type Asked = Extract<Timed, { kind: 'ask' }>;

export function exceptions(seed: number, random: Random): Scenario {
  const base = seed % 5 === 0 ? hours(seed, random) : seed % 5 < 3 ? minutes(seed, random) : brief(seed, random);
  const { chats, steps, world } = base;
  // A mute of a project delays its other kinds too, of which nothing else is expected here.
  const ledgers = { ...world, markets: [] };
  const asks = chats.flatMap((chat) => [
    ...coveredByAll(steps.filter((step): step is Asked => step.kind === 'ask' && step.chat === chat)),
    ...more(chat, random, base),
  ]);
  const others = steps.filter(({ kind }) => kind !== 'ask' && kind !== 'delete');
  return { ...base, world: ledgers, steps: [...asks, ...others].toSorted((a, b) => a.at - b.at) };
}

/** The first watch is one of all projects; presets and whole lists are not for one project. */
function coveredByAll(asks: readonly Asked[]): readonly Timed[] {
  const first = asks.find(({ ask }) => ask.kind === 'watch' || ask.kind === 'import');
  return asks.flatMap((step): readonly Timed[] => {
    const { ask } = step;
    const to = (other: Ask): Timed => ({ ...step, ask: other });
    if (step === first)
      return [
        to({ kind: 'watch', project: 'all' }),
        ...(ask.kind === 'import' ? (ask.off ?? []).map((feed) => to({ kind: 'mode', project: 'all', feed, on: false })) : []),
      ];
    if (ask.kind === 'import' || ask.kind === 'age' || (ask.kind === 'preset' && ask.project !== 'all')) return [];
    return [step];
  });
}

function more(chat: Asked['chat'], random: Random, { start, calm, world }: Scenario): readonly Timed[] {
  const length = calm - start;
  const asked: Timed[] = [];
  const ask = (at: number, what: Ask): number => asked.push({ kind: 'ask', chat, at: Math.min(calm, at), ask: what });
  // Long enough after the watch.
  const moment = (): number => start + random.whole(Math.floor(length / 4), length);
  const later = (at: number): number => at + random.whole(1, Math.ceil(length / 4 / SECOND)) * SECOND;
  if (random.chance(0.5)) {
    const [at, project] = [moment(), random.pick(world.projects)];
    ask(at, { kind: 'mute', project, minutes: Math.max(0.25, Math.round(length / 240_000)) });
    if (random.chance(0.3)) ask(later(at), { kind: 'unmute', project });
  }
  // A rule begins when its project comes back, which the oracle of thresholds does not follow.
  if (world.values.length === 0 && random.chance(0.4)) {
    const [at, project] = [moment(), random.pick(world.projects)];
    ask(at, { kind: 'unwatch', project });
    if (random.chance(0.5)) ask(later(at), { kind: 'watch', project });
  }
  if (random.chance(0.4)) ask(moment(), { kind: 'filter', project: random.pick(world.projects), usd: random.pick([400, 30_000]) });
  if (random.chance(0.3))
    ask(moment(), { kind: 'mode', project: random.pick(world.projects), feed: random.pick(['supply', 'vesting']), on: random.chance(0.5) });
  return asked;
}
