/** Buttons for the choices of an option. */
import type { ActionDraft } from '../chat/reply.js';

/** One button per choice; the current one is marked. */
export const choiceActions = (choices: readonly string[], current: string, to: (choice: string) => string): readonly ActionDraft[] =>
  choices.map((choice) => ({ label: LABELS[choice] ?? capital(choice), line: to(choice), on: choice === current }));

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
/** Labels of choices that are not words. */
const LABELS: Readonly<Record<string, string>> = {
  nav: 'NAV',
  csv: 'CSV',
  native: 'Own token',
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
};
