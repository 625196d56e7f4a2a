/** What the page gets from a bot that was just started without any configuration. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openBot } from './bot.js';

test('before the first question projects are completed, and the data is marked as invented', async () => {
  const bot = await openBot();
  const read = async (path: string): Promise<unknown> => (await fetch(`${bot.app().url}api/${path}`)).json();
  const suggested = z.object({ suggestions: z.array(z.object({ insert: z.string() })) });
  await expect
    .poll(async () => suggested.parse(await read('complete?line=%2Fpremium%20tid')).suggestions.map(({ insert }) => insert))
    .toContain('/premium tide ');
  expect(await read('panel')).toMatchObject({ service: { invented: true } });
});
