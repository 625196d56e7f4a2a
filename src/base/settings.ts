/** Settings from environment variables, and their text in `.env.example`. */
import { z } from 'zod';
import { parsedUrl } from './parsed-url.js';

/** The lines of a setting in `.env.example`. */
export interface Hint {
  /** The text gives purpose and unit. */
  readonly says: string;
  /** The default where there is one. */
  readonly example?: string;
}

const hints = z.registry<Hint>();

/** Surrounding blanks are ignored; blank text means "not set". */
export function setting<T extends z.ZodType>(schema: T, hint: Hint) {
  const trimmed = z.preprocess((value) => (typeof value === 'string' ? value.trim() || undefined : value), schema);
  hints.add(trimmed, hint);
  return trimmed;
}

/** A variable that is set to nothing is ''. */
export function settingOrEmpty<T extends z.ZodType>(schema: T, hint: Hint) {
  const trimmed = z.preprocess((value) => (typeof value === 'string' ? value.trim() : value), schema);
  hints.add(trimmed, hint);
  return trimmed;
}

export type Variables = Readonly<Record<string, z.ZodType>>;

/** Throws for a schema made without `setting`. */
export function hintOf(schema: z.ZodType): Hint {
  const hint = hints.get(schema);
  if (hint === undefined) throw new Error('a setting has no hint; make its schema with setting()');
  return hint;
}

export const wholeNumber = (min: number, max: number, remedy: string) =>
  z.coerce.number<string>(remedy).int(remedy).min(min, remedy).max(max, remedy);

export const positive = (max: number, remedy: string) => z.coerce.number<string>(remedy).positive(remedy).max(max, remedy);

const isPlain = ({ username, password, search, hash }: URL): boolean => `${username}${password}${search}${hash}` === '';

/** An address has no user, query and fragment, which could contain a secret. `error` is for text that is no address. */
export const serverAddress = (error: string, remedy = 'give the address alone, without a user, a query or a fragment') =>
  z.url({ protocol: /^https?$/, error }).refine((address) => isPlain(new URL(address)), {
    error: remedy,
    // Text that is no address has its own message.
    when: ({ value }) => parsedUrl(String(value)) !== undefined,
  });

export const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/** The words are separated by commas. Each is kept once. */
export const words = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];
