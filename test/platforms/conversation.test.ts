import { expect, test } from 'vitest';
import { SECOND } from '../../src/base/clock.js';
import type { Picture } from '../../src/chat/chart.js';
import type { Outcome } from '../../src/chat/notifier.js';
import { reply } from '../../src/chat/reply.js';
import { textOnly, type Prepared } from '../../src/platforms/attachments.js';
import {
  Conversation,
  Conversations,
  repeated,
  TOGETHER_WITHIN,
  type Failure,
  type ReplySurface,
} from '../../src/platforms/conversation.js';
import { handClock, settled } from '../support/clock.js';

const PICTURE: Picture = { bytes: new Uint8Array([1]), title: 'a chart' };
const words = (text: string): Prepared => textOnly(reply({ finding: [text] }));

/** A platform that notes each step, and fails at those that are named, as often as they are. */
function open(...failing: readonly (readonly [step: string, failure: Failure])[]) {
  const clock = handClock();
  const steps: string[] = [];
  const failures: unknown[] = [];
  const left = [...failing];
  const over = new AbortController();
  const conversations = new Conversations({ clock, onFailure: (error) => failures.push(error) });
  const note = (step: string): void => {
    steps.push(step);
    const at = left.findIndex(([name]) => name === step);
    const [found] = at === -1 ? [] : left.splice(at, 1);
    if (found !== undefined) throw new Error(found[1]);
  };
  const surface = (name = ''): ReplySurface => ({
    acknowledge: async () => note(`${name}acknowledge`),
    interim: async () => {
      note(`${name}interim`);
      return true;
    },
    show: async (form, { picture, isDrawing }) => {
      note(`${name}${form}${picture === undefined ? '' : ' with picture'}`);
      return isDrawing ? 'message' : undefined;
    },
    attach: async ({ picture }, turn) => {
      await turn(async () => note(`${name}attach ${picture === undefined ? 'nothing' : 'picture'}`));
    },
    failureOf: (error) => {
      const known = ['attachments', 'form', 'server'] as const;
      return known.find((one) => error instanceof Error && error.message === one) ?? 'final';
    },
  });
  const begin = (name?: string, more: { readonly key?: string; readonly interimEvery?: number } = {}): Conversation =>
    new Conversation(conversations, surface(name), { signal: over.signal, ...more });
  const drawing = (): { readonly prepared: Prepared; readonly finish: (picture?: Picture) => void } => {
    let finish: (picture?: Picture) => void = () => undefined;
    const picture = new Promise<Picture | undefined>((resolve) => (finish = resolve));
    return { prepared: { ...words('an answer'), picture }, finish };
  };
  return { clock, steps, failures, over, conversations, begin, drawing };
}

test('a picture that is drawn in time comes with its text, a later one is attached', async () => {
  const { clock, steps, conversations, begin, drawing } = open();
  await begin().show({ ...words('an answer'), picture: Promise.resolve(PICTURE) });
  const late = drawing();
  const shown = begin().show(late.prepared);
  await clock.advance(TOGETHER_WITHIN);
  await shown;
  expect(steps).toEqual(['whole with picture', 'whole']);
  late.finish(PICTURE);
  await conversations.idle();
  expect(steps).toEqual(['whole with picture', 'whole', 'attach picture']);
});

test('a picture is not attached once the bot stops, and one that fails is reported', async () => {
  const { clock, steps, failures, over, conversations, begin, drawing } = open(['attach picture', 'final']);
  const [failing, waiting] = [drawing(), drawing()];
  const shown = Promise.all([begin().show(failing.prepared), begin().show(waiting.prepared)]);
  await clock.advance(TOGETHER_WITHIN);
  await shown;
  failing.finish(PICTURE);
  await settled();
  over.abort();
  await conversations.idle();
  expect(steps).toEqual(['whole', 'whole', 'attach picture']);
  expect(failures).toHaveLength(1);
});

