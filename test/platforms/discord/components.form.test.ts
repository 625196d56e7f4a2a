import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { openActions } from '../../../src/platforms/button-payloads.js';
import { formOf, isForm, lineOf, modalOf, payloadOf } from '../../../src/platforms/discord/components.js';
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
  expect(await formOf(id, kept)).toEqual({ line: given.line, hint: given.hint.replace('\n', ' ') });
});

test('what was invented by somebody is no form', async () => {
  const kept = openActions(await openStore('memory://'), systemClock);
  expect(await formOf('form:watch', kept)).toBeUndefined();
  expect(await formOf('form:#nothing', kept)).toBeUndefined();
  expect(isForm('/watch form:')).toBe(false);
});

test('what is typed becomes one line; nothing typed is none', () => {
  expect(lineOf({ line: '/watch {}', hint: '' }, ' a\nb ')).toBe('/watch a b');
  expect(lineOf({ line: '/watch {}', hint: '' }, ' \t\n')).toBeUndefined();
});

test('any label and hint make a form that Discord takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', maxLength: 300 }), (label, hint) => {
      const modal = modalOf({ line: '/watch {}', hint }, { payload: 'form:/watch {}', label });
      expect(flawsOf('ModalInteractionCallbackRequestDataSchema', JSON.parse(JSON.stringify(modal)))).toEqual([]);
      expect(formFlaws(modal)).toEqual([]);
    }),
  );
});
