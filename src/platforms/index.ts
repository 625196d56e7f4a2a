/** The platforms that a setting connects; the console is not among them. */
import { platformOf, type Address } from '../chat/address.js';
import type { PlatformDescriptor } from './descriptor.js';
import { discord } from './discord/descriptor.js';
import { telegram } from './telegram/descriptor.js';

export const PLATFORMS: readonly PlatformDescriptor[] = [discord, telegram];

export const greetingHints = (chat: Address): readonly string[] =>
  PLATFORMS.find(({ name }) => name === platformOf(chat))?.greeting(chat) ?? [];
