import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createReader, type Explained } from '../../src/reading/reader.js';
import { TALK } from '../../src/reading/talk.js';
import { learnedReader, loadPhraseRegistry, phrasesIn, PHRASE_WORLD, sameAs, withSlots, type Phrase } from './phrase-score.js';

const FOLDER = new URL('./phrases/', import.meta.url);
const TALKS: ReadonlySet<string> = new Set(TALK.map(({ talk }) => talk));

/** The template that a phrase teaches: the likeliest of those that give a line it is labelled with; undefined if none does. */
async function taught(
  { labels }: Phrase,
  explained: readonly Explained[],
  registry: Parameters<typeof sameAs>[1],
): Promise<string | undefined> {
  const [first] = labels;
  if (first === 'chatter' || first === 'unanswerable')
    return explained.find(({ template }) => TALKS.has(template) && (first === 'chatter') !== template.startsWith('unknowable'))?.template;
  // A phrase that means several lines teaches what the first of them is.
  for (const label of labels.map((one) => one.split(' && ')[0] ?? '')) {
    const wanted = await sameAs(label, registry);
    if (wanted === undefined) continue;
    for (const { template, line } of explained) {
      const filled = line();
      if (filled !== undefined && (await sameAs(filled, registry)) === wanted) return template;
    }
  }
  return undefined;
}

test('what the reader has learned is what the labelled phrases of the seen hands teach', async () => {
  const registry = await loadPhraseRegistry();
  const reader = await createReader({ commands: registry.catalogue.commands, pause: async () => {} });
  const lines: string[] = [];
  for (const file of readdirSync(FOLDER).toSorted())
    for (const phrase of phrasesIn(readFileSync(new URL(file, FOLDER), 'utf8'))) {
      const { heard, meanings } = reader.explain(phrase.text, PHRASE_WORLD);
      const template = await taught(phrase, meanings, registry);
      if (template !== undefined) lines.push(`${template}\t${withSlots(phrase.text, heard)}`);
    }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../src/reading/learned.tsv');
});

test('what was learned names no project, so that each is still found by its first word', async () => {
  const registry = await loadPhraseRegistry();
  const reader = await learnedReader(registry);
  for (const [said, line] of [
    ['mute birch for 2 days', '/mute birch-brine 2d'],
    ['unwatch birch', '/unwatch birch-brine'],
    ['alert me when birch drops below nav', '/alerts birch-brine premium<0'],
    ['what is the premium of kestrel', '/premium kestrel-yard'],
    ['treasury of quarry', '/treasury quarry-lane'],
  ])
    expect(reader.read(said ?? '', PHRASE_WORLD).candidates[0]?.line, said).toBe(line);
});
