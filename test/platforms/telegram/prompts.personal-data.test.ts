import { expect, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../../src/base/log.js';
import { address } from '../../../src/chat/address.js';
import { dataOwnerOf, openPrompts } from '../../../src/platforms/telegram/prompts.js';
import { openStore } from '../../../src/store/open.js';
import { handClock } from '../../support/clock.js';

test('who was asked to fill something in is counted in their chat, and forgotten with the chat or with them', async () => {
  const clock = handClock();
  const store = await openStore('memory://');
  const asked = (message: number, who: number, topic?: number) => ({
    chat: -5,
    message,
    label: 'A wallet',
    hint: '',
    line: '/watch {}',
    askedAt: clock.now(),
    ...(topic === undefined ? {} : { topic }),
    person: { id: who, name: 'Ada', hidden: false },
  });
  const documents = store.collection({ prefix: 'platform', schema: z.unknown(), version: 1 });
  await documents.set('telegram-prompts', { prompts: [asked(1, 77), asked(2, 77, 9), asked(3, 78, 9)] });
  const dataOwner = dataOwnerOf(openPrompts({ store, clock, log: silentLog }));
  const [group, topic] = [address('telegram', '-5'), address('telegram', '-5', '9')];
  expect((await dataOwner.kept(topic))[0]).toContain('2 messages, each with the name of who was asked; for a day');
  expect(await dataOwner.kept(address('telegram', '5'))).toEqual([]);
  await dataOwner.forgetPerson?.('telegram/78');
  expect((await dataOwner.kept(topic))[0]).toContain('1 message,');
  // The same number on another platform is somebody else.
  await dataOwner.forgetPerson?.('discord/77');
  await dataOwner.forgetChat(topic);
  expect(await dataOwner.kept(topic)).toEqual([]);
  expect(await dataOwner.kept(group)).toHaveLength(1);
});
