/** What was not told, and what `/why` answered. */
import { expect, test } from 'vitest';
import { SILENCES } from '../silences.js';
import { openWhole } from '../whole.js';
import { page, text } from './pages.js';

test('silences', async () => {
  const to = page('silences', `${SILENCES.length} silences, and what /why said of each`);
  for (const [index, { name, happen, ask, stops, told = 0 }] of SILENCES.entries()) {
    const house = await openWhole();
    await happen(house);
    const answer = await house.say(ask);
    to.add(`## ${index + 1}. ${name}`, `Told before: ${told}. Asked: \`${ask}\``, text(answer));
    expect.soft(answer).toContain(`✗ ${stops}: `);
  }
  await to.write();
});
