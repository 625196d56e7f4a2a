/** `npm run score -- <files>`: how the reader does on sets of labelled phrases; with SHOW=wrong,missed it prints those. */
import { readFileSync } from 'node:fs';
import { judge, learnedReader, loadPhraseRegistry, phrasesIn, PHRASE_WORLD, type Verdict } from './phrase-score.js';

const VERDICTS: readonly Verdict[] = ['first', 'offered', 'wrong', 'missed'];
const shown = (process.env['SHOW'] ?? '').split(',');
const registry = await loadPhraseRegistry();
const reader = await learnedReader(registry);

for (const file of process.argv.slice(2)) {
  const phrases = phrasesIn(readFileSync(file, 'utf8'));
  const judged = await Promise.all(phrases.map(async (phrase) => judge(phrase, { reader, registry })));
  const begun = process.cpuUsage();
  for (const { text } of phrases) reader.read(text, PHRASE_WORLD);
  const { user } = process.cpuUsage(begun);
  const parts = VERDICTS.map(
    (verdict) => `${verdict} ${((100 * judged.filter((one) => one.verdict === verdict).length) / judged.length).toFixed(1)}%`,
  );
  process.stdout.write(
    `${file}: ${judged.length} phrases, ${parts.join(', ')}, ${(user / 1_000 / judged.length).toFixed(2)} ms CPU a phrase\n`,
  );
  for (const { text, labels, verdict, says } of judged)
    if (shown.includes(verdict))
      process.stdout.write(`  ${verdict}: ${text}\n    labelled ${labels.slice(0, 3).join(' | ')}\n    read     ${says}\n`);
}
