/** A bare loop over discord.js: sends one text to so many channels, one after another. Arguments: the API's address, the token. */
import { REST, Routes } from 'discord.js';
import { answerCalls } from './calls.js';

const [api = '', token = ''] = process.argv.slice(2);
const rest = new REST({ api, globalRequestsPerSecond: 100_000 }).setToken(token);
const BODY = {
  content: '▲ **Tidewater minted 1,234 TIDE** (+0.01% of supply)',
  embeds: [{ title: 'Tidewater', description: 'Supply 12.90M → 12.90M', footer: { text: 'Updated' } }],
  components: [{ type: 1, components: [{ type: 2, style: 2, label: 'Why?', custom_id: 'why:0123456789' }] }],
};

answerCalls(undefined, {
  /** Resolves with the seconds of CPU time and of the clock that it took. */
  async send(channels: readonly string[]) {
    const before = process.resourceUsage();
    const begun = performance.now();
    for (const channel of channels) await rest.post(Routes.channelMessages(channel), { body: BODY });
    const after = process.resourceUsage();
    const cpu = (after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime) / 1e6;
    return { cpu, wall: (performance.now() - begun) / 1_000 };
  },
});
