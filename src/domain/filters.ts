/** Defines the filters of an alert kind: sizes, stages, metrics, names, and the messages besides a live one. */
import { z } from 'zod';
import { offsetsSchema } from './reminder.js';
import { leastPercentSchema, leastUsdSchema } from './threshold-rule.js';

/** Refuses separators of the filter syntax, because they could not be parsed back. */
const wordSchema = z.string().regex(/^[^\s,;:<>=]{1,60}$/u, 'A stage or metric is one word of at most 60 characters.');

/** Refuses characters that separate the terms of a typed rule. */
const phraseSchema = z
  .string()
  .trim()
  .regex(/^(?=.*[\p{L}\p{N}])[^,;:<>="“”„«»\p{C}]{1,60}$/u, 'A name in a filter has 1 to 60 characters, and no commas, colons or quotes.');
const phrasesSchema = z.array(phraseSchema).min(1).max(10, 'There is room for 10 names in a filter.').readonly().optional();

/** Filters that list names or words. An event must have one of them. */
export const LABELS = ['tokens', 'categories', 'accounts', 'title', 'projects'] as const;
export type Label = (typeof LABELS)[number];

/** How a chat is notified when an alert is over: `edit` edits the alert's message, `message` sends another one. */
export const BACK_WAYS = ['edit', 'message', 'off'] as const;
const backSchema = z.enum(BACK_WAYS);

export const filtersSchema = z.object({
  leastUsd: leastUsdSchema.optional(),
  leastPercent: leastPercentSchema.optional(),
  /** An event needs only one of the two sizes; by default it needs both. */
  eitherSize: z.literal(true).optional(),
  stages: z.array(wordSchema).min(1).max(20, 'There is room for 20 stages.').readonly().optional(),
  metrics: z.array(wordSchema).min(1).max(20, 'There is room for 20 metrics.').readonly().optional(),
  tokens: phrasesSchema,
  categories: phrasesSchema,
  /** Names or addresses of accounts that a movement leaves or enters. */
  accounts: phrasesSchema,
  /** Words of the title. */
  title: phrasesSchema,
  /** Slugs, symbols or names of the projects in a wallet's event. */
  projects: phrasesSchema,
  /** Stages that get a separate message. `none`: only the live message; `off`: no live message. The default depends on the kind. */
  updates: z.array(wordSchema).min(1).max(20, 'There is room for 20 stages.').readonly().optional(),
  /** Reminders in minutes before a known date. By default the chat's setting applies, which is initially none. */
  remind: offsetsSchema.optional(),
  /** How a chat is notified that a threshold alert is over. By default its message is edited. */
  back: backSchema.optional(),
});
export type Filters = z.infer<typeof filtersSchema>;

export type FilterName = Exclude<keyof Filters, 'eitherSize'>;
