/** This module assigns slots to checks. First and requested checks precede late ones in half of the slots (docs/operations.md). */
import type { Audience } from '../alerts/watchlist/subscribers.js';
import { MINUTE, type Instant } from '../base/clock.js';
import { taskKey, type Task } from './wanted-checks.js';
import type { DueCheck } from './plan.js';
import { MAX_FIRST_RUNNING, MAX_RUNNING, createTurns } from './plan/check-order.js';
import type { OverdueCheck } from '../alerts/checks/check-records.js';

/** A check that never ran, or that was requested. */
export interface FirstCheck {
  readonly task: Task;
  readonly since: Instant;
  readonly neverRan: boolean;
}

export interface CheckRequest extends FirstCheck {
  readonly owner: string;
  /** Cached responses must not be used. */
  readonly again: boolean;
}

export interface SlotOffer {
  readonly first: readonly FirstCheck[];
  /** The most urgent check is first. */
  readonly late: readonly DueCheck[];
  /** Waiting checks that are not wanted are dropped. */
  readonly isWanted: (key: string) => boolean;
}

export interface SlotsContext {
  readonly run: (task: Task, again: boolean) => Promise<boolean>;
  readonly affordable: (running: Iterable<string>) => (key: string) => boolean;
}

export interface WaitingChecks {
  readonly first: readonly FirstCheck[];
  readonly late: readonly DueCheck[];
}

interface Candidate extends FirstCheck {
  readonly request?: Pick<CheckRequest, 'owner' | 'again'> & {
    readonly end: Promise<boolean>;
    readonly ends: (ran: boolean | Promise<boolean>) => void;
  };
}

export class CheckSlots {
  readonly #context: SlotsContext;
  readonly #running = new Map<string, { readonly end: Promise<boolean>; readonly isFirst: boolean }>();
  readonly #first = new Map<string, Candidate>();
  readonly #late = new Map<string, DueCheck>();
  readonly #turns = createTurns<Owner>();
  #isClosed = false;

  constructor(context: SlotsContext) {
    this.#context = context;
  }

  offer({ first, late, isWanted }: SlotOffer): void {
    if (this.#isClosed) return;
    const due = new Set(first.map(({ task }) => taskKey(task)));
    for (const [key, { request }] of [...this.#first]) if (!due.has(key) && (request === undefined || !isWanted(key))) this.#drop(key);
    for (const one of first) {
      const key = taskKey(one.task);
      if (!this.#running.has(key)) this.#first.set(key, { ...this.#first.get(key), ...one });
    }
    this.#late.clear();
    for (const one of late) if (!this.#running.has(taskKey(one.task))) this.#late.set(taskKey(one.task), one);
    this.#turns.keep(ownersOf(this.#first.values()));
    this.#fill();
  }

  /** Runs a check as soon as it gets a slot. Resolves with whether the service answered; false if the check is no longer wanted. */
  async request({ task, since, neverRan, owner, again }: CheckRequest): Promise<boolean> {
    const key = taskKey(task);
    const under = this.#running.get(key);
    if (under !== undefined && !again) return under.end;
    if (this.#isClosed) return false;
    const before = this.#first.get(key);
    if (before?.request !== undefined && (before.request.again || !again)) return before.request.end;
    let ends: (ran: boolean | Promise<boolean>) => void = () => {};
    const end = new Promise<boolean>((resolve) => {
      ends = resolve;
    });
    before?.request?.ends(end);
    const known = before ?? { since, neverRan };
    this.#first.set(key, { ...known, task: { ...before?.task, ...task }, request: { owner, again, end, ends } });
    this.#turns.join(owner);
    this.#fill();
    return end;
  }

  /** Returns the keys of running checks. */
  running(): ReadonlySet<string> {
    return new Set(this.#running.keys());
  }

  waiting(): WaitingChecks {
    return { first: [...this.#first.values()], late: [...this.#late.values()] };
  }

  close(): void {
    this.#isClosed = true;
    this.#late.clear();
    for (const key of [...this.#first.keys()]) this.#drop(key);
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(async ({ end }) => end));
  }

  #fill(): void {
    while (!this.#isClosed && this.#running.size < MAX_RUNNING) {
      const canAfford = this.#context.affordable(this.#running.keys());
      const firstCheck = this.#nextFirst(canAfford);
      const next = firstCheck ?? this.#nextLate(canAfford);
      if (next === undefined) return;
      this.#start(next, firstCheck !== undefined);
    }
  }

  #nextFirst(canAfford: (key: string) => boolean): Candidate | undefined {
    if ([...this.#running.values()].filter(({ isFirst }) => isFirst).length >= MAX_FIRST_RUNNING) return undefined;
    const ready = [...this.#first].flatMap(([key, one]) => (!this.#running.has(key) && canAfford(key) ? [one] : []));
    return ready.length === 0 ? undefined : this.#turns.next((owner) => ready.find((one) => isOwnedBy(one, owner)));
  }

  #nextLate(canAfford: (key: string) => boolean): DueCheck | undefined {
    for (const [key, one] of this.#late) if (!this.#running.has(key) && canAfford(key)) return one;
    return undefined;
  }

  #start({ task, request }: Pick<Candidate, 'task' | 'request'>, isFirst: boolean): void {
    const key = taskKey(task);
    this.#first.delete(key);
    this.#late.delete(key);
    const end = this.#context.run(task, request?.again ?? false).finally(() => {
      this.#running.delete(key);
      this.#fill();
    });
    this.#running.set(key, { end, isFirst });
    request?.ends(end);
  }

  #drop(key: string): void {
    this.#first.get(key)?.request?.ends(false);
    this.#first.delete(key);
  }
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

/** Returns checks that wait too long for a slot: late by more than their interval, or never run. */
export function overdueChecks({ first, late }: WaitingChecks, now: Instant): ReadonlyMap<string, OverdueCheck> {
  const overdue = new Map<string, OverdueCheck>();
  for (const { task, at, every } of late)
    if (now - at > Math.max(every, MIN_WAIT)) overdue.set(taskKey(task), { since: at, neverRan: false });
  for (const { task, since, neverRan } of first) if (neverRan && now - since > MIN_WAIT) overdue.set(taskKey(task), { since, neverRan });
  return overdue;
}
