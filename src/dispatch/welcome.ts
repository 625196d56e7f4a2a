/**
 * What the bot says when it comes into a chat: three things to type. Once a chat: that it was greeted is written before it is said, so a crash leaves
 * a greeting out rather than repeating it.
 */
import { createHash } from 'node:crypto';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { circleOf, type Address } from '../chat/address.js';
import type { Outcome, DeliveryRequest } from '../chat/notifier.js';
import type { OnChatEvent } from '../chat/platform.js';
import { reply, type Reply } from '../chat/reply.js';
import { mayAsk, type Access } from './access.js';
import { accessHint, NOT_LISTED } from './error-sentences.js';
import { line } from '../replies/blocks.js';

/** The greeting; `hints` are sentences of the chat's platform. */
export const welcome = (hints: readonly string[]): Reply =>
  reply({
    finding: [
      { strong: 'I watch ownership coins' },
      ': their treasuries, premiums, supply, proposals and launches, and wallets that hold them',
    ],
    blocks: [
      line('Three things to type:'),
      {
        kind: 'list',
        items: [
          { line: [{ code: '/watch' }, ': be told here what is new of a project, a wallet, or everything'] },
          { line: [{ code: '/overview' }, ': how all projects stand now'] },
          { line: [{ code: '/help' }, ': everything else that can be asked'] },
        ],
      },
      ...hints.map((says) => line(says)),
    ],
    actions: [
      { label: 'Watch', line: '/watch' },
      { label: 'Overview', line: '/overview' },
      { label: 'Help', line: '/help' },
    ],
  });

/** Where the operator has not let the chat in, it says so instead, with what would have to be listed. */
const notListed = (circles: readonly string[]): Reply =>
  reply({ tone: 'warning', finding: [NOT_LISTED], blocks: [line(...accessHint(circles))] });

export interface GreeterDeps {
  readonly watchlists: Watchlists;
  readonly access: Access;
  /** As in `DispatcherNeeds`. */
  readonly formerNames: (circle: string) => readonly string[];
  /** What the platform of a chat adds to the greeting. */
  readonly hints: (chat: Address) => readonly string[];
  readonly deliver: (to: Address, delivery: DeliveryRequest) => Promise<Outcome>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Takes what platforms learn about chats: greets where we were added, and forgets that it did where we are gone and nothing else is kept. Rejects with
 * the store's error, and then nothing was said.
 */
export function createGreeter({ watchlists, access, formerNames, hints, deliver, clock, log }: GreeterDeps): OnChatEvent {
  return async (news) => {
    const { chat } = news.kind === 'moved' ? { chat: news.to } : news;
    if (news.kind === 'gone') {
      if (isGreetedOnly(watchlists, chat)) await watchlists.forget(chat);
      return;
    }
    if (news.kind !== 'joined' || !(await isFirst(chat))) return;
    const circles = news.circles ?? [circleOf(chat)];
    const isListed = mayAsk({ circles: circles.flatMap((circle) => [circle, ...formerNames(circle)]) }, access);
    const delivery = { id: deliveryId(chat), reply: isListed ? welcome(hints(chat)) : notListed(circles) };
    const { kind } = await deliver(chat, delivery);
    log.info('chat.greeted', { chat, outcome: kind });
  };

  /** One of several who are told the same at once. */
  async function isFirst(chat: Address): Promise<boolean> {
    let first = false;
    await watchlists.change(chat, (before) => {
      first = before.greetedAt === undefined;
      return first ? { ...before, greetedAt: clock.now() } : before;
    });
    return first;
  }
}

/** Whether the greeting is all that is known of a chat: its document was made for it. */
function isGreetedOnly(watchlists: Watchlists, chat: Address): boolean {
  const { address: _, entries, greetedAt, absence: _absence, ...rest } = watchlists.read(chat);
  return greetedAt !== undefined && entries.length === 0 && Object.values(rest).every((value) => value === undefined);
}

/** Derived, so that a platform that knows repeats knows this one. */
const deliveryId = (chat: Address): string => createHash('sha256').update(`welcome ${chat}`).digest('base64url').slice(0, 22);
