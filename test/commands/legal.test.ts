import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const PATHS = { documents: '/v1/project-overview/legals', entities: '/v1/legal-entity' };

test('entities and documents are on one page', async () => {
  const { say, deadButtons } = await openAppHarness({
    answers: {
      [PATHS.entities]: [{ legalName: 'Tidewater Foundation', jurisdiction: 'Cayman Islands', entityType: 'DAO' }, { name: 'Tide Ltd' }],
      [PATHS.documents]: [
        { name: 'Charter', url: 'https://tide.example/charter' },
        { name: 'Oath', url: 'javascript:alert(1)' },
      ],
    },
  });
  const { text, reply } = await say('/legal tide');
  expect(text.split('\n').slice(0, 7)).toEqual([
    'Tidewater: 2 legal entities, 2 legal documents',
    'Tidewater Foundation',
    '  DAO · registered in Cayman Islands',
    'Tide Ltd',
    '  type n/a · registered in n/a',
    'Charter: https://tide.example/charter',
    'Oath: no link',
  ]);
  expect(await deadButtons(reply)).toEqual([]);
});

test('no entity is said, half an answer costs its half, and none at all is an apology', async () => {
  const none = await openAppHarness({ answers: { [PATHS.entities]: [], [PATHS.documents]: [] } });
  expect((await none.say('/legal tide')).text).toContain('no legal entities, 0 legal documents');
  const half = await openAppHarness({ answers: { [PATHS.documents]: [] } });
  expect((await half.say('/legal tide')).text).toContain("Tidewater's legal entities: n/a: no data, 0 legal documents");
  const gone = await openAppHarness({ answers: {} });
  expect((await gone.say('/legal tide')).reply).toMatchObject({ tone: 'warning', audience: 'asker' });
});

test('the simulated service answers for every kind of project', async () => {
  const { say } = await openAppHarness();
  for (const slug of ['tide', 'heron', 'lark-hollow', 'cinder-quay']) {
    const { reply, text } = await say(`/legal ${slug}`);
    expect(reply.tone).toBe('plain');
    expect(text).not.toMatch(/undefined|NaN|\[object/u);
  }
});
