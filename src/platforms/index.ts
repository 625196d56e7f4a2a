/** All platforms but the console. */
import { platformOf, type Address } from '../chat/address.js';
import type { Renderings } from '../chat/renderings.js';
import type { PlatformDescriptor } from './descriptor.js';
import { discord } from './discord/descriptor.js';
import { telegram } from './telegram/descriptor.js';
import { webhook } from './webhook/descriptor.js';

export const PLATFORMS: readonly PlatformDescriptor[] = [discord, telegram, webhook];

const descriptorOf = (chat: Address): PlatformDescriptor | undefined => PLATFORMS.find(({ name }) => name === platformOf(chat));

export const greetingHints = (chat: Address): readonly string[] => descriptorOf(chat)?.greeting(chat) ?? [];

export const placeWord = (chat: Address): string => descriptorOf(chat)?.placeWord ?? 'chat';

/** Renders for each platform, connected or not. */
export const renderings: Renderings = async (request) =>
  Promise.all(
    PLATFORMS.flatMap(({ name, title, preview }) =>
      preview === undefined ? [] : [preview(request).then((messages) => ({ platform: name, title, messages }))],
    ),
  );
