/** The personal data that Telegram's documents hold. */
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Address } from '../../chat/address.js';
import type { DataOwner } from '../../chat/privacy.js';
import { addressOf } from './address.js';
import type { Prompt, Prompts } from './prompts.js';

export function dataOwnerOf(prompts: Pick<Prompts, 'count' | 'forget'>): DataOwner {
  const inChat =
    (where: Address) =>
    ({ chat, topic }: Prompt): boolean =>
      addressOf(omitUndefined({ chat, topic })) === where;
  return {
    async kept(chat) {
      const count = await prompts.count(inChat(chat));
      return count === 0
        ? []
        : [
            `what was asked to be filled in here: ${count} ${count === 1 ? 'message' : 'messages'}, each with the name of who was asked; for a day`,
          ];
    },
    forgetChat: async (chat) => prompts.forget(inChat(chat)),
    forgetPerson: async (who) => prompts.forget(({ person }) => `telegram/${person.id}` === who),
  };
}
