/** The wording of a decision market from its draft to its result, as a chat receives it: every message and every edit, on Discord and on Telegram. */
import { expect, test } from 'vitest';
import { EMPTY_PROPOSAL, type ProposalRow } from '../../src/analytics/endpoints/proposals.js';
import { DAY, HOUR, later, MINUTE, type Instant } from '../../src/base/clock.js';
import type { Notifier } from '../../src/chat/notifier.js';
import type { Reply } from '../../src/chat/reply.js';
import { clockTime } from '../../src/domain/format.js';
import { decimal, slug } from '../../src/domain/scalars.js';
import { defineFeed } from '../../src/feeds/feed.js';
import type { MarketRow } from '../../src/feeds/market-values.js';
import { proposals } from '../../src/feeds/proposals.js';
import { poll } from '../../src/jobs/poll.js';
import { Reminders } from '../../src/jobs/reminders.js';
import { readRule } from '../../src/alerts/rules/read-rule.js';
import { pass } from '../alerts/delivery/live-topics.js';
import { platform, TIDE } from '../alerts/harness.js';
import { project } from '../jobs/fake-service.js';
import { openJobsHarness, SOURCE } from '../jobs/harness.js';
import { handClock } from '../support/clock.js';
import { transcript } from './render.js';

const KEY = '48FK1vA8xacxM9PETXKKgZ1zVJ85cW1qvLjAQMKRU2E1';

/** What the service shows of the market so many minutes after its draft, and how many minutes pass until the next check. */
type Shown = readonly [minutes: number, row: Partial<MarketRow>];

function life(start: Instant): { readonly base: ProposalRow; readonly shown: readonly Shown[] } {
  const at = (minutes: number): Instant => later(start, minutes * MINUTE);
  const base = {
    ...EMPTY_PROPOSAL,
    ...{ publicKey: KEY, slug: slug('tide'), title: 'Fund the second audit', createdAt: start, threshold: decimal('1.5') },
    ...{ startsAt: at(60), twapStartsAt: at(120), endsAt: at(1_500), stakeNeeded: decimal('500000') },
  };
  const live = (edge: string, traders: number, pass: string, fail: string): Partial<MarketRow> => ({
    ...{ status: 'live', passEdge: decimal(edge), traders, volume: decimal(traders * 436) },
    prices: { pass: decimal(pass), fail: decimal(fail) },
  });
  return {
    base,
    shown: [
      [0, { status: 'draft', staked: decimal('385000') }],
      [60, live('0.9', 3, '0.5870', '0.5818')],
      [120, live('2.4', 14, '0.5941', '0.5802')],
      [240, live('3.4', 21, '0.5952', '0.5757')],
      [360, live('2.2', 27, '0.5901', '0.5774')],
      [480, live('3.3', 31, '0.5960', '0.5770')],
      [600, live('0.6', 33, '0.5852', '0.5817')],
      [720, live('3.4', 40, '0.5991', '0.5794')],
      [1_440, live('3.6', 44, '0.6002', '0.5793')],
      [1_500, { ...live('3.7', 45, '0.6004', '0.5790'), status: 'resolved', result: 'passed' }],
    ],
  };
}

test('the wording of a market with a flip, a reminder, its result and an alert that is over is what the transcript says', async () => {
  const clock = handClock();
  const parts: string[] = [];
  const note = (what: string, reply: Reply): void =>
    void parts.push(`## ${clockTime(clock.now(), clock.now())}, ${what}\n\n${transcript(reply, clock.now())}`);
  const to = platform({ edits: true });
  const { deliver, revise } = to.notifier;
  const notifier: Notifier = {
    ...to.notifier,
    deliver: async (chat, delivery) => {
      note(delivery.replyTo === undefined ? 'a message' : 'a reply to the message', delivery.reply);
      return deliver(chat, delivery);
    },
    revise: async (chat, edit) => {
      const outcome = (await revise?.(chat, edit)) ?? { kind: 'lost', because: 'not-editable' };
      if (outcome.kind === 'edited') note('an edit', edit.reply);
      return outcome;
    },
  };
  const harness = await openJobsHarness({ clock, to: { ...to, notifier } });
  const rules = readRule('proposals margin<1 flip remind:1h');
  if (!rules.read) throw new Error(rules.says);
  const { kind, ...chosen } = rules.rules;
  await harness.watch(TIDE, { rules: { [kind]: chosen } });
  const context = { ...harness.poll, topics: harness.topics };
  const reminders = new Reminders({ ...context, source: SOURCE, wake: () => {} });
  const start = clock.now();
  const { base, shown } = life(start);
  let row: Partial<MarketRow> = {};
  const read = async () => {
    const data = [{ ...base, ...row }];
    return { data, at: clock.now(), complete: true, hidden: 0, broken: 0 };
  };
  const task = { feed: defineFeed({ ...proposals.spec, read }), subject: { ...project('tide'), name: 'Tidewater' } };
  // The first check of a project alerts nothing of what is there.
  await poll({ ...task, feed: defineFeed({ ...proposals.spec, read: async () => ({ ...(await read()), data: [] }) }) }, context);
  for (const [index, [minutes, now]] of shown.entries()) {
    row = now;
    const next = later(start, (shown[index + 1]?.[0] ?? minutes + 60) * MINUTE);
    await pass(harness, Math.max(0, later(start, minutes * MINUTE) - clock.now()));
    while (clock.now() < next) {
      await poll(task, context);
      reminders.tick();
      await reminders.idle();
      await pass(harness, Math.min(20 * MINUTE, next - clock.now()));
    }
  }
  await pass(harness, 2 * HOUR);
  expect(clock.now() - start).toBeLessThan(2 * DAY);
  await expect(`# A market from its draft to its result\n\n${parts.join('\n\n')}\n`).toMatchFileSnapshot('alerts/market.md');
});
