/** Writes a command as a line, and makes buttons of the choices of an option. */
import { capitalised } from '../base/sentence-lists.js';
import { commandLine } from '../chat/command-line.js';
import type { ActionDraft } from '../chat/reply.js';

/** The options that are set, each with its name: "entity:DAO". */
export const namedWords = (options: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]));

/** Every platform shows this many. */
export const MAX_MENU_OPTIONS = 25;

export const choiceActions = (choices: readonly string[], current: string, to: (choice: string) => string): readonly ActionDraft[] =>
  choices.map((choice) => ({ label: LABELS[choice] ?? capitalised(choice), line: to(choice), on: choice === current }));

/** Leads to other commands about the same project. */
export const commandActions = (slug: string, ...commands: readonly string[]): readonly ActionDraft[] =>
  commands.map((command) => ({ label: LABELS[command] ?? capitalised(command), line: commandLine(command, slug) }));

const LABELS: Readonly<Record<string, string>> = {
  nav: 'NAV',
  csv: 'CSV',
  native: 'Own token',
  ico: 'ICO',
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
};
