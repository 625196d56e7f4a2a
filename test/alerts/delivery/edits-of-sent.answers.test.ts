/** What a platform answers to the edit of a live message, and what follows from it. */
import { describe, expect, test } from 'vitest';
import type { DeliverContext } from '../../../src/alerts/delivery/deliver.js';
import { revise, revisionDue } from '../../../src/alerts/delivery/edits-of-sent.js';
import { HOUR, MINUTE, SECOND, later } from '../../../src/base/clock.js';
import { withLive } from '../../../src/alerts/queue/live-message.js';
import type { EditOutcome, Notifier } from '../../../src/chat/notifier.js';
import type { TopicStatus } from '../../../src/domain/event.js';
import { notebook } from '../../jobs/harness.js';
import { CHAT, TIDE, openAlertsHarness, platform } from '../harness.js';
import { ELSEWHERE, TOPIC, checked, passTo } from './live-topics.js';

/** A live message whose topic has moved on: its edit is due now. */
async function openEdit(parts: (notifier: Notifier) => Partial<Notifier> = () => ({})) {
  const book = notebook();
  const to = platform({ edits: true });
  const harness = await openAlertsHarness({ to, log: book.log });
  await harness.watch(TIDE);
  await checked(harness, { after: 0, stage: 'live', isNew: true, edge: '0.4' });
  await passTo(harness, later(harness.clock.now(), 10 * MINUTE));
  await checked(harness, { after: 0, stage: 'twap', edge: '0.6' });
  const context: DeliverContext = { ...harness.context, notifiers: [{ ...to.notifier, ...parts(to.notifier) }] };
  const dueIn = (): number | undefined => {
    const due = revisionDue(harness.queues.read(CHAT), context);
    return due === undefined ? undefined : due - harness.clock.now();
  };
  return {
    ...harness,
    ...book,
    context,
    dueIn,
    /** The topic moves on. */
    offers: async (step: string, facts: TopicStatus['facts'] = {}) => {
      const known = harness.topics.read(TOPIC);
      if (known === undefined) throw new Error('there is no topic');
      await harness.topics.offer([{ ...known, version: step, step, at: harness.clock.now(), facts: { ...known.facts, ...facts } }]);
    },
    message: () => harness.queues.read(CHAT).live?.[TOPIC],
    answered: async (outcome?: EditOutcome) => {
      if (outcome !== undefined) to.editAnswers(outcome);
      await revise(CHAT, context, harness.signal);
      return dueIn();
    },
  };
}

