import { address } from '../../../src/chat/address.js';
import { notifierContract } from '../../contracts/notifier.js';
import { openHouse, textOf } from './house.js';

const VIEW = 1n << 10n;

notifierContract({
  platform: 'discord',
  exactlyOnce: true,
  async open() {
    const house = await openHouse();
    await house.connect();
    const hidden = house.discord.controls.addChannel({ guild: house.guild, name: 'hidden' });
    house.discord.controls.setPermission({ channel: hidden, target: 'bot', deny: VIEW });
    return {
      notifier: house.platform.notifier,
      somewhere: address('discord', house.channel),
      nowhere: address('discord', hidden),
      posted: async () => house.discord.controls.messages(house.channel).map((seen) => ({ id: seen.id, text: textOf(seen) })),
      async restart() {
        await house.restart();
        await house.connect();
        return house.platform.notifier;
      },
      close: async () => house.close(),
    };
  },
});
