/** What was not alerted, and what `/why` says of it: the way of the events, up to the first "no". */
import { expect, test } from 'vitest';
import { SILENCES } from './silences.js';
import { oneBot, openBot } from './bot.js';

const chatOfOneBot = oneBot();

test.each(SILENCES)(
  'where $name it is not alerted, and /why says so at "$stops"',
  async ({ alone = false, happen, ask, stops, says, alerted = 0 }) => {
    const harness = alone ? await openBot() : chatOfOneBot();
    await happen(harness);
    const answer = await harness.say(ask);
    const no = answer.split('\n').find((line) => line.startsWith('✗')) ?? '';
    expect(no, answer).toContain(`✗ ${stops}: `);
    expect(no).toContain(says);
    // The heading says the same as the step.
    expect(answer.split('\n')[0]).toContain(no.replace(`✗ ${stops}: `, ''));
    expect(await harness.alerts()).toHaveLength(alerted);
  },
);
