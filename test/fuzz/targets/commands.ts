/** Every command's reply, where one operation behind it answers oddly: rendered on every surface. */
import type { Target } from '../fuzz.js';
import { openFuzzedBot, unbroken } from '../bot.js';
import { harmless } from '../harmless.js';
import { joined, split } from '../samples.js';
import { openOddService } from '../service.js';
import { NOON } from '../../simulator/box.js';

const LIFETIME = 40;

export async function commands(): Promise<Target> {
  const service = await openOddService();
  const bot = await openFuzzedBot({ serviceUrl: service.url, start: NOON }, LIFETIME);
  const { registry } = bot.current();
  const inputs: string[] = [];
  for (const line of registry.catalogue.commands.flatMap(({ examples }) => examples)) {
    const { say } = await bot.next();
    service.taken();
    await say(line);
    for (const [row, body] of service.taken()) inputs.push(joined(`${row} ${line}`, body));
  }
  return {
    name: 'commands',
    json: true,
    headed: true,
    inputs,
    mayKeepMb: 120,
    async run(input) {
      const { head, body } = split(input);
      const space = head.indexOf(' ');
      const harness = await bot.next();
      service.replace({ row: head.slice(0, space), body });
      try {
        const { reply } = await harness.say(head.slice(space + 1));
        unbroken(harness);
        await harmless(reply);
        return reply.tone === 'warning' ? 'warning' : 'reply';
      } finally {
        service.replace(undefined);
      }
    },
    idle: async () => bot.current().clock.next(),
    async close() {
      await bot.close();
      await service.close();
    },
  };
}
