/** The wording of notices for OPERATOR_CHAT. */
import { expect, test } from 'vitest';
import { signsOf, type Sign } from '../../src/operations/notices/conditions.js';
import { noticeOf } from '../../src/operations/notices/notices.js';
import { ILL, NOW, WELL, at } from '../operations/notices/states.js';
import { transcript } from './render.js';

const bad = (state: typeof WELL): readonly Sign[] => signsOf(state).filter(({ isBad }) => isBad);

test('the wording of the notices is what the transcript says', async () => {
  const parts = Object.entries(ILL).flatMap(([name, ill]) => {
    const state = at(ill, NOW);
    const raised = bad(state);
    return [
      `## ${name}\n\n${transcript(noticeOf({ raised, cleared: [] }, state, false), NOW)}`,
      `## ${name}, fine again\n\n${transcript(noticeOf({ raised: [], cleared: raised }, WELL, false), NOW)}`,
    ];
  });
  const both = at({ ...ILL.disk, ...ILL.token }, NOW);
  parts.push(`## two at once, the last of a day\n\n${transcript(noticeOf({ raised: bad(both), cleared: [] }, both, true), NOW)}`);
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot('./alerts/notices.md');
});
