/** A bare loop over grammY: sends one text to so many chats, one after another. Arguments: the API root, the token. */
import { Api } from 'grammy';
import { answerCalls } from './calls.js';

const [apiRoot = '', token = ''] = process.argv.slice(2);
const api = new Api(token, { apiRoot });
const TEXT = '<b>Tidewater</b>: 1,234.5 TIDE minted, 0.01% of the supply, which is now 12,901,234.5 TIDE.\n<i>Nov 22, 2026, 10:16 UTC</i>';
const BUTTONS = { inline_keyboard: [[{ text: 'Why?', callback_data: 'why:0123456789' }]] };

answerCalls(undefined, {
  /** Resolves with the seconds of CPU time and of the clock that it took. */
  async send(count: number) {
    const before = process.resourceUsage();
    const begun = performance.now();
    for (let index = 0; index < count; index += 1)
      await api.sendMessage(200_001 + index, TEXT, { parse_mode: 'HTML', reply_markup: BUTTONS });
    const after = process.resourceUsage();
    const cpu = (after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime) / 1e6;
    return { cpu, wall: (performance.now() - begun) / 1_000 };
  },
});
