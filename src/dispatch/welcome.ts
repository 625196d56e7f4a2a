/** Greets a new chat. After a crash the greeting may be missing but is never repeated. */
import { createHash } from 'node:crypto';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { circleOf, type Address } from '../chat/address.js';
import type { DeliveryOutcome, DeliveryRequest } from '../chat/notifier.js';
import type { ManagedChat } from '../chat/inbound.js';
import type { OnChatEvent } from '../chat/platform.js';
import { reply, type Link, type Reply } from '../chat/reply.js';
import { mayAsk, type Access } from './access.js';
import { accessHint, NOT_LISTED } from './error-sentences.js';
import { commandLine, line } from '../reply/index.js';

export const welcome = (hints: readonly string[], links: readonly Link[] = []): Reply =>
  reply({
    finding: [
      { strong: 'I send alerts about ownership coins' },
      ': proposals, launches, mints and burns, premium to NAV, treasuries and wallets.',
    ],
    blocks: [
      {
        kind: 'list',
        items: [
          { line: [{ code: '/watch' }, ': choose what to get alerts about'] },
          { line: [{ code: '/overview' }, ': the whole market at a glance'] },
          { line: [{ code: '/help' }, ': what else you can do'] },
        ],
      },
      ...hints.map((says) => line(says)),
    ],
    links,
    actions: [
      { label: 'Watch', line: '/watch' },
      { label: 'Overview', line: '/overview' },
      { label: 'Help', line: '/help' },
    ],
  });

const notListed = (circles: readonly string[]): Reply =>
  reply({ tone: 'warning', finding: [NOT_LISTED], blocks: [line(...accessHint(circles))] });

/** Words that the bot was added. `refused` has the ids to list if the channel is not allowed. */
const added = ({ channel, name }: ManagedChat, refused: readonly string[] | undefined): Reply =>
  reply({
    tone: refused === undefined ? 'plain' : 'warning',
    finding: [{ strong: `I was added to ${name}` }, '. Nothing was posted there.'],
    blocks:
      refused === undefined
        ? [line('Set it up from here: no command has to be typed before its subscribers.')]
        : [line(NOT_LISTED), line(...accessHint(refused))],
    actions: [{ label: refused === undefined ? 'Set up' : 'Try again', line: commandLine('manage', channel) }],
  });

export interface GreeterDeps {
  readonly watchlists: Watchlists;
  readonly access: Access;
  readonly formerNames: (circle: string) => readonly string[];
  readonly hints: (chat: Address) => readonly string[];
  readonly deliver: (to: Address, delivery: DeliveryRequest) => Promise<DeliveryOutcome>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the greeter. It rejects with the store's error before anything is sent. */
export function createGreeter({ watchlists, access, formerNames, hints, deliver, clock, log }: GreeterDeps): OnChatEvent {
  return async (event) => {
    const { chat } = event.kind === 'moved' ? { chat: event.to } : event;
    if (event.kind === 'gone') {
      if (isGreetedOnly(watchlists, chat)) await watchlists.forget(chat);
      return;
    }
    if (event.kind !== 'joined' || !(await isFirst(chat))) return;
    const circles = event.circles ?? [circleOf(chat)];
    const isListed = (more: readonly string[] = []): boolean =>
      mayAsk({ circles: [...circles, ...more].flatMap((circle) => [circle, ...formerNames(circle)]) }, access);
    const id = deliveryId(chat);
    if (event.adder !== undefined) {
      const { kind } = await deliver(event.adder.chat, {
        id,
        reply: added(event.adder, isListed([event.adder.circle]) ? undefined : circles),
      });
      log.info('chat.greeted', { chat, to: event.adder.chat, outcome: kind });
      // On Telegram the bot cannot write to people who never wrote to it.
      if (kind !== 'not-permitted' && kind !== 'gone' && kind !== 'refused') return;
    }
    const { kind } = await deliver(chat, { id, reply: isListed() ? welcome(hints(chat)) : notListed(circles) });
    log.info('chat.greeted', { chat, outcome: kind });
  };

  async function isFirst(chat: Address): Promise<boolean> {
    let first = false;
    await watchlists.change(chat, (before) => {
      first = before.greetedAt === undefined;
      return first ? { ...before, greetedAt: clock.now() } : before;
    });
    return first;
  }
}

function isGreetedOnly(watchlists: Watchlists, chat: Address): boolean {
  const { address: _, entries, greetedAt, absence: _absence, admittedBy: _by, ...rest } = watchlists.read(chat);
  return greetedAt !== undefined && entries.length === 0 && Object.values(rest).every((value) => value === undefined);
}

/** Derives the id from the chat, so that platforms recognise a repetition. */
const deliveryId = (chat: Address): string => createHash('sha256').update(`welcome ${chat}`).digest('base64url').slice(0, 22);