test.each<[readonly (readonly [string, Failure])[], readonly string[]]>([
  [[['whole with picture', 'attachments']], ['whole with picture', 'words']],
  [[['whole with picture', 'form']], ['whole with picture', 'simple']],
  [
    [
      ['whole with picture', 'attachments'],
      ['words', 'form'],
      ['simple', 'form'],
    ],
    ['whole with picture', 'words', 'simple', 'plain'],
  ],
])('a form that is not taken is followed by a simpler one: %j', async (failing, expected) => {
  const { steps, begin } = open(...failing);
  await begin().show({ ...words('an answer'), picture: Promise.resolve(PICTURE) });
  expect(steps).toEqual(expected);
});

test('the error of the last form is the error of the answer, and a final one ends it at once', async () => {
  const all = open(['whole', 'form'], ['simple', 'form'], ['plain', 'form']);
  await expect(all.begin().show(words('an answer'))).rejects.toThrow('form');
  expect(all.steps).toEqual(['whole', 'simple', 'plain']);
  const final = open(['whole', 'final']);
  await expect(final.begin().show(words('an answer'))).rejects.toThrow('final');
  expect(final.steps).toEqual(['whole']);
});

test('after a server error the same form is tried once more, then a simpler one', async () => {
  const { clock, steps, begin } = open(['whole', 'server'], ['whole', 'server']);
  const shown = begin().show(words('an answer'));
  await clock.advance(SECOND - 1);
  expect(steps).toEqual(['whole']);
  await clock.advance(1);
  await shown;
  expect(steps).toEqual(['whole', 'whole', 'simple']);
});

test('where a later question was answered first the answer is left out, and acknowledged', async () => {
  const { steps, begin } = open();
  const [early, late] = [begin('early ', { key: 'message' }), begin('late ', { key: 'message' })];
  await late.show(words('late'));
  await early.show(words('early'));
  expect(steps).toEqual(['late whole', 'early acknowledge']);
});

test('an answer that takes long is acknowledged, a quick one is not', async () => {
  const { clock, steps, failures, begin } = open();
  const fail = (error: unknown): void => void failures.push(error);
  const [quick, slow] = [begin('quick '), begin('slow ')];
  quick.acknowledgeAfter(SECOND, fail);
  slow.acknowledgeAfter(SECOND, fail);
  await quick.show(words('an answer'));
  await clock.advance(SECOND);
  await slow.show(words('an answer'));
  expect(steps).toEqual(['quick whole', 'slow acknowledge', 'slow whole']);
  expect([failures, clock.sleepers()]).toEqual([[], 0]);
});

test('interim texts are shown before the answer, and those that come too soon after another are left out', async () => {
  const { clock, steps, begin } = open();
  const conversation = begin('', { interimEvery: 2 * SECOND });
  expect(conversation.hasInterim).toBe(false);
  const interim = async (): Promise<void> => conversation.interim(reply({ finding: ['refreshing'] }));
  await interim();
  await interim();
  await clock.advance(2 * SECOND);
  const last = interim();
  await conversation.show(words('an answer'));
  await last;
  expect(steps).toEqual(['interim', 'interim', 'whole']);
  expect(conversation.hasInterim).toBe(true);
});

const LATER: Outcome = { kind: 'later', because: 'unreachable' };
const UNCLEAR: Outcome = { kind: 'unclear', because: 'timeout' };
const REFUSED: Outcome = { kind: 'refused', detail: 'no' };

test.each<[string, Outcome, boolean, number]>([
  ['that was not carried out is repeated', LATER, false, 3],
  ['that may have been carried out is not', UNCLEAR, false, 1],
  ['that may have been carried out is repeated where that does no harm', UNCLEAR, true, 3],
  ['that was refused is not', REFUSED, true, 1],
])('a request %s', async (_, outcome, isHarmless, times) => {
  let tried = 0;
  const work = async (): Promise<never> => {
    tried += 1;
    throw new Error(`try ${tried}`);
  };
  const options = { tries: 3, isHarmless, outcomeOf: () => outcome, pause: async () => true };
  await expect(repeated(work, options)).rejects.toThrow(`try ${times}`);
  expect(tried).toBe(times);
});
