/** The people of the chats: what they ask is asked again until the bot has said yes, also of its next life. */
import { SECOND } from '../../../src/base/clock.js';
import { platformOf, type Address } from '../../../src/chat/address.js';
import type { Inbound, SentFile } from '../../../src/chat/inbound.js';
import type { Reply } from '../../../src/chat/reply.js';
import { lineText } from '../../../src/chat/plain-text.js';
import type { ChatEvent } from '../../../src/chat/platform.js';
import type { Time } from '../machine/time.js';
import { movedAddress } from '../platform/platform.js';
import { lineOf, saysYes } from '../scenario/lines.js';
import type { Ask } from '../scenario/scenario.js';
import type { Fleet } from './fleet.js';

/** Something a chat asked for: when it first did, and when the bot had said yes. */
export interface Request {
  readonly chat: Address;
  readonly ask: Ask;
  readonly askedAt: number;
  /** When it was asked last, and answered. */
  readonly triedAt: number;
  readonly doneAt: number;
  /** It said that the chat does not watch what the question is about. */
  readonly isUnwatched: boolean;
}

/** `refusal`: what the bot said last, if anything. */
export interface Unanswered {
  readonly chat: Address;
  readonly ask: Ask;
  readonly askedAt: number;
  readonly refusal: string | undefined;
}

export interface People {
  readonly requests: readonly Request[];
  ask(chat: Address, ask: Ask): void;
  /** What the platform reports of a chat, until it is taken. */
  report(event: ChatEvent): void;
  move(chat: Address): void;
  addressOf(chat: Address): Address;
  /** A process has become active. */
  begin(): void;
  /** Asks without a yes yet. */
  unanswered(): readonly Unanswered[];
  /** One question at the end; undefined: nobody answers. */
  question(chat: Address, line: string): Promise<Reply | undefined>;
}

/** In ticks of the bot. */
const PATIENCE = 5;

interface Errand {
  readonly start: () => void;
  readonly chat: Address;
  readonly ask: Ask | undefined;
  readonly askedAt: number;
}

export function createPeople(time: Time, fleet: () => Fleet, tickSeconds: number): People {
  const patience = PATIENCE * tickSeconds * SECOND;
  const requests: Request[] = [];
  let asked = 0;
  const moved = new Set<Address>();
  /** By platform, in the order in which they happened. */
  const reports = new Map<string, ChatEvent[]>();
  const lines = new Map<Address, Ask[]>();
  let errands: readonly Errand[] = [];
  const refusals = new Map<Ask, string>();
  const addressOf = (chat: Address): Address => (moved.has(chat) ? movedAddress(chat) : chat);

  const inbound = (chat: Address, line: string, files: readonly SentFile[] = []): Inbound => ({
    chat: addressOf(chat),
    // Each has an allowance of requests.
    from: { id: `${platformOf(chat)}/person-${(asked += 1)}`, name: 'Ada', manages: async () => true },
    circles: [],
    ask: { line },
    ...(files.length === 0 ? {} : { files }),
  });
  const answered = async (chat: Address, ask: Ask): Promise<Reply | undefined> => {
    const deps = fleet().deps(chat);
    const isMoving = reports.get(platformOf(chat))?.some((event) => event.kind === 'moved' && event.from === chat) === true;
    // Updates come in order: what is asked in the new group, once the bot has taken the move.
    if (deps === undefined || isMoving) return undefined;
    if (ask.kind !== 'import') return deps.answer(inbound(chat, lineOf(ask)));
    const preview = await deps.answer(inbound(chat, lineOf(ask), [listOf(ask)]));
    const [button] = preview.actions;
    return button?.label === 'Import' ? deps.answer(inbound(chat, button.line)) : preview;
  };
  /** Repeated until `attempt` says that it was done; an attempt in a killed process never ends, so the next life is asked as well. */
  const until = (about: Omit<Errand, 'start'>, attempt: () => Promise<boolean>): void => {
    const start = (): void => {
      void attempt().then(
        (isDone) => {
          if (isDone) errands = errands.filter((one) => one !== errand);
          else time.at(time.now() + patience, () => errands.includes(errand) && start());
        },
        () => void time.at(time.now() + patience, () => errands.includes(errand) && start()),
      );
    };
    const errand: Errand = { ...about, start };
    errands = [...errands, errand];
    start();
  };

  const begin = (chat: Address, ask: Ask): void => {
    const askedAt = time.now();
    let isDone = false;
    until({ chat, ask, askedAt }, async () => {
      const triedAt = time.now();
      const reply = await answered(chat, ask);
      if (reply === undefined) return false;
      const finding = lineText(reply.finding, time.now());
      if (!saysYes(ask, reply.tone, finding)) {
        refusals.set(ask, finding);
        return false;
      }
      // Two lives may answer it.
      if (isDone) return true;
      isDone = true;
      requests.push({ chat, ask, askedAt, triedAt, doneAt: time.now(), isUnwatched: reply.tone === 'warning' });
      if (ask.kind === 'hostile') return true;
      lines.get(chat)?.shift();
      const next = lines.get(chat)?.[0];
      if (next !== undefined) begin(chat, next);
      return true;
    });
  };

  /** As platforms do: the next one once the bot has taken this one. */
  const tellNext = (events: ChatEvent[]): void => {
    const [event] = events;
    if (event === undefined) return;
    const chat = chatOf(event);
    until({ chat, ask: undefined, askedAt: time.now() }, async () => {
      if (events[0] !== event) return true;
      const deps = fleet().deps(chat);
      if (deps === undefined) return false;
      await deps.onChatEvent(event);
      // Two lives may take it.
      if (events[0] !== event) return true;
      events.shift();
      tellNext(events);
      return true;
    });
  };

  return {
    requests,
    addressOf,
    move: (chat) => void moved.add(chat),
    begin() {
      for (const errand of errands) errand.start();
    },
    unanswered: () =>
      errands.flatMap(({ chat, ask, askedAt }) => (ask === undefined ? [] : [{ chat, ask, askedAt, refusal: refusals.get(ask) }])),
    ask(chat, ask) {
      // One after another, but for what only disturbs.
      const line = lines.get(chat) ?? [];
      lines.set(chat, line);
      if (ask.kind !== 'hostile') line.push(ask);
      if (ask.kind === 'hostile' || line.length === 1) begin(chat, ask);
    },
    report(event) {
      const platform = platformOf(chatOf(event));
      const all = reports.get(platform) ?? [];
      reports.set(platform, all);
      all.push(event);
      if (all.length === 1) tellNext(all);
    },
    question: async (chat, line) => fleet().deps(chat)?.answer(inbound(chat, line)),
  };
}

const chatOf = (event: ChatEvent): Address => ('chat' in event ? event.chat : event.from);

function listOf({ projects, off }: Extract<Ask, { kind: 'import' }>): SentFile {
  const text = JSON.stringify({
    navwatch: 'watchlist',
    version: 2,
    entries: projects.map((project) => ({ project, preset: 'important', off })),
  });
  return { name: 'list.json', size: text.length, read: async () => text };
}
