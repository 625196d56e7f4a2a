/** A change that is proposed is the one that was asked for, with all that was said of it, and never its opposite. */
import { expect, test } from 'vitest';
import { decided, learnedReader, loadPhraseRegistry } from './phrase-score.js';

const registry = await loadPhraseRegistry();
const reader = await learnedReader(registry);

const decide = async (text: string) => (await decided(text, { reader, registry })).decision;

test.each([
  ['for 6 hours until december 1', 'for 6h until 2026-12-01'],
  ['for 3 days until december 20', 'for 3d until 2026-12-20'],
  ['for 6 hours until 2026-12-10', 'for 6h until 2026-12-10'],
])('a length is not the end of a rule: "%s"', async (said, limits) => {
  expect(await decide(`tell me when tide is below -10% and runway over 12 months ${said}`)).toMatchObject({
    kind: 'propose',
    lines: [`/alerts tide premium<-10 and runway>12 ${limits}`],
  });
});
