/** Defines options that several commands take, and finds suggestions for a mistyped word. */
import Fuse from 'fuse.js';
import { z } from 'zod';

export const projectOption = z.string().trim().min(1).describe('a project (symbol, name or slug)').meta({ complete: 'project' });

/** Makes an option for commands that do not need a project. */
export const optionalProject = (summary: string) => projectOption.optional().describe(summary).meta({ complete: 'project' });

export const textOption = (summary: string) => z.string().trim().min(1).optional().describe(summary);

/** Makes an option whose text has a fixed form, such as a number. */
export const formOption = (form: RegExp, summary: string) => z.string().regex(form).optional().describe(summary);

export const PAGE_NUMBER = /^[1-9]\d{0,3}$/;

export const pageOption = z.string().regex(PAGE_NUMBER).default('1').transform(Number).describe('a page number, from 1');

/** Fuse's threshold: 0 is an exact match, 1 matches anything. */
const UNLIKE = 0.45;
const MAX_SUGGESTIONS = 3;
const MAX_LENGTH = 64;

/** Returns similar words. Much shorter words are left out before the slow search, because missing letters make them unlike. */
export function nearest(word: string, words: readonly string[]): readonly string[] {
  const candidates = word.length > MAX_LENGTH ? [] : words.filter(({ length }) => length >= word.length * (1 - UNLIKE));
  if (candidates.length === 0) return [];
  const fuse = new Fuse(candidates, { threshold: UNLIKE, ignoreLocation: true });
  return fuse.search(word, { limit: MAX_SUGGESTIONS }).map(({ item }) => item);
}
