import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.js';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import { consoleNotifier } from '../../../src/platforms/console/notifier.js';
import { openConversationLog } from '../../../src/platforms/console/conversation-log.js';
import { openStore } from '../../../src/store/open.js';
import { StoreError, type Store } from '../../../src/store/store.js';
import { notifierContract } from '../../contracts/notifier.js';
import { handClock } from '../../support/clock.js';

const main = address('console', 'main');

notifierContract({
  platform: 'console',
  exactlyOnce: true,
  async open() {
    const store = await openStore('memory://');
    const start = async () => {
      const conversations = await openConversationLog({ store, log: silentLog });
      return { conversations, notifier: consoleNotifier({ conversations, clock: handClock(), log: silentLog }) };
    };
    let { conversations, notifier } = await start();
    return {
      notifier,
      postableChat: main,
      unpostableChat: address('console', 'Not.A.Chat'),
      posted: async () => conversations.messages('main').map(({ id, text }) => ({ id: String(id), text })),
      async restart() {
        ({ conversations, notifier } = await start());
        return notifier;
      },
      close: async () => store.close(),
    };
  },
});

/** A store whose writes fail on demand, before or after the document has become durable. */
async function fragileStore() {
  const inner = await openStore('memory://');
  let fails: 'never' | 'before' | 'after' = 'never';
  const store: Store = {
    ...inner,
    collection(spec) {
      const collection = inner.collection(spec);
      return {
        ...collection,
        async set(key, document) {
          if (fails === 'before') throw new StoreError('full', 'store: the disk is full');
          await collection.set(key, document);
          if (fails === 'after') throw new StoreError('failed', 'store: the answer was lost');
        },
      };
    },
  };
  return { store, failing: (how: typeof fails) => (fails = how) };
}

test.each(['before', 'after'] as const)('a write that fails %s the document stands is tried later and alerted once', async (how) => {
  const { store, failing } = await fragileStore();
  const conversations = await openConversationLog({ store, log: silentLog });
  const notifier = consoleNotifier({ conversations, clock: handClock(), log: silentLog });
  const mint = { id: 'd-1', reply: reply({ finding: ['a mint'] }) };
  failing(how);
  expect(await notifier.deliver(main, mint)).toEqual({ kind: 'later', because: 'server-error' });
  expect(await notifier.diagnose()).toMatchObject({ ok: false });
  failing('never');
  // Something else may take the number that the failed write had meant to use.
  await conversations.post('main', { at: handClock().now(), kind: 'question', text: '/status' });
  expect(await notifier.deliver(main, mint)).toMatchObject({ kind: 'sent' });
  expect(await notifier.diagnose()).toMatchObject({ ok: true, says: '1 chat on the page' });
  const after = await openConversationLog({ store, log: silentLog });
  expect(after.messages('main').map(({ id, text }) => `${id} ${text}`)).toEqual(['1 /status', '2 a mint']);
});

test('after a kill between the write and the answer, the repeat adds nothing', async () => {
  const { store, failing } = await fragileStore();
  const before = consoleNotifier({
    conversations: await openConversationLog({ store, log: silentLog }),
    clock: handClock(),
    log: silentLog,
  });
  const mint = { id: 'd-1', reply: reply({ finding: ['a mint'] }) };
  failing('after');
  await before.deliver(main, mint);
  failing('never');
  const conversations = await openConversationLog({ store, log: silentLog });
  const after = consoleNotifier({ conversations, clock: handClock(), log: silentLog });
  expect(await after.deliver(main, mint)).toEqual({ kind: 'sent', messageId: '1' });
  expect(conversations.messages('main')).toHaveLength(1);
});

test('an address of another platform is refused', async () => {
  const conversations = await openConversationLog({ store: await openStore('memory://'), log: silentLog });
  const notifier = consoleNotifier({ conversations, clock: handClock(), log: silentLog });
  expect(await notifier.deliver(address('discord', '123'), { id: 'd', reply: reply({ finding: ['x'] }) })).toMatchObject({
    kind: 'refused',
  });
});
