import { expect, test } from 'vitest';
import { MAX_LINE } from '../../src/chat/inbound.js';
import { supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { several } from '../../src/base/sentence-lists.js';
import { openAppHarness, type Said } from '../support/app-harness.js';

/** The longest run of one rare letter in what a reply says. */
const longestRun = ({ reply: { finding, blocks } }: Said): number =>
  Math.max(0, ...(JSON.stringify([finding, blocks]).match(/\u00f6+/gu) ?? []).map((run) => run.length));

test('no command repeats a long text whole, whichever option it is given in', async () => {
  const { ask, say, registry } = await openAppHarness();
  await say('/watch tide');
  const long = 'ö'.repeat(MAX_LINE - 200);
  const found: [string, number][] = [];
  for (const [name, { options }] of registry.commands) {
    const first = options[0]?.name;
    const lines = [
      `/${name} ${long}`,
      `/${name} tide ${long}`,
      ...options.flatMap((option) => [`/${name} ${option.name}:${long}`, `/${name} tide ${option.name}:${long}`]),
    ];
    for (const line of lines) {
      const run = longestRun(await say(line));
      if (run > 60) found.push([line.slice(0, 40), run]);
    }
    for (const option of options) {
      const given = { ...(first === undefined ? {} : { [first]: 'tide' }), [option.name]: long };
      const run = longestRun(await ask({ ask: { command: name, options: given } }));
      if (run > 60) found.push([`${name} ${option.name}`, run]);
    }
  }
  expect(found).toEqual([]);
});

test.each(['', 'un', 'x'])('a word that is no command is cut: /%smute…', async (head) => {
  const { say } = await openAppHarness({ answers: {} });
  expect(longestRun(await say(`/${head}mute${'ö'.repeat(3_000)}`))).toBeLessThanOrEqual(60);
  expect(longestRun(await say(`/${head}mute ${'ö'.repeat(3_000)}`))).toBeLessThanOrEqual(60);
});

test('of hundreds of filters the first few are listed and the others counted', async () => {
  const { say } = await openAppHarness();
  const filters = Array.from({ length: 320 }, (_, index) => `cap>${index}`);
  const [first = ''] = (await say(`/screen ${filters.join(' ')}`)).text.split('\n');
  expect(first).toMatch(/: cap>0, cap>1, cap>2, cap>3, cap>4, cap>5, cap>6, cap>7 and 312 more/u);
  expect(several(['a', 'b'])).toBe('a, b');
});

test('a text too long for a URL is refused before the request, with the limit in bytes', async () => {
  const { say, analytics } = await openAppHarness();
  await say('/project tide');
  const { used } = analytics.state().budget;
  const { text } = await say(`/search ${'é'.repeat(4_000)}`);
  expect(text).toContain('it takes 24,000 bytes, the limit is 1,500 bytes');
  expect(analytics.state().budget.used).toBe(used);
  expect((await say(`/search ${'é'.repeat(250)}`)).text).toContain('Nothing found for');
  // The same holds for a name that stands in the path.
  await expect(analytics.call(supplyOverview, { slug: 'é'.repeat(1_000) })).rejects.toMatchObject({ textBytes: 6_000 });
});
