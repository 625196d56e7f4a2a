/** First and requested checks precede late ones, in half of the slots (docs/operations.md). */
import type { Audience } from '../alerts/watchlist/subscribers.js';
import { MINUTE, type Instant } from '../base/clock.js';
import { taskKey, type Task } from './wanted-checks.js';
import type { DueCheck } from './plan.js';
import { MAX_FIRST_RUNNING, MAX_RUNNING, createTurns } from './plan/check-order.js';
import type { OverdueCheck } from '../alerts/checks/check-records.js';

/** Never ran, or requested. */
export interface FirstCheck {
  readonly task: Task;
  readonly since: Instant;
  readonly neverRan: boolean;
}

export interface CheckRequest extends FirstCheck {
  readonly owner: string;
  /** Cached responses do not count. */
  readonly again: boolean;
}

export interface SlotOffer {
  readonly first: readonly FirstCheck[];
  /** The next one first. */
  readonly late: readonly DueCheck[];
  /** Others are dropped. */
  readonly isWanted: (key: string) => boolean;
}

export interface Slots {
  offer(offer: SlotOffer): void;
  /** Whether the service answered; false if no longer wanted. */
  request(request: CheckRequest): Promise<boolean>;
  /** By key. */
  running(): ReadonlySet<string>;
  waiting(): { readonly first: readonly FirstCheck[]; readonly late: readonly DueCheck[] };
  close(): void;
  idle(): Promise<void>;
}

export interface SlotsContext {
  readonly run: (task: Task, again: boolean) => Promise<boolean>;
  readonly affordable: (running: Iterable<string>) => (key: string) => boolean;
}

interface Candidate extends FirstCheck {
  readonly request?: Pick<CheckRequest, 'owner' | 'again'> & {
    readonly end: Promise<boolean>;
    readonly ends: (ran: boolean | Promise<boolean>) => void;
  };
}

export function createSlots({ run, affordable }: SlotsContext): Slots {
  const running = new Map<string, { readonly end: Promise<boolean>; readonly isFirst: boolean }>();
  const first = new Map<string, Candidate>();
  const late = new Map<string, DueCheck>();
  const turns = createTurns<Owner>();
  const closing = new AbortController();

  const nextFirst = (canAfford: (key: string) => boolean): Candidate | undefined => {
    if ([...running.values()].filter(({ isFirst }) => isFirst).length >= MAX_FIRST_RUNNING) return undefined;
    const ready = [...first].flatMap(([key, one]) => (!running.has(key) && canAfford(key) ? [one] : []));
    return ready.length === 0 ? undefined : turns.next((owner) => ready.find((one) => isOwnedBy(one, owner)));
  };
  const nextLate = (canAfford: (key: string) => boolean): DueCheck | undefined => {
    for (const [key, one] of late) if (!running.has(key) && canAfford(key)) return one;
    return undefined;
  };

  const start = ({ task, request }: Pick<Candidate, 'task' | 'request'>, isFirst: boolean): void => {
    const key = taskKey(task);
    first.delete(key);
    late.delete(key);
    const end = run(task, request?.again ?? false).finally(() => {
      running.delete(key);
      fill();
    });
    running.set(key, { end, isFirst });
    request?.ends(end);
  };

  const fill = (): void => {
    while (!closing.signal.aborted && running.size < MAX_RUNNING) {
      const canAfford = affordable(running.keys());
      const firstCheck = nextFirst(canAfford);
      const next = firstCheck ?? nextLate(canAfford);
      if (next === undefined) return;
      start(next, firstCheck !== undefined);
    }
  };

  const drop = (key: string): void => {
    first.get(key)?.request?.ends(false);
    first.delete(key);
  };

  return {
    offer(offer) {
      if (closing.signal.aborted) return;
      const due = new Set(offer.first.map(({ task }) => taskKey(task)));
      for (const [key, { request }] of [...first]) if (!due.has(key) && (request === undefined || !offer.isWanted(key))) drop(key);
      for (const one of offer.first) {
        const key = taskKey(one.task);
        if (!running.has(key)) first.set(key, { ...first.get(key), ...one });
      }
      late.clear();
      for (const one of offer.late) if (!running.has(taskKey(one.task))) late.set(taskKey(one.task), one);
      turns.keep(ownersOf(first.values()));
      fill();
    },

    async request({ task, since, neverRan, owner, again }) {
      const key = taskKey(task);
      const under = running.get(key);
      if (under !== undefined && !again) return under.end;
      if (closing.signal.aborted) return false;
      const before = first.get(key);
      if (before?.request !== undefined && (before.request.again || !again)) return before.request.end;
      let ends: (ran: boolean | Promise<boolean>) => void = () => {};
      const end = new Promise<boolean>((resolve) => {
        ends = resolve;
      });
      before?.request?.ends(end);
      const known = before ?? { since, neverRan };
      first.set(key, { ...known, task: { ...before?.task, ...task }, request: { owner, again, end, ends } });
      turns.join(owner);
      fill();
      return end;
    },

    running: () => new Set(running.keys()),
    waiting: () => ({ first: [...first.values()], late: [...late.values()] }),
    close() {
      closing.abort();
      late.clear();
      for (const key of [...first.keys()]) drop(key);
    },
    async idle() {
      while (running.size > 0) await Promise.all([...running.values()].map(async ({ end }) => end));
    },
  };
}

type Owner = string | Audience;

const MAX_OWN_TURNS = 16;

const isOwnedBy = ({ task, request }: Candidate, owner: Owner): boolean =>
  typeof owner === 'string'
    ? request?.owner === owner || (task.chats ?? []).some((chats) => chats.has(owner))
    : (task.chats ?? []).includes(owner);

function ownersOf(candidates: Iterable<Candidate>): ReadonlySet<Owner> {
  const audiences = new Set<Audience>();
  const owners = new Set<Owner>();
  for (const { task, request } of candidates) {
    if (request !== undefined) owners.add(request.owner);
    for (const chats of task.chats ?? []) audiences.add(chats);
  }
  for (const chats of audiences) {
    if (chats.size > MAX_OWN_TURNS) owners.add(chats);
    else for (const chat of chats) owners.add(chat);
  }
  return owners;
}

const MIN_WAIT = MINUTE;

/** Checks that wait long for a slot: late by more than their interval, or never run. */
export function overdueChecks({ first, late }: ReturnType<Slots['waiting']>, now: Instant): ReadonlyMap<string, OverdueCheck> {
  const overdue = new Map<string, OverdueCheck>();
  for (const { task, at, every } of late)
    if (now - at > Math.max(every, MIN_WAIT)) overdue.set(taskKey(task), { since: at, neverRan: false });
  for (const { task, since, neverRan } of first) if (neverRan && now - since > MIN_WAIT) overdue.set(taskKey(task), { since, neverRan });
  return overdue;
}
