/**
 * Every figure of every view, as the transcripts ask for them: one that is no value of a response must have a formula, whose inputs are values of
 * responses or counts, and which gives that figure.
 */
import { expect, test, vi } from 'vitest';
import type { Instant } from '../../src/base/clock.js';
import type { Reply } from '../../src/chat/reply.js';
import { fieldsOf } from '../../src/sources/fields.js';
import { placesOf, shownFigures } from '../../src/sources/figures.js';
import { formulaOf } from '../../src/sources/formula.js';
import type { Recorder } from '../../src/sources/recorder.js';
import type { Sources } from '../../src/sources/sources.js';
import { openAppHarness } from '../support/app-harness.js';
import { evaluate } from '../support/evaluate.js';
import { changesTheChat, linesOf } from '../transcripts/lines.js';

type Answered = Parameters<Sources['keep']>[0];

/** More operands than a formula writes out. */
const MANY = /^sum of \d+ values$/u;
const isWhole = (value: string): boolean => /^-?\d+$/u.test(value);

/** Figures without an explanation, each as `line: text = value`. */
function unexplained(
  line: string,
  { reply, recorder }: { readonly reply: Reply; readonly recorder: Recorder },
  now: Instant,
): readonly string[] {
  const data = recorder.records().map((one) => one.data);
  const figures = shownFigures(placesOf(reply, now), recorder.log.shown);
  const operands = [...recorder.log.calculations.values()].flatMap((one) => one.operands);
  const fields = fieldsOf(new Set([...operands, ...figures.map(({ value }) => value)]), data);
  const isInput = (value: string): boolean => fields.has(value);
  return figures.flatMap((figure) => {
    const { text, value } = figure;
    const formula = formulaOf(figure, isInput);
    const says = `${line}: ${text} = ${value}`;
    if (formula === undefined) return isInput(value) || isWhole(value) ? [] : [says];
    if (MANY.test(formula.text)) return [];
    const strange = formula.values.filter((one) => !isInput(one) && !isWhole(one) && !formula.sums.has(one));
    const apart = evaluate(formula.text).minus(value).abs();
    return [
      ...(strange.length === 0 ? [] : [`${says} of ${strange.join(', ')} in ${formula.text}`]),
      ...(apart.lt('1e-25') ? [] : [`${says} is not ${formula.text}`]),
    ];
  });
}

test('every derived figure of every view has a formula that gives it', async () => {
  const house = await openAppHarness();
  await house.directory.all();
  const kept = vi.spyOn(house.sources, 'keep');
  const problems: string[] = [];
  let derived = 0;
  for (const command of house.registry.catalogue.commands.filter((one) => !changesTheChat(one))) {
    for (const line of linesOf(command)) {
      kept.mockClear();
      await house.say(line);
      const answered: Answered | undefined = kept.mock.calls[0]?.[0];
      if (answered === undefined || answered.recorder.records().length === 0) continue;
      problems.push(...unexplained(line, answered, house.clock.now()));
      derived += answered.recorder.log.calculations.size;
    }
  }
  expect(problems).toEqual([]);
  expect(derived).toBeGreaterThan(100);
});
