/** Plays one scenario from its first second until everything that is owed has come, or until it is too late. */
import { DAY, SECOND } from '../../../src/base/clock.js';
import type { Address } from '../../../src/chat/address.js';
import { plainText } from '../../../src/chat/plain-text.js';
import { simulatedDisk, type Disk } from '../machine/disk.js';
import { seeded } from '../machine/random.js';
import { simulatedTime, type Time } from '../machine/time.js';
import { movedAddress, simulatedPlatform, type Platform } from '../platform/platform.js';
import { PLATFORMS, type Scenario, type Sign, type Spoiled, type SpoiltBy, type Timed } from '../scenario/scenario.js';
import { simulatedService, type Service } from '../world/service.js';
import { createFleet, type Fleet } from './fleet.js';
import { createPeople, type People, type Request, type Unanswered } from './people.js';

/** A time in which something did not work, as far as it is known from outside. */
export interface Disturbance {
  readonly what: string;
  readonly from: number;
  readonly to: number;
  /** Undefined: it concerns all chats. */
  readonly platform?: string;
  readonly chat?: Address;
}

export interface Played {
  readonly scenario: Scenario;
  readonly endedAt: number;
  /** Nothing is waited for any longer. */
  readonly givesUpAt: number;
  readonly platforms: readonly Platform[];
  readonly service: Service;
  readonly requests: readonly Request[];
  readonly unanswered: readonly Unanswered[];
  readonly disturbances: readonly Disturbance[];
  readonly fleet: Pick<Fleet, 'kills' | 'pauses' | 'takeovers' | 'stops' | 'downtimes' | 'errors'>;
  readonly storeFailures: number;
  /** Answers to questions at the end, by chat and line. */
  readonly answers: ReadonlyMap<string, string>;
}

export interface PlayOptions {
  /** Whether nothing is owed any more; asked when nothing goes wrong any more. */
  readonly isSettled: (played: Played) => boolean;
  /** In ms, after the calm begins. */
  readonly patience: number;
  /** What is asked at the end. */
  readonly questions: (played: Played) => readonly { readonly chat: Address; readonly line: string }[];
}

/** How long a fault delays what it hits: until the sender gives up, or tries again. */
const SERVICE_PATIENCE = 65 * SECOND;
const PLATFORM_PATIENCE = 25 * SECOND;
const AFTER_FAULT = 10 * SECOND;

/** A wait that the service asks for is kept for a day at most; in short seeds none is that long. */
function delayOf(fault: string, profile: Scenario['profile']): number {
  if (fault === '429 odd' && profile === 'days') return DAY;
  return fault === 'silent' ? SERVICE_PATIENCE : AFTER_FAULT;
}

interface Parts {
  readonly time: Time;
  readonly disk: Disk;
  readonly service: Service;
  readonly platforms: readonly Platform[];
  readonly fleet: Fleet;
  readonly people: People;
  readonly disturbances: Disturbance[];
  readonly spoil: (of: Spoiled, fault: SpoiltBy) => void;
}

/** How often it looks whether anything is owed, and how long nothing more may come then; in ticks of the bot. */
const STRIDE = 10;
const QUIET = 25;

