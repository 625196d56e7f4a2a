/** What a delivery is called: on the buttons of its message, and in `/why`. */
import { hash } from 'node:crypto';
import type { Address } from '../../chat/address.js';
import type { Instant } from '../../domain/scalars.js';
import type { Member } from './queued-event.js';

/** Same events, same id, but another for each `again`. */
export const deliveryId = (address: Address, members: readonly Member[], again?: Instant): string =>
  hash(
    'sha256',
    JSON.stringify([address, members.map((member) => member.event), ...(again === undefined ? [] : [again])]),
    'base64url',
  ).slice(0, 22);

/** By its form; one in 100,000 has no capital letter. */
export const looksLikeDelivery = (text: string): boolean => /^(?=.*[A-Z])[\w-]{22}$/u.test(text);
