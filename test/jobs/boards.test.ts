/** The message of a board, whatever is killed and whatever people do with it. */
import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/base/clock.js';
import type { Log } from '../../src/base/log.js';
import { address } from '../../src/chat/address.js';
import type { EditOutcome, Notifier } from '../../src/chat/notifier.js';
import { plainText } from '../../src/chat/plain-text.js';
import type { WatchedProject } from '../../src/chat/watched-projects.js';
import { composeBoard } from '../../src/jobs/board/compose.js';
import { Boards, EDIT_PAUSE } from '../../src/jobs/boards.js';
import { openStore } from '../../src/store/open.js';
import { crashStore, falseIfCrashed } from '../alerts/crash-store.js';
import { CHAT, openAlertsHarness, platform, TIDE } from '../alerts/harness.js';
import { toTheEnd } from '../alerts/delivery/delivering.js';
import { handClock } from '../support/clock.js';

type Base = Awaited<ReturnType<typeof openStore>>;

async function open({
  store,
  base = store,
  to = platform(),
  clock = handClock(),
  edits = [] as EditOutcome[],
}: {
  store: Base;
  base?: Base;
  to?: ReturnType<typeof platform>;
  clock?: ReturnType<typeof handClock>;
  edits?: EditOutcome[];
}) {
  const shown: string[] = [];
  const pins: string[] = [];
  const notifier: Notifier = {
    ...to.notifier,
    async revise(_, { reply }) {
      const outcome = edits.shift() ?? { kind: 'edited' };
      if (outcome.kind === 'edited') shown.push(plainText(reply, clock.now()));
      return outcome;
    },
    async pin(_, id) {
      pins.push(id);
      return { kind: 'edited' };
    },
  };
  const harness = await openAlertsHarness({ store, to: { ...to, notifier }, clock });
  const log: Log = {
    ...{ warn: () => {}, info: () => {}, debug: () => {} },
    // A process that dies does not try again.
    error(_, fields) {
      throw fields?.['cause'];
    },
  };
  let price = '$0.8280';
  const project = (): WatchedProject => ({
    slug: 'tide',
    name: 'Tidewater',
    symbol: 'TIDE',
    price: { text: price, at: clock.now() },
    history: [],
  });
  const boards = new Boards({
    ...{ store, watchlists: harness.watchlists, queues: harness.queues, notifiers: [notifier], clock, log },
    projects: { read: async () => ({ total: 1, isAny: true, projects: [project()] }) },
    checkRecords: { all: () => [] },
    reachability: harness.reachability,
  });
  const pass = async (milliseconds: number): Promise<void> => {
    for (let past = 0; past < milliseconds; past += 20 * SECOND) {
      await clock.advance(20 * SECOND);
      boards.tick();
      await boards.idle();
      await toTheEnd(harness);
    }
  };
  const turnOn = async (): Promise<void> => {
    await harness.watch(TIDE);
    await harness.watchlists.change(CHAT, (chat) => ({ ...chat, board: { since: clock.now(), pin: true } }));
  };
  return { ...harness, base, boards, pass, turnOn, shown, pins, to, worth: (text: string) => void (price = text) };
}

test('a board is posted once, pinned once, and edited only when something changed', async () => {
  const { pass, turnOn, to, shown, pins, worth } = await open({ store: await openStore('memory://') });
  await turnOn();
  await pass(EDIT_PAUSE + MINUTE);
  await pass(20 * MINUTE);
  expect([to.shown.length, pins.length, shown.length]).toEqual([1, 1, 0]);
  worth('$0.9000');
  await pass(EDIT_PAUSE + MINUTE);
  expect(shown.at(-1)).toContain('TIDE $0.9000');
  expect([to.shown.length, pins.length, shown.length]).toEqual([1, 1, 1]);
});

