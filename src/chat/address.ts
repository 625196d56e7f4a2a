/** Addresses of chats, such as `console/main`, `discord/<channel>` or `telegram/<chat>/<topic>`. */
import { z } from 'zod';

export const addressSchema = z
  .string()
  .regex(/^[a-z]+(\/[\w.-]+)+$/, 'not an address')
  .brand<'Address'>();
export type Address = z.infer<typeof addressSchema>;

/** Builds an address. Throws for a character that no platform uses in ids. */
export const address = (platform: string, ...rest: readonly [string, ...string[]]): Address =>
  addressSchema.parse([platform, ...rest].join('/'));

/** The name of a chat of the console. */
export const chatNameSchema = z.string().regex(/^[a-z0-9-]{1,32}$/, 'A chat is named with 1 to 32 of a-z, 0-9 and "-".');

export const circleOf = (where: Address): string => `${platformOf(where)}/chat/${localOf(where)}`;

export const platformOf = (where: Address): string => where.slice(0, where.indexOf('/'));

export const localOf = (where: Address): string => where.slice(where.indexOf('/') + 1);
