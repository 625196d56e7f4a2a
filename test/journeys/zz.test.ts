import { test } from 'vitest';
import { openBot } from './bot.js';
test('zz', async () => {
  const lines: string[] = [];
  const write = (event: string, fields: unknown = {}) => void lines.push(`${event} ${JSON.stringify(fields).slice(0, 300)}`);
  const bot = await openBot({ env: { ANALYTICS_REQUESTS_PER_MONTH: '500', ANALYTICS_MAX_ROWS: '10', ANALYTICS_MAX_PAGES: '3' }, log: () => ({ error: write, warn: write, info: write, debug: write }) as never });
  await bot.say('/watch all');
  await bot.pass(120, 10);
  console.log(lines.join('\n'));
  lines.length = 0;
  await bot.sim({ kind: 'mint', project: 'tide', amount: '900000' });
  await bot.pass(36 * 3600, 600);
  console.log(lines.join('\n').slice(0, 6000));
  console.log((await bot.say('/status')).slice(0, 3000));
}, 60_000);
