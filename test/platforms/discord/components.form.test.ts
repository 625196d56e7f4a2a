import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { openActions } from '../../../src/platforms/button-payloads.js';
import { editLine, editModal, editOf, editPayload } from '../../../src/platforms/discord/edit-form.js';
import { askedBy, formOf, isForm, modalOf, payloadOf } from '../../../src/platforms/discord/components.js';
import { openStore } from '../../../src/store/open.js';
import { flawsOf } from '../../stand-ins/discord/contract.js';
import { formFlaws } from '../../stand-ins/discord/form-rules.js';

const field = (line: string, hint = '') => ({ kind: 'text' as const, label: 'x', line, hint });

test.each([
  ['a short line', field('/watch {}'), 'form:/watch {}'],
  ['a line that is too long for an id', field(`/watch ${'x'.repeat(90)} {}`), expect.stringMatching(/^form:#/u)],
  ['a line with a hint', field('/watch {}', 'a slug\nor a symbol'), expect.stringMatching(/^form:#/u)],
])('%s is found again by its payload', async (_what, given, payload) => {
  const kept = openActions(await openStore('memory://'), systemClock);
  const id = await payloadOf(given, kept);
  expect(id).toEqual(payload);
  expect(isForm(id)).toBe(true);
  expect(await formOf(id, kept)).toEqual({ line: given.line, hint: given.hint.replace('\n', ' '), takesFile: false });
  const upload = await payloadOf({ ...given, file: true }, kept);
  expect(upload.length).toBeLessThanOrEqual(100);
  expect([isForm(upload), await formOf(upload, kept)]).toMatchObject([true, { line: given.line, takesFile: true }]);
});

test('what was invented by somebody is no form', async () => {
  const kept = openActions(await openStore('memory://'), systemClock);
  expect(await formOf('form:watch', kept)).toBeUndefined();
  expect(await formOf('form:#nothing', kept)).toBeUndefined();
  expect(isForm('/watch form:')).toBe(false);
});

test('what is typed becomes one line; nothing typed is none', () => {
  const form = { line: '/watch {}', hint: '', takesFile: false };
  expect(askedBy(form, { typed: ' a\nb ', files: 0 })).toEqual({ line: '/watch a b' });
  expect(askedBy(form, { typed: ' \t\n', files: 0 })).toMatchObject({ says: expect.stringContaining('Nothing was typed') });
});

test('a form for a file takes the file or what is pasted with its lines, and says what is missing or too much', () => {
  const form = { line: '/watchlist import {}', hint: '', takesFile: true };
  expect(askedBy(form, { typed: '', files: 1 })).toEqual({ line: '/watchlist import' });
  expect(askedBy(form, { typed: ' tide\n$& heron ', files: 0 })).toEqual({ line: '/watchlist import tide\n$& heron' });
  expect(askedBy(form, { typed: '', files: 0 })).toMatchObject({ says: expect.stringContaining('Choose a file or paste its text. ') });
  expect(askedBy(form, { typed: 'tide', files: 1 })).toMatchObject({ says: expect.stringContaining('not both') });
});

test('any label and hint make a form that Discord takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', maxLength: 300 }), (label, hint) => {
      for (const takesFile of [false, true]) {
        const modal = modalOf({ line: '/watch {}', hint, takesFile }, { payload: 'form:/watch {}', label });
        expect(flawsOf('ModalInteractionCallbackRequestDataSchema', JSON.parse(JSON.stringify(modal)))).toEqual([]);
        expect(formFlaws(modal)).toEqual([]);
      }
    }),
  );
});

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 120 });
const choices = (most: number) => fc.array(fc.record({ label: text, words: text, on: fc.boolean() }), { minLength: 2, maxLength: most });
/** A client checks one of a radio group at most. */
const single = choices(10).map((all) => all.map((one, at) => ({ ...one, on: one.on && all.findIndex(({ on }) => on) === at })));
const form = fc.record({
  label: text,
  title: text,
  line: fc.constant('/alerts tide supply set {}'),
  parts: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('one' as const), label: text, choices: single }),
      fc.record({
        kind: fc.constant('several' as const),
        label: text,
        hint: fc.string(),
        before: fc.constant('stages:'),
        choices: choices(25),
      }),
      fc.record({ kind: fc.constant('text' as const), label: text, hint: fc.string() }),
    ),
    { minLength: 1, maxLength: 5 },
  ),
});

test('any form with several parts is one that Discord takes, and is found again by its payload', async () => {
  const kept = openActions(await openStore('memory://'), systemClock);
  await fc.assert(
    fc.asyncProperty(form, async (given) => {
      const payload = await editPayload(given, kept);
      expect(payload.length).toBeLessThanOrEqual(100);
      const modal = editModal(given, payload);
      expect(flawsOf('ModalInteractionCallbackRequestDataSchema', JSON.parse(JSON.stringify(modal)))).toEqual([]);
      expect(formFlaws(modal)).toEqual([]);
      expect(await editOf(payload, kept)).toEqual(JSON.parse(JSON.stringify(given)));
    }),
    { numRuns: 30 },
  );
});

test('what a form does not offer is left out of its line, and what was invented by somebody is no form', async () => {
  const kept = openActions(await openStore('memory://'), systemClock);
  const stages = ['mint', 'burn', 'lock'].map((words) => ({ label: words, words, on: false }));
  const given = {
    ...{ label: 'Edit…', title: 'supply', line: '/alerts tide supply set {}' },
    parts: [
      { kind: 'one' as const, label: 'Alerts', choices: stages },
      { kind: 'several' as const, label: 'Stages', hint: '', before: 'stages:', choices: stages },
      { kind: 'text' as const, label: 'Rule', hint: '' },
    ],
  };
  expect(editLine(given, { 0: ['1', '2'], 1: ['0', '2'], 2: [' usd>5 \n'] })).toBe('/alerts tide supply set burn; stages:mint,lock; usd>5');
  expect(editLine(given, { 0: ['99'], 1: ['x'], 7: ['0'] })).toBe('/alerts tide supply set ');
  expect(editLine(given, { 1: ['0', '1', '2'] })).toBe('/alerts tide supply set ');
  expect(await editOf('edit:#nothing', kept)).toBeUndefined();
  expect(await editOf('edit:/watch tide', kept)).toBeUndefined();
});
