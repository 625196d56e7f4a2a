/** Holds the filters of an alert kind: sizes, stages, metrics, words that name something, and the messages beside a live one. */
import { z } from 'zod';
import { offsetsSchema } from './reminder.js';
import { leastPercentSchema, leastUsdSchema } from './threshold-rule.js';

/** A separator of the filter syntax could not be read back, so it is refused. */
const wordSchema = z.string().regex(/^[^\s,;:<>=]{1,60}$/u, 'A stage or metric is one word of at most 60 characters.');

/** These characters separate the terms of a typed rule, so a phrase has none of them. */
const phraseSchema = z
  .string()
  .trim()
  .regex(/^(?=.*[\p{L}\p{N}])[^,;:<>="“”„«»\p{C}]{1,60}$/u, 'A name in a filter has 1 to 60 characters, and no commas, colons or quotes.');
const phrasesSchema = z.array(phraseSchema).min(1).max(10, 'There is room for 10 names in a filter.').readonly().optional();

/** Each of these filters lists names or words of which an event has to have one. */
export const LABELS = ['tokens', 'categories', 'accounts', 'title', 'projects'] as const;
export type Label = (typeof LABELS)[number];

/** `edit` marks the message of the alert, and `message` is one of its own. */
export const BACK_WAYS = ['edit', 'message', 'off'] as const;
const backSchema = z.enum(BACK_WAYS);

export const filtersSchema = z.object({
  leastUsd: leastUsdSchema.optional(),
  leastPercent: leastPercentSchema.optional(),
  /** One of the two sizes suffices; by default an event needs both. */
  eitherSize: z.literal(true).optional(),
  stages: z.array(wordSchema).min(1).max(20, 'There is room for 20 stages.').readonly().optional(),
  metrics: z.array(wordSchema).min(1).max(20, 'There is room for 20 metrics.').readonly().optional(),
  tokens: phrasesSchema,
  categories: phrasesSchema,
  /** They are names or addresses of accounts that a movement leaves or enters. */
  accounts: phrasesSchema,
  /** They are words of the title. */
  title: phrasesSchema,
  /** They are slugs, symbols or names of the projects that an event of a wallet is about. */
  projects: phrasesSchema,
  /** These stages get a message of their own; `none` gives only the live message and `off` no live message. The kind has a default. */
  updates: z.array(wordSchema).min(1).max(20, 'There is room for 20 stages.').readonly().optional(),
  /** A chat is reminded so many minutes before a known date. By default it is the chat's own choice, which is none at first. */
  remind: offsetsSchema.optional(),
  /** It says how a chat learns that a threshold alert is over. By default the message is edited. */
  back: backSchema.optional(),
});
export type Filters = z.infer<typeof filtersSchema>;

export type FilterName = Exclude<keyof Filters, 'eitherSize'>;
