/** What was not told, and what `/why` says of it: the way of the news, up to the first "no". */
import { expect, test } from 'vitest';
import { SILENCES } from './silences.js';
import { openWhole } from './whole.js';

test.each(SILENCES)(
  'where $name it is not told, and /why says so at "$stops"',
  async ({ happen, ask, stops, says, told = 0 }) => {
    const house = await openWhole();
    await happen(house);
    const answer = await house.say(ask);
    const no = answer.split('\n').find((line) => line.startsWith('✗')) ?? '';
    expect(no, answer).toContain(`✗ ${stops}: `);
    expect(no).toContain(says);
    // The heading says the same as the step.
    expect(answer.split('\n')[0]).toContain(no.replace(`✗ ${stops}: `, ''));
    expect(await house.alerts()).toHaveLength(told);
  },
  60_000,
);
