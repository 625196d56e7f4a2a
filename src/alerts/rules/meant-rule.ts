/** Finds the rule that a mistyped one means: "premum<-10", or "discount>10", which is a premium below -10. Pure. */
import { nearestWord } from '../../base/edit-distance.js';
import { MEASURE_NAMES } from '../../domain/measures.js';

/** Returns undefined if no measure is near, or the text is no comparison. */
export function meantRule(text: string): string | undefined {
  const [, word = '', sign = '', size = '', rest = ''] = /^([a-z]{3,20})\s*([<>])=?\s*([-−]?\d[\d.]*)%?(.*)$/iu.exec(text.trim()) ?? [];
  if (word === '') return undefined;
  const typed = word.toLowerCase();
  const measure = typed === 'discount' ? typed : nearestWord(typed, ['discount', ...MEASURE_NAMES.filter((name) => name.length > 3)]);
  if (measure === undefined || measure.charAt(0) !== typed.charAt(0)) return undefined;
  if (measure !== 'discount') return `${measure}${sign}${size}${rest}`;
  return `premium${sign === '>' ? '<' : '>'}-${size.replace(/^[-−]/u, '')}${rest}`;
}
