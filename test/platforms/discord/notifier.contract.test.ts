import { address } from '../../../src/chat/address.js';
import { notifierContract } from '../../contracts/notifier.js';
import { openHarness, textOf } from './harness.js';

const VIEW = 1n << 10n;

notifierContract({
  platform: 'discord',
  exactlyOnce: true,
  async open() {
    const harness = await openHarness();
    await harness.connect();
    const hidden = harness.discord.controls.addChannel({ guild: harness.guild, name: 'hidden' });
    harness.discord.controls.setPermission({ channel: hidden, target: 'bot', deny: VIEW });
    return {
      notifier: harness.platform.notifier,
      postableChat: address('discord', harness.channel),
      unpostableChat: address('discord', hidden),
      posted: async () => harness.discord.controls.messages(harness.channel).map((seen) => ({ id: seen.id, text: textOf(seen) })),
      async restart() {
        await harness.restart();
        await harness.connect();
        return harness.platform.notifier;
      },
      close: async () => harness.close(),
    };
  },
});
