/** A bare bot on grammY: answers `/premium` with a fixed text. Arguments: the API root, the token. */
import { Bot } from 'grammy';
import { answerCalls } from './calls.js';

const [apiRoot = '', token = ''] = process.argv.slice(2);
const TEXT = '<b>TIDE trades 9.1% below NAV</b>\nprice 0.3981 USD\nNAV/share 0.4379 USD\n<i>as of 10:16 UTC</i>';
const bot = new Bot(token, { client: { apiRoot } });
bot.command('premium', async (context) => context.reply(TEXT, { parse_mode: 'HTML' }));
await new Promise<void>((resolve) => void bot.start({ onStart: () => resolve() }));
answerCalls(undefined, {
  /** Seconds of CPU time since the start. */
  cpu() {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    return (userCPUTime + systemCPUTime) / 1e6;
  },
});
