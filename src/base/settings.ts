/** Settings of the bot: environment variables, each with its schema and with what `.env.example` says of it. */
import { z } from 'zod';

/** How `.env.example` shows a setting. */
export interface Hint {
  /** What it is for, and its unit. */
  readonly says: string;
  /** A value to start from; the default where there is one. Absent: nothing follows the `=`. */
  readonly example?: string;
}

const hints = z.registry<Hint>();

/** A setting. Empty or blank text means "not set"; blanks around a value are ignored. */
export function setting<T extends z.ZodType>(schema: T, hint: Hint) {
  const trimmed = z.preprocess((value) => (typeof value === 'string' ? value.trim() || undefined : value), schema);
  hints.add(trimmed, hint);
  return trimmed;
}

/** Environment variables by name, each schema made with `setting`. */
export type Variables = Readonly<Record<string, z.ZodType>>;

/** Throws for a schema that was not made with `setting`. */
export function hintOf(schema: z.ZodType): Hint {
  const hint = hints.get(schema);
  if (hint === undefined) throw new Error('a setting has no hint; make its schema with setting()');
  return hint;
}

export const wholeNumber = (min: number, max: number, remedy: string) =>
  z.coerce.number<string>(remedy).int(remedy).min(min, remedy).max(max, remedy);

export const positive = (max: number, remedy: string) => z.coerce.number<string>(remedy).positive(remedy).max(max, remedy);

const isPlain = ({ username, password, search, hash }: URL): boolean => `${username}${password}${search}${hash}` === '';

/** An HTTP address without a user, a query or a fragment, which could hide a secret. `error`: the remedy for what is no address. */
export const serverAddress = (error: string, remedy = 'give the address alone, without a user, a query or a fragment') =>
  z.url({ protocol: /^https?$/, error }).refine((address) => isPlain(new URL(address)), {
    error: remedy,
    // What is no address has its own complaint.
    when: ({ value }) => URL.canParse(String(value)),
  });

export const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/** Words with commas between, each once. */
export const words = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];
