/** The message for the events of one delivery: one event speaks for itself, several are listed exactly under a heading. Pure. */
import { instant } from '../base/clock.js';
import { reply, type Line, type Reply } from '../chat/reply.js';
import type { NewsEvent } from '../domain/event.js';
import type { Telling } from '../feeds/feed.js';
import type { Member } from './queue.js';

export interface Told {
  readonly member: Member;
  readonly event: NewsEvent;
  readonly telling: Telling;
}

/** `id` is the delivery's: by it "Why?" finds the way back. */
export function compose(id: string, told: readonly [Told, ...Told[]]): Reply {
  const [first] = told;
  const entries = new Set(told.map(({ member }) => member.entry));
  const actions = [
    ...(told.length === 1 ? first.telling.actions : []),
    ...[...entries].slice(0, 1).map((entry) => ({ label: 'Mute 24 h', line: entries.size === 1 ? `/mute ${entry} 24h` : '/mute 24h' })),
    { label: 'Why?', line: `/why ${id}` },
  ];
  const asOf = instant(Math.min(...told.map(({ event }) => event.seenAt)));
  if (told.length === 1) {
    const { tone, headline, details } = first.telling;
    return reply({ tone, finding: headline, blocks: details.map((line) => ({ kind: 'line', line })), actions, asOf });
  }
  const names = [...new Set(told.map(({ telling }) => telling.about))];
  return reply({
    finding: [{ strong: `${told.length} changes` }, names.length === 1 ? ` at ${first.telling.about}` : ` at ${places(told)}`],
    blocks: [
      { kind: 'list', items: told.map(({ telling }) => ({ tone: telling.tone, line: telling.headline, detail: joined(telling.details) })) },
    ],
    actions,
    asOf,
  });
}

/** "2 projects and 1 wallet", each counted once. */
function places(told: readonly Told[]): string {
  const named = (isWallet: boolean): number =>
    new Set(told.filter(({ event }) => (event.wallet !== undefined) === isWallet).map(({ telling }) => telling.about)).size;
  const counted = [
    [named(false), 'project'],
    [named(true), 'wallet'],
  ] as const;
  return counted.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`])).join(' and ');
}

const joined = (details: readonly Line[]): Line | undefined =>
  details.length === 0 ? undefined : details.flatMap((line, index) => (index === 0 ? line : [' · ', ...line]));
