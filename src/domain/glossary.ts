/** Finds terms of the field that the glossary explains. */
import { glossaryTerms, type GlossaryTerm } from './glossary-terms.js';

/** Finds the term that a text names anywhere in it; the longest name wins. */
export function termIn(text: string): GlossaryTerm | undefined {
  const folded = ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\d/-]+/gu, ' ')
    .trim()} `;
  return glossaryTerms.find(({ names, isCommonWord }) => isCommonWord !== true && names.some((name) => folded.includes(` ${name} `)));
}

/** Finds the term of exactly this name. */
export const termNamed = (name: string): GlossaryTerm | undefined => {
  const wanted = name.toLowerCase().replaceAll(/\s+/gu, ' ').trim();
  return glossaryTerms.find(({ names }) => names.includes(wanted));
};
