import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.js';
import { openDocument } from '../../../src/platforms/telegram/document.js';
import { openStore } from '../../../src/store/open.js';

test('updates under way and pictures are there after a restart', async () => {
  const store = await openStore('memory://');
  const document = await openDocument({ store, log: silentLog });
  const written = await document.change((now) => ({
    ...now,
    menus: { 'bot/default': 'hash' },
    pendingUpdates: [{ update: 12, tries: 1, incoming: { kind: 'file', place: { chat: 7 }, message: 3 } }],
    recent: [11, 12],
    upgraded: [-100],
    pictures: [{ hash: 'h', file: 'f' }],
    pictureReplies: [{ chat: 7, message: 3, picture: 4 }],
  }));
  expect((await openDocument({ store, log: silentLog })).read()).toEqual(written);
});
