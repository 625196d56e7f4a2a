/** Defines settings from environment variables, and their text in `.env.example`. */
import { z } from 'zod';
import { parsedUrl } from './parsed-url.js';

/** What `.env.example` says of a setting. */
export interface Hint {
  /** The purpose and unit. */
  readonly says: string;
  /** The default, if there is one. */
  readonly example?: string;
}

const hints = z.registry<Hint>();

/** Defines a setting. Surrounding blanks are ignored; blank text means "not set". */
export function setting<T extends z.ZodType>(schema: T, hint: Hint) {
  const trimmed = z.preprocess((value) => (typeof value === 'string' ? value.trim() || undefined : value), schema);
  hints.add(trimmed, hint);
  return trimmed;
}

/** Defines a setting for which an empty variable means '' and not "not set". */
export function settingOrEmpty<T extends z.ZodType>(schema: T, hint: Hint) {
  const trimmed = z.preprocess((value) => (typeof value === 'string' ? value.trim() : value), schema);
  hints.add(trimmed, hint);
  return trimmed;
}

export type Variables = Readonly<Record<string, z.ZodType>>;

/** Returns the hint of a setting. Throws for a schema made without `setting`. */
export function hintOf(schema: z.ZodType): Hint {
  const hint = hints.get(schema);
  if (hint === undefined) throw new Error('a setting has no hint; make its schema with setting()');
  return hint;
}

export const wholeNumber = (min: number, max: number, remedy: string) =>
  z.coerce.number<string>(remedy).int(remedy).min(min, remedy).max(max, remedy);

export const positive = (max: number, remedy: string) => z.coerce.number<string>(remedy).positive(remedy).max(max, remedy);

const isPlain = ({ username, password, search, hash }: URL): boolean => `${username}${password}${search}${hash}` === '';

/** Refuses addresses with a user, query or fragment, which could contain a secret. `error` is for text that is not an address. */
export const serverAddress = (error: string, remedy = 'give the address alone, without a user, a query or a fragment') =>
  z.url({ protocol: /^https?$/, error }).refine((address) => isPlain(new URL(address)), {
    error: remedy,
    // Text that is not an address has its own message.
    when: ({ value }) => parsedUrl(String(value)) !== undefined,
  });

export const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/** Splits a text at commas. Keeps each word once. */
export const words = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];
