/** All platforms but the console. */
import { chatNameSchema, localOf, platformOf, type Address } from '../chat/address.js';
import { either } from '../base/sentence-lists.js';
import type { Renderings } from '../chat/renderings.js';
import type { PlatformDescriptor } from './descriptor.js';
import { discord } from './discord/descriptor.js';
import { telegram } from './telegram/descriptor.js';
import { webhook } from './webhook/descriptor.js';

export const PLATFORMS: readonly PlatformDescriptor[] = [discord, telegram, webhook];

const descriptorOf = (chat: Address): PlatformDescriptor | undefined => PLATFORMS.find(({ name }) => name === platformOf(chat));

export const greetingHints = (chat: Address): readonly string[] => descriptorOf(chat)?.greeting(chat) ?? [];

export const placeWord = (chat: Address): string => descriptorOf(chat)?.placeWord ?? 'chat';

/** Returns why no chat on the connected platforms can have this address; undefined if one can. */
export function addressFault(chat: Address, connected: readonly string[]): string | undefined {
  const platform = platformOf(chat);
  const isForm = platform === 'console' ? chatNameSchema.safeParse(localOf(chat)).success : descriptorOf(chat)?.isAddress(chat);
  if (isForm === undefined) return `There is no platform "${platform}". Use ${either(['console', ...PLATFORMS.map(({ name }) => name)])}.`;
  if (!isForm) return `${chat} is not an address of a chat on ${platform}. /feeds and the operator view name the chats.`;
  return connected.includes(platform) ? undefined : `The bot is not connected to ${platform}.`;
}

/** Renders previews for each platform, connected or not. */
export const renderings: Renderings = async (request) =>
  Promise.all(
    PLATFORMS.flatMap(({ name, title, preview }) =>
      preview === undefined ? [] : [preview(request).then((messages) => ({ platform: name, title, messages }))],
    ),
  );
