import { address } from '../../../src/chat/address.js';
import { courierContract } from '../../contracts/courier.js';
import { openHouse, textOf } from './house.js';

const VIEW = 1n << 10n;

courierContract({
  platform: 'discord',
  exactlyOnce: true,
  async open() {
    const house = await openHouse();
    await house.connect();
    const hidden = house.discord.controls.addChannel({ guild: house.guild, name: 'hidden' });
    house.discord.controls.setPermission({ channel: hidden, target: 'bot', deny: VIEW });
    return {
      courier: house.platform.courier,
      somewhere: address('discord', house.channel),
      nowhere: address('discord', hidden),
      posted: async () => house.discord.controls.messages(house.channel).map((seen) => ({ id: seen.id, text: textOf(seen) })),
      async restart() {
        await house.restart();
        await house.connect();
        return house.platform.courier;
      },
      close: async () => house.close(),
    };
  },
});