describe('an edit', () => {
  test('that fails is repeated with pauses that double up to an hour, is logged once, and starts over after a success', async () => {
    const { answered, clock, names, dueIn, offers, message } = await openEdit();
    const pauses: (number | undefined)[] = [];
    for (let times = 0; times < 12; times += 1) {
      const pause = await answered({ kind: 'later', because: 'unreachable' });
      pauses.push(pause);
      await clock.advance(pause ?? 0);
    }
    // Three quarters of each, by the jitter of the test.
    const whole = [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600];
    expect(pauses).toEqual(whole.map((seconds) => 0.75 * seconds * SECOND));
    expect(names()).toEqual(['warn edit.failed']);
    expect(await answered()).toBeUndefined();
    expect(message()).not.toHaveProperty('failures');
    await offers('ending');
    expect(dueIn()).toBeLessThanOrEqual(0);
    expect(await answered({ kind: 'later', because: 'server-error' })).toBe(0.75 * 10 * SECOND);
  });

  test('waits as long as the platform says, else an hour where it limits the edits of a message', async () => {
    const { answered, clock } = await openEdit();
    expect(await answered({ kind: 'later', because: 'rate-limited', afterMs: 42 * SECOND })).toBe(42 * SECOND);
    await clock.advance(42 * SECOND);
    expect(await answered({ kind: 'later', because: 'edits-limited' })).toBe(HOUR);
  });

  test('that is not permitted is tried again after a quarter of an hour', async () => {
    const { answered } = await openEdit();
    expect(await answered({ kind: 'not-permitted', because: 'it may not' })).toBe(15 * MINUTE);
  });

  test.each<[string, EditOutcome, readonly string[]]>([
    ['refused', { kind: 'refused', detail: 'it is too long' }, ['warn edit.failed']],
    ['not editable', { kind: 'lost', because: 'not-editable' }, []],
  ])('that can never be made leaves the message alone, and warns unless that is by design: %s', async (_, outcome, logged) => {
    const { answered, message, offers, dueIn, names } = await openEdit();
    expect(await answered(outcome)).toBeUndefined();
    expect(names()).toEqual(logged);
    expect(message()).not.toHaveProperty('messageId');
    expect(message()).not.toHaveProperty('again');
    await offers('ending');
    expect(dueIn()).toBeUndefined();
  });

  test('that finds the chat gone, or moved, is recorded of the chat', async () => {
    const gone = await openEdit();
    expect(await gone.answered({ kind: 'gone', because: 'removed' })).toBeUndefined();
    expect(gone.watchlists.read(CHAT).left).toMatchObject({ because: 'removed' });
    const moved = await openEdit();
    await moved.answered({ kind: 'moved', to: ELSEWHERE });
    expect(moved.watchlists.read(ELSEWHERE).entries).toHaveLength(1);
  });

  test('whose notifier throws is an error of the bot, and is repeated', async () => {
    const { answered, names, noted } = await openEdit(() => ({ revise: async () => Promise.reject(new Error('a bug')) }));
    expect(await answered()).toBe(0.75 * 10 * SECOND);
    expect(names()).toEqual(['error edit.threw', 'warn edit.failed']);
    expect(noted.find(({ event }) => event === 'edit.threw')).toMatchObject({ fields: { address: CHAT, topic: TOPIC } });
  });

  test('is due at once after the clock was set back', async () => {
    const { queues, clock, dueIn } = await openEdit();
    await queues.change(CHAT, (queue) => withLive(queue, TOPIC, (one) => ({ ...one, shownAt: later(clock.now(), HOUR) })));
    expect(dueIn()).toBe(0);
  });

  test('of two messages the first that is due is made first', async () => {
    const edit = await openEdit();
    const { answered, clock, queues, dueIn, message, to } = edit;
    const known = message();
    if (known === undefined) throw new Error('there is no live message');
    const other = 'proposals/tide/second';
    const live = { [TOPIC]: { ...known, notBefore: later(clock.now(), MINUTE) }, [other]: known };
    await queues.change(CHAT, (queue) => ({ ...queue, live }));
    await checked(edit, { after: 0, stage: 'twap', edge: '0.7' }, clock.now(), other);
    expect(dueIn()).toBeLessThanOrEqual(0);
    await answered();
    expect(to.editsTried).toHaveLength(1);
    expect(dueIn()).toBe(MINUTE);
  });

  test('of a status that cannot be put into words is put off, without a request', async () => {
    const { answered, offers, to, names } = await openEdit();
    await offers('odd', { title: 7 });
    expect(await answered()).toBe(0.75 * 10 * SECOND);
    expect(to.editsTried).toEqual([]);
    expect(names()).toContain('error topic.unreadable');
  });
});

describe('the rate limits', () => {
  /** Slots that note what becomes of them. */
  const slots = (noted: string[], before: () => Promise<void> = async () => {}) => ({
    slot: async (_to: string, about: { readonly kind: string; readonly since: number }) => {
      noted.push(`${about.kind} ${about.since}`);
      await before();
      return {
        answered: () => void noted.push('answered'),
        refused: (milliseconds?: number) => void noted.push(`refused ${milliseconds}`),
        unused: () => void noted.push('unused'),
      };
    },
  });

  test('are asked for a turn since when the edit was due, and told what became of it', async () => {
    const noted: string[] = [];
    const { answered, dueIn, clock } = await openEdit(() => slots(noted));
    const since = later(clock.now(), dueIn() ?? 0);
    await answered({ kind: 'later', because: 'rate-limited', afterMs: 7 });
    expect(noted.splice(0)).toEqual([`edit ${since}`, 'refused 7', 'unused']);
    await clock.advance(7);
    await answered({ kind: 'later', because: 'unreachable' });
    expect(noted.splice(0).slice(1)).toEqual(['answered', 'unused']);
    await clock.advance(MINUTE);
    await answered();
    expect(noted.slice(1)).toEqual(['answered', 'unused']);
  });

  test('a wait for a turn counts as rest, and what is not due any more after it is not edited', async () => {
    const noted: string[] = [];
    let rests = 0;
    const harness = await openEdit(() =>
      slots(noted, async () => {
        await harness.reachability.take({ kind: 'gone', chat: CHAT, because: 'removed' });
      }),
    );
    const rest = async <T>(wait: Promise<T>): Promise<T> => {
      rests += 1;
      return wait;
    };
    await revise(CHAT, { ...harness.context, rest }, harness.signal);
    expect([rests, harness.to.editsTried.length, noted.slice(1)]).toEqual([1, 0, ['unused']]);
  });
});
