import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.js';
import { address } from '../../../src/chat/address.js';
import { keeperOf } from '../../../src/platforms/telegram/keeper.js';
import { openPrompts, type Prompt } from '../../../src/platforms/telegram/prompts.js';
import { openStore } from '../../../src/store/open.js';
import { handClock } from '../../support/clock.js';

test('who was asked to fill something in is counted in their chat, and forgotten with the chat or with them', async () => {
  const clock = handClock();
  const prompts = openPrompts({ store: await openStore('memory://'), clock, log: silentLog });
  const keeper = keeperOf(prompts);
  const ask = async (prompt: Pick<Prompt, 'chat' | 'message'> & { readonly topic?: number; readonly who: number }) => {
    const { who, ...place } = prompt;
    const rest = { label: 'A wallet', hint: '', line: '/watch {}', askedAt: clock.now(), answered: false, othersTold: false };
    await prompts.keep(async () => ({ ...place, ...rest, person: { id: who, name: 'Ada', hidden: false } }));
  };
  await ask({ chat: -5, message: 1, who: 77 });
  await ask({ chat: -5, message: 2, topic: 9, who: 77 });
  await ask({ chat: -5, message: 3, topic: 9, who: 78 });
  const [group, topic] = [address('telegram', '-5'), address('telegram', '-5', '9')];
  expect((await keeper.kept(topic))[0]).toContain('2 messages, each with the name of who was asked; for a day');
  expect(await keeper.kept(address('telegram', '5'))).toEqual([]);
  await keeper.forgetPerson?.('telegram/78');
  expect((await keeper.kept(topic))[0]).toContain('1 message,');
  // The same number on another platform is somebody else.
  await keeper.forgetPerson?.('discord/77');
  await keeper.forgetChat(topic);
  expect(await keeper.kept(topic)).toEqual([]);
  expect(await keeper.kept(group)).toHaveLength(1);
});