test('a process that dies at any write posts one board, where the platform knows its messages', async () => {
  let lived = false;
  for (let until = 1; !lived; until += 1) {
    for (const written of [false, true]) {
      const [base, to, clock] = [await openStore('memory://'), platform(), handClock()];
      await (await open({ store: base, to, clock })).turnOn();
      to.answers('shown, unclear');
      const dying = await open({ store: crashStore(base, { until, written }), base, to, clock });
      lived = await dying.pass(2 * MINUTE).then(() => true, falseIfCrashed);
      const after = await open({ store: base, to, clock });
      await after.pass(5 * MINUTE);
      expect({ until, written, boards: new Set(to.shown.map(({ id }) => id)).size, shown: to.shown.length }).toEqual({
        ...{ until, written },
        boards: 1,
        shown: 1,
      });
    }
  }
});

test('a board that people delete is posted again, and one that is switched off says so and is forgotten', async () => {
  const edits: EditOutcome[] = [];
  const { pass, turnOn, to, shown, worth, watchlists, boards } = await open({ store: await openStore('memory://'), edits });
  await turnOn();
  await pass(HOUR);
  edits.push({ kind: 'lost', because: 'deleted' });
  worth('$1.000');
  await pass(10 * MINUTE);
  expect(to.shown.length).toBe(2);
  expect(await boards.kept(CHAT)).toEqual(['the message of the board']);
  await watchlists.change(CHAT, (chat) => ({ ...chat, board: undefined }));
  await pass(MINUTE);
  expect(shown.at(-1)).toMatch(/Board off/u);
  expect(await boards.kept(CHAT)).toEqual([]);
});

test('a board whose edit says that the group moved is posted once at the new address', async () => {
  const edits: EditOutcome[] = [];
  const { pass, turnOn, worth, watchlists, boards, queues } = await open({ store: await openStore('memory://'), edits });
  const there = address('console', 'supergroup');
  await turnOn();
  await pass(HOUR);
  edits.push({ kind: 'moved', to: there });
  worth('$1.000');
  await pass(5 * MINUTE);
  expect(watchlists.read(CHAT).left?.movedTo).toBe(there);
  expect([queues.read(there).prepared?.length, await boards.kept(CHAT)]).toEqual([1, []]);
  await pass(HOUR);
  expect([queues.read(there).prepared?.length, await boards.kept(there)]).toEqual([1, ['the message of the board']]);
});

test('a board whose edit says that the bot was removed is left alone until the chat has it back', async () => {
  const edits: EditOutcome[] = [];
  const { pass, turnOn, to, shown, worth, watchlists, reachability } = await open({ store: await openStore('memory://'), edits });
  await turnOn();
  await pass(HOUR);
  edits.push({ kind: 'gone', because: 'bot-removed' });
  worth('$1.000');
  await pass(5 * MINUTE);
  expect(watchlists.read(CHAT).left).toBeDefined();
  const before = shown.length;
  await pass(HOUR);
  expect(shown.length).toBe(before);
  await reachability.take({ kind: 'back', chat: CHAT });
  await pass(5 * MINUTE);
  expect([shown.at(-1)?.includes('$1.000'), to.shown.length]).toEqual([true, 1]);
});

test('edits that the platform limits wait as long as it says', async () => {
  const edits: EditOutcome[] = [];
  const { pass, turnOn, shown, worth } = await open({ store: await openStore('memory://'), edits });
  await turnOn();
  await pass(10 * MINUTE);
  const before = shown.length;
  edits.push({ kind: 'later', because: 'edits-limited' });
  worth('$2.000');
  await pass(30 * MINUTE);
  expect(shown.length).toBe(before);
  await pass(40 * MINUTE);
  expect(shown.at(-1)).toContain('$2.000');
});

test('a project without figures takes no place of one that has them, and what a chat named stands first', () => {
  const now = handClock().now();
  const figure = { price: { text: '$1.000', at: now } };
  const others = Array.from({ length: 10 }, (_, index) => ({ slug: `a${index}`, name: `a${index}`, ...figure, isOwn: false, history: [] }));
  const unread = { slug: 'aaa', name: 'unread', isOwn: false, history: [] };
  const tide = { slug: 'tide', name: 'tide', ...figure, isOwn: true, history: [] };
  const projects = [unread, ...others, tide];
  const lines = plainText(composeBoard({ projects, total: projects.length, dates: [], now }, 'x'), now).split('\n');
  expect(lines.find((one) => one.includes('$1.000'))).toContain('tide');
  expect(lines.join(' ')).not.toContain('unread');
});
