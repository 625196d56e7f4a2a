import { expect, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../../src/base/log.js';
import { openDocument } from '../../../src/platforms/telegram/document.js';
import { openStore } from '../../../src/store/open.js';

const incoming = { kind: 'file', place: { chat: 7 }, message: 3 };

/** As version 1 wrote it. */
const WRITTEN = {
  menus: { 'bot/default': 'hash' },
  inHand: [{ update: 12, tries: 1, heard: incoming }],
  recent: [11, 12],
  upgraded: [-100],
  pictures: [{ hash: 'h', file: 'f' }],
  pictured: [{ chat: 7, message: 3, picture: 4 }],
};

test('a document of version 1 keeps its updates under way and its pictures', async () => {
  const store = await openStore('memory://');
  await store.collection({ prefix: 'platform', schema: z.unknown(), version: 1 }).set('telegram', WRITTEN);
  const { inHand: _, pictured, ...same } = WRITTEN;
  const upgraded = { ...same, pendingUpdates: [{ update: 12, tries: 1, incoming }], pictureReplies: pictured };
  const document = await openDocument({ store, log: silentLog });
  expect(document.read()).toEqual(upgraded);
  await document.change((now) => ({ ...now, recent: [13] }));
  expect((await openDocument({ store, log: silentLog })).read()).toEqual({ ...upgraded, recent: [13] });
});