export async function play(scenario: Scenario, { isSettled, patience, questions }: PlayOptions): Promise<Played> {
  const random = seeded(scenario.seed ^ 0x5eed);
  const time = simulatedTime(scenario.start);
  const disturbances: Disturbance[] = [];
  let operation = (): void => {};
  const began = (): void => operation();
  let sign: (one: Sign) => void = () => {};
  const signed = (one: Sign): void => sign(one);
  const spoils: { readonly of: Spoiled; readonly fault: SpoiltBy }[] = [];
  const spoilt = (of: Spoiled): SpoiltBy | undefined => {
    const index = spoils.findIndex((one) => one.of === of);
    return index === -1 ? undefined : spoils.splice(index, 1)[0]?.fault;
  };
  const disk = simulatedDisk({ time, random, began });
  const { faultRates, world, start } = scenario;
  const service = simulatedService({
    world,
    start,
    time,
    random,
    faultRate: faultRates.service,
    isPatient: scenario.profile === 'days',
    slowestAnswer: scenario.slowestAnswer,
    ...{ began, signed, spoilt },
  });
  const platforms = PLATFORMS.map((name) =>
    simulatedPlatform(name, { isExact: name === 'exact', faultRate: faultRates.platform, time, random, began, signed, spoilt }),
  );
  const onActive = (): void => {
    people.begin();
    signed('active');
  };
  const fleet: Fleet = createFleet({ scenario, time, random, disk, service, platforms, onStart: () => signed('start'), onActive });
  const people: People = createPeople(time, () => fleet, scenario.tickSeconds);
  const spoil = (of: Spoiled, fault: SpoiltBy): void => void spoils.push({ of, fault });
  const parts: Parts = { time, disk, service, platforms, fleet, people, disturbances, spoil };

  const armed: { readonly step: Extract<Timed, { after: number }>; left: number }[] = [];
  operation = () => {
    for (const one of [...armed]) {
      one.left -= 1;
      if (one.left >= 0) continue;
      armed.splice(armed.indexOf(one), 1);
      if (one.step.kind === 'kill') fleet.kill(one.step.down);
      else fleet.stop(one.step.down);
    }
  };
  const act = stepper(parts);
  const begin = (step: Timed): void => {
    if (step.kind === 'kill' || step.kind === 'stop') armed.push({ step, left: step.after });
    else act(step);
  };
  const awaited: { readonly step: Timed; left: number }[] = [];
  sign = (seen) => {
    for (const one of [...awaited]) {
      const { step } = one;
      if (step.when?.sign !== seen) continue;
      one.left -= 1;
      if (one.left > 0) continue;
      awaited.splice(awaited.indexOf(one), 1);
      // Nothing begins to go wrong in the calm.
      time.at(Math.min(scenario.calm - 1, time.now() + step.when.wait), () => begin(step));
    }
  };
  for (const step of scenario.steps)
    time.at(step.at, () => {
      if (step.when === undefined) begin(step);
      else awaited.push({ step, left: step.when.nth });
    });

  const answers = new Map<string, string>();
  const played = (): Played => ({
    ...{
      scenario,
      endedAt: time.now(),
      givesUpAt: scenario.calm + patience,
      platforms,
      service,
      requests: people.requests,
      unanswered: people.unanswered(),
      answers,
    },
    disturbances: [
      ...disturbances,
      ...fleet.downtimes.map((one) => ({ what: 'down', ...one })),
      ...service.faults.map(({ what, at }) => ({ what, from: at, to: at + delayOf(what, scenario.profile) })),
      ...platforms.flatMap(({ name: platform, faults }) =>
        faults.map(({ what, at }) => ({
          what,
          platform,
          from: at,
          to: at + (what === 'silent' || what === 'slow' ? PLATFORM_PATIENCE : AFTER_FAULT),
        })),
      ),
    ],
    ...{ fleet, storeFailures: disk.failures() },
  });

  await time.until(scenario.calm);
  armed.splice(0);
  awaited.splice(0);
  spoils.splice(0);
  for (const platform of platforms) platform.heal();
  service.heal();
  disk.fails(false);
  const tick = scenario.tickSeconds * SECOND;
  const isOpen = (): boolean => time.now() < played().givesUpAt && !isSettled(played());
  do {
    while (isOpen()) await time.until(time.now() + STRIDE * tick);
    await time.until(time.now() + QUIET * tick);
    // What came meanwhile may owe more, such as the edits of a live message.
  } while (isOpen());
  for (const { chat, line } of questions(played())) {
    void people.question(chat, line).then((reply) => reply !== undefined && answers.set(`${chat} ${line}`, plainText(reply, time.now())));
    await time.until(time.now() + SECOND);
  }
  const result = played();
  fleet.end();
  return result;
}

function stepper({ time, disk, service, platforms, fleet, people, disturbances, spoil }: Parts): (step: Timed) => void {
  /** Begun, and not over yet. */
  const open = new Map<string, number>();
  const disturbed = (what: string, isBegin: boolean, about: Partial<Disturbance> = {}): void => {
    const key = `${what} ${about.chat ?? about.platform ?? ''}`;
    if (isBegin) {
      open.set(key, disturbances.push({ what, from: time.now(), to: Number.POSITIVE_INFINITY, ...about }) - 1);
      return;
    }
    const index = open.get(key);
    const known = index === undefined ? undefined : disturbances[index];
    if (index !== undefined && known !== undefined) disturbances[index] = { ...known, to: time.now() };
  };
  return (step) => {
    switch (step.kind) {
      case 'service':
        service.fails(step.down);
        disturbed('service', step.down);
        return;
      case 'disk':
        disk.fails(step.failing);
        disturbed('disk', step.failing);
        return;
      case 'platform':
        platforms.find(({ name }) => name === step.name)?.answers(outcomes[step.trouble ?? 'none']);
        disturbed('platform', step.trouble !== undefined, { platform: step.name });
        return;
      case 'delete':
        for (const platform of platforms) platform.delete(people.addressOf(step.chat));
        return;
      case 'clock':
        fleet.jump(step.jump);
        disturbances.push({ what: 'clock', from: time.now(), to: time.now() + Math.abs(step.jump) });
        return;
      case 'ask':
        people.ask(step.chat, step.ask);
        return;
      case 'chat': {
        const { chat, becomes } = step;
        const at = people.addressOf(chat);
        const to = movedAddress(at);
        for (const platform of platforms) platform.become(at, becomes === 'moved' ? { kind: 'moved', to } : { kind: becomes });
        if (becomes === 'moved') people.move(chat);
        people.report(
          becomes === 'moved'
            ? { kind: 'moved', from: at, to }
            : becomes === 'gone'
              ? { kind: 'gone', chat: at, because: 'bot-removed' }
              : { kind: 'back', chat: at },
        );
        if (becomes === 'moved') disturbances.push({ what: 'moved', from: time.now(), to: time.now() + 20 * SECOND, chat });
        else disturbed('gone', becomes === 'gone', { chat });
        return;
      }
      case 'spoil':
        spoil(step.of, step.fault);
        return;
      case 'pause':
        fleet.pause(step.for);
        return;
      case 'kill':
      case 'stop':
        return;
    }
  };
}

const outcomes = {
  none: undefined,
  limited: { kind: 'later', because: 'rate-limited', afterMs: 3 * SECOND },
  unreachable: { kind: 'later', because: 'unreachable' },
} as const;
