/** What was not alerted, and what `/why` answered. */
import { expect, test } from 'vitest';
import { SILENCES } from '../silences.js';
import { openBot } from '../bot.js';
import { page, text } from './pages.js';

test('silences', async () => {
  const to = page('silences', `${SILENCES.length} silences, and what /why said of each`);
  for (const [index, { name, happen, ask, stops, alerted = 0 }] of SILENCES.entries()) {
    const harness = await openBot();
    await happen(harness);
    const answer = await harness.say(ask);
    to.add(`## ${index + 1}. ${name}`, `Alerted before: ${alerted}. Asked: \`${ask}\``, text(answer));
    expect.soft(answer).toContain(`✗ ${stops}: `);
  }
  await to.write();
});
