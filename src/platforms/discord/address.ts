/** Discord's addresses: `discord/<channel>`; a thread is a channel. */
import { address, type Address } from '../../chat/address.js';

export const addressOf = (channel: string): Address => address('discord', channel);

/** Returns undefined for an address of another platform. */
export const channelOf = (where: Address): string | undefined => /^discord\/(\d{1,20})$/u.exec(where)?.[1];

/** Returns the smallest id of this moment. https://docs.discord.com/developers/reference#snowflakes */
export const idAt = (moment: number): string => (BigInt(Math.max(0, moment - EPOCH)) << 22n).toString();

const EPOCH = Date.UTC(2015, 0, 1);
