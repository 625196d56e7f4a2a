import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { EMPTY_PROPOSAL, type ProposalRow } from '../../src/analytics/endpoints/proposals.js';
import { DAY, HOUR, instant, later, MINUTE, type Instant } from '../../src/base/clock.js';
import { lineText } from '../../src/chat/plain-text.js';
import { decimal } from '../../src/domain/scalars.js';
import { pastProposals } from '../../src/feeds/past-proposals.js';
import { reached } from '../../src/feeds/proposal-stages.js';
import { defineFeed } from '../../src/feeds/feed.js';
import { proposals } from '../../src/feeds/proposals.js';
import { answerPage, answerWith, connect, reply, serve, type Asked } from '../support/service.js';
import { alertLines, background, firstCheck, found, hastyClock, idsOf, NOBODY, snapshotOf, NOON, TIDE, alerted } from './reading.js';

const spec = proposals.spec;
const BEGUN = later(NOON, -DAY);
const END = later(BEGUN, 3 * DAY);
const TWAP = later(BEGUN, DAY);

const row = (extra: Partial<ProposalRow> = {}): ProposalRow => ({
  ...EMPTY_PROPOSAL,
  publicKey: '9xQ',
  id: '41',
  title: 'Fund the second audit',
  createdAt: later(BEGUN, -HOUR),
  startsAt: BEGUN,
  twapStartsAt: TWAP,
  endsAt: END,
  ...extra,
});
/** The row as it stands at a moment of its life. */
const asAt = (at: Instant, result = 'passed'): ProposalRow =>
  row(at < BEGUN ? { status: 'draft' } : at < END ? { status: 'live' } : { status: 'resolved', result });
const readAt = (at: Instant, ...rows: ProposalRow[]) => snapshotOf<readonly ProposalRow[]>(rows, { at });
const id = (stage: string, key = '9xQ'): string => `proposals/tide/${key}/${stage}`;
const blank = readAt(later(BEGUN, -2 * HOUR));

test('a proposal is reported through its life, each stage once and in order', () => {
  const moments = [-30 * MINUTE, 0, MINUTE, DAY, DAY + MINUTE, 3 * DAY - 6 * HOUR, 3 * DAY - HOUR, 3 * DAY, 3 * DAY + HOUR];
  const checkRecords = moments.map((after) => readAt(later(BEGUN, after), asAt(later(BEGUN, after))));
  expect(idsOf(spec, [blank, ...checkRecords])).toEqual([
    [],
    [id('created')],
    [id('live')],
    [],
    [id('twap')],
    [],
    [id('ending')],
    [],
    [id('passed')],
    [],
  ]);
});

test('the first check returns no events', () => {
  expect(idsOf(spec, [readAt(NOON, asAt(NOON))])).toEqual([[]]);
});

test('a check that comes late reports creation, life and result once, and no reminder that is no longer true', () => {
  const over = later(END, HOUR);
  expect(idsOf(spec, [blank, readAt(over, asAt(over, 'rejected')), readAt(over, asAt(over, 'rejected'))])).toEqual([
    [],
    [id('created'), id('live'), id('failed')],
    [],
  ]);
});

test('whatever the checks, each stage is reported at most once, and creation, life and result always, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -60, max: 4 * 24 * 60 })), (minutes) => {
      const moments = [...minutes.toSorted((a, b) => a - b), 5 * 24 * 60].map((minute) => later(BEGUN, minute * MINUTE));
      const ids = idsOf(spec, [blank, ...moments.map((at) => readAt(at, asAt(at)))]).flat();
      const order = ['created', 'live', 'twap', 'ending', 'passed'].map((stage) => id(stage));
      expect(ids).toEqual(order.filter((one) => ids.includes(one)));
      expect(ids).toEqual(expect.arrayContaining([id('created'), id('live'), id('passed')]));
    }),
  );
});

test('what a service dates is dated, and what was open at the last check was resolved since', () => {
  const over = later(END, 10 * DAY);
  const [, late = []] = found(spec, [blank, readAt(over, asAt(over))]);
  expect(late.map(({ stage, occurredAt }) => [stage, occurredAt])).toEqual([
    ['created', later(BEGUN, -HOUR)],
    ['live', BEGUN],
    ['passed', END],
  ]);
  const [, , seen = []] = found(spec, [blank, readAt(NOON, asAt(NOON)), readAt(over, asAt(over))]);
  expect(seen.map(({ stage, occurredAt }) => [stage, occurredAt])).toEqual([['passed', undefined]]);
});

test('a status word nobody knows is carried as it came, once', () => {
  const odd = readAt(NOON, row({ status: 'Paused' }));
  const [, events = []] = found(spec, [blank, odd]);
  expect(events.map((event) => event.id)).toEqual([id('created'), id('live'), id('said Paused')]);
  expect(alertLines(proposals, events[2]!)[0]).toMatch(/^Paused\b.*\(Tidewater\)$/u);
  expect(alerted(proposals, events[2]!)).toContain([' | "Fund the second audit"', 'Nov 22, 12:00 UTC', '/proposals tide'].join('\n'));
  expect(idsOf(spec, [blank, odd, odd])[2]).toEqual([]);
});

test.each([
  [{ status: 'succeeded' }, 'passed'],
  [{ status: 'Resolved', result: 'APPROVED' }, 'passed'],
  [{ status: 'defeated' }, 'failed'],
  [{ status: 'resolved', result: 'rejected' }, 'failed'],
  [{ result: 'failed' }, 'failed'],
  [{ status: 'cancelled' }, 'removed'],
  [{ status: 'resolved', result: 'Void' }, 'said Void'],
  [{ status: 'resolved' }, 'said resolved'],
])('%j is the end %s', (words, stage) => {
  expect(reached(row(words), later(END, HOUR)).at(-1)?.stage).toBe(stage);
});

test.each(['live', 'Active', 'PENDING', 'open'])('the word %s means that a market is live', (status) => {
  expect(reached(row({ status }), NOON).map(({ stage }) => stage)).toContain('live');
});

test('a short market ends soon in its last quarter, a long one twelve hours before its end', () => {
  const short = row({ status: 'live', startsAt: NOON, endsAt: later(NOON, 40 * MINUTE), twapStartsAt: undefined });
  const stages = (one: ProposalRow, at: Instant) => reached(one, at).map(({ stage }) => stage);
  expect(stages(short, later(NOON, 29 * MINUTE))).not.toContain('ending');
  expect(stages(short, later(NOON, 30 * MINUTE))).toContain('ending');
  expect(stages(short, later(NOON, 40 * MINUTE))).not.toContain('ending');
  expect(stages(row({ status: 'live' }), later(END, -12 * HOUR - 1))).not.toContain('ending');
  expect(stages(row({ status: 'live' }), later(END, -12 * HOUR))).toContain('ending');
  expect(stages(row({ status: 'live', endsAt: undefined }), NOON)).not.toContain('ending');
});

describe('identity', () => {
  test('is the public key, else the number', () => {
    expect(idsOf(spec, [blank, readAt(later(BEGUN, -MINUTE), row({ publicKey: undefined, status: 'draft' }))])[1]).toEqual([
      id('created', '41'),
    ]);
  });
  test('holds when a later row names the other of the two', () => {
    const number = (at: Instant) => readAt(at, { ...asAt(at), publicKey: undefined });
    const key = (at: Instant) => readAt(at, { ...asAt(at), id: undefined });
    const both = (at: Instant) => readAt(at, asAt(at));
    const [draft, live, over] = [later(BEGUN, -MINUTE), later(BEGUN, MINUTE), later(END, MINUTE)];
    const counts = (checkRecords: ReturnType<typeof readAt>[]) => idsOf(spec, checkRecords).map((ids) => ids.length);
    expect(counts([blank, number(draft), both(live), key(over), both(over), number(over)])).toEqual([0, 1, 1, 1, 0, 0]);
    expect(counts([blank, both(draft), number(live), key(later(BEGUN, 2 * MINUTE)), number(over), both(over)])).toEqual([0, 1, 1, 0, 1, 0]);
  });
  test('with a name that every object has is no trouble', () => {
    expect(idsOf(spec, [blank, readAt(later(BEGUN, -MINUTE), row({ publicKey: 'constructor', status: 'draft' }))])[1]).toEqual([
      id('created', 'constructor'),
    ]);
  });
});

describe('an undated proposal that was never seen', () => {
  const undated = { ...EMPTY_PROPOSAL, publicKey: 'old', status: 'passed' };
  test('is new when an earlier check met every row', () => {
    expect(idsOf(spec, [blank, readAt(NOON, undated)])[1]).toEqual([id('created', 'old'), id('passed', 'old')]);
  });
  test('may only have been hidden when none did, and is adopted without a word', () => {
    const part = snapshotOf<readonly ProposalRow[]>([], { complete: false });
    expect(idsOf(spec, [part, readAt(NOON, undated), readAt(NOON, undated, asAt(NOON))]).flat()).toEqual([
      id('created'),
      id('live'),
      id('twap'),
    ]);
  });
});

test('a live market is reported with its edge against its own threshold, which may be negative', () => {
  const [, events = []] = found(spec, [
    blank,
    readAt(
      later(BEGUN, HOUR),
      row({
        status: 'live',
        passEdge: decimal('-1.2'),
        threshold: decimal('-3'),
        margin: decimal('1.8'),
        traders: 42,
        volume: decimal('18300'),
      }),
    ),
  ]);
  expect(alerted(proposals, events[1]!, later(BEGUN, HOUR))).toBe(
    [
      '● | "Fund the second audit"',
      '1.8 pts | −1.2% | −3.0% | Nov 20, 12:00 UTC | Nov 22, 12:00 UTC | $18.3K | 42 traders',
      '/proposals tide',
    ].join('\n'),
  );
  const [headline, details] = alertLines(proposals, events[1]!, later(BEGUN, HOUR));
  expect(headline).toMatch(/^Live\b.*\(Tidewater\)$/u);
  expect(details).toMatch(/^Passing\b.*\bneeds −3.*\bTWAP window opens\b.*\bends\b/u);
});

test('a result is reported with the final edge, and without a title says so', () => {
  const over = later(END, MINUTE);
  const ended = { ...asAt(over), passEdge: decimal('2.4'), threshold: decimal('1.5') };
  const [, events = []] = found(spec, [readAt(NOON, asAt(NOON)), readAt(over, { ...ended, title: undefined })]);
  expect(alerted(proposals, events[0]!, over)).toBe(['▲ | 0.9 pts', '+2.4% | +1.5%', '/proposals tide'].join('\n'));
  const [headline, details] = alertLines(proposals, events[0]!, over);
  expect(headline).toMatch(/^Passed\b.*\buntitled\b.*\(Tidewater\)$/u);
  expect(details).toMatch(/\+2\.4%.*\bneeded\b/u);
});

test('the margin goes with the edge and the threshold as they are shown', () => {
  const over = later(END, MINUTE);
  const margined = (edge: string, margin?: string) => {
    const ended = { ...asAt(over), passEdge: decimal(edge), threshold: decimal('-5'), ...(margin && { margin: decimal(margin) }) };
    const [, events = []] = found(spec, [readAt(NOON, asAt(NOON)), readAt(over, ended)]);
    return alerted(proposals, events[0]!, over);
  };
  expect(margined('-1.6352')).toContain(['▲ | 3.4 pts | "Fund the second audit"', '−1.6% | −5.0%', '/proposals tide'].join('\n'));
  expect(margined('-1.6352', '3.3648')).toContain(['▲ | 3.4 pts | "Fund the second audit"', '−1.6% | −5.0%', '/proposals tide'].join('\n'));
  expect(margined('-1.6352', '3.9')).toContain(['▲ | 3.9 pts | "Fund the second audit"', '−1.6% | −5.0%', '/proposals tide'].join('\n'));
});

test('read back when it is over, it does not say that anything is to come', () => {
  const [, events = []] = found(spec, [blank, readAt(BEGUN, asAt(BEGUN))]);
  const event = { ...events.find(({ stage }) => stage === 'live')!, feed: 'proposals', detectedAt: later(BEGUN, HOUR) };
  const after = later(END, 4 * MINUTE);
  const lines = proposals.content(event, { now: after }).details.map((one) => lineText(one, after));
  expect(lines.join('\n')).toMatch(/TWAP window opened .* UTC/u);
  expect(lines.join('\n')).toMatch(/ended 12:00 UTC/iu);
  expect(lines.join('\n')).not.toMatch(/\b(?:opens|ends)\b/iu);
});

test('an alert leads to its proposal, where the key can be one', () => {
  const key = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
  const [, events = []] = found(spec, [blank, readAt(BEGUN, { ...asAt(BEGUN), publicKey: key })]);
  expect(alerted(proposals, events[0]!, BEGUN)).toContain(`/proposal ${key} /proposals tide`);
});

test('a new proposal is reported with its stake', () => {
  const at = later(BEGUN, -MINUTE);
  const [, events = []] = found(spec, [blank, readAt(at, { ...asAt(at), staked: decimal('1000'), stakeNeeded: decimal('500000') })]);
  expect(alerted(proposals, events[0]!, at)).toContain(
    ['○ | "Fund the second audit"', '1,000 | 500,000 | Nov 22, 12:00 UTC', '/proposals tide'].join('\n'),
  );
  expect(alertLines(proposals, events[0]!, at).join('\n')).toMatch(/^New\b[^]*\bstake 1,000\b/iu);
});

describe('through the real client', () => {
  const iso = (at: number): string => new Date(at).toISOString();
  const newRow = { id: 41, publicKey: '9xQ', title: 'Audit', creationDate: iso(BEGUN), endDate: iso(END), status: 'live', result: null };
  const oldRow = {
    id: 40,
    publicKey: '8wP',
    title: 'Older',
    state: 'pending',
    startDate: iso(BEGUN),
    endDate: iso(END),
    twapMargin: '0.4',
  };

  /** The three paths a check asks, each answered as given. */
  const service = async (answers: { list: (asked: Asked) => void; live?: (asked: Asked) => void; detail?: (asked: Asked) => void }) =>
    serve((asked) => {
      if (asked.path === '/v1/proposal') answers.list(asked);
      else if (asked.path.startsWith('/v1/proposal/')) (answers.detail ?? ((one) => reply(one, '{}', { status: 404 })))(asked);
      else (answers.live ?? ((one) => answerPage(one, [])))(asked);
    });

  test('both generations of rows are read, and details are filled in from the market list and the detail', async () => {
    const { url } = await service({
      list: (asked) => answerPage(asked, [newRow, oldRow]),
      live: (asked) => answerPage(asked, [{ proposalPublicKey: '9xQ', proposalTitle: 'Another title', passThresholdBps: -300 }]),
      detail: (asked) => answerWith(asked, asked.path.endsWith('9xQ') ? { ...newRow, twapStartDate: iso(TWAP), passEdge: -1 } : oldRow),
    });
    const { analytics } = await connect(url);
    const { data: snapshot } = await spec.read(TIDE, background(analytics));
    expect(snapshot[0]).toMatchObject({ title: 'Audit', threshold: '-3', twapStartsAt: TWAP, passEdge: '-1' });
    expect(snapshot[1]).toMatchObject({ title: 'Older', status: 'pending', startsAt: BEGUN, margin: '0.4' });
  });

  test.each([
    ['hidden by the plan', (asked: Asked) => reply(asked, '{}', { status: 403 })],
    ['of a wrong shape', (asked: Asked) => answerWith(asked, 'nothing')],
    ['down', (asked: Asked) => reply(asked, 'down', { status: 501 })],
  ])('a list of live markets that is %s costs only its details', async (_, live) => {
    const { url } = await service({ list: (asked) => answerPage(asked, [newRow]), live, detail: live });
    const { analytics } = await connect(url, { clock: hastyClock() });
    const seen = await proposals.check(TIDE, { known: {}, keys: {}, whole: true }, background(analytics));
    expect(seen.events.map((event) => event.id)).toEqual([id('created'), id('live')]);
  });

  test("when the project's own list fails the check fails", async () => {
    const { url } = await service({ list: (asked) => answerWith(asked, 'nothing') });
    const { analytics } = await connect(url);
    await expect(proposals.check(TIDE, undefined, background(analytics))).rejects.toMatchObject({ trouble: 'malformed' });
  });

  test('the final edge of a market that has just ended is read from its detail; of one long over it is not asked', async () => {
    const now = later(NOON, 0);
    const ended = (key: string, ago: number) => ({
      ...newRow,
      id: undefined,
      publicKey: key,
      status: 'resolved',
      result: 'approved',
      endDate: iso(now - ago),
    });
    const answers = await service({
      list: (asked) => answerPage(asked, [ended('new', 5 * MINUTE), ended('old', 5 * DAY)]),
      detail: (asked) => answerWith(asked, { publicKey: 'new', passEdge: '2.4' }),
    });
    const { analytics } = await connect(answers.url);
    const { data: snapshot } = await spec.read(TIDE, background(analytics));
    expect(snapshot.map(({ passEdge }) => passEdge)).toEqual(['2.4', undefined]);
    expect(answers.asked.filter(({ path }) => path.startsWith('/v1/proposal/')).map(({ path }) => path)).toEqual(['/v1/proposal/new']);
  });

  test('a list that calls hundreds of markets live does not cost a call each', async () => {
    const answers = await service({
      list: (asked) =>
        answerPage(
          asked,
          Array.from({ length: 90 }, (_, index) => ({ ...newRow, id: index, publicKey: `k${index}` })),
        ),
    });
    const { analytics } = await connect(answers.url);
    await spec.read(TIDE, background(analytics));
    expect(answers.asked.length).toBeLessThan(10);
  });
});

test('a moment at its very date counts as reached', () => {
  expect(reached(row({ status: 'live' }), TWAP).map(({ stage }) => stage)).toContain('twap');
  expect(reached(row({ status: 'live' }), instant(TWAP - 1)).map(({ stage }) => stage)).not.toContain('twap');
});

test('a live market is under way until its end, and most in its TWAP window', () => {
  const live = row({ status: 'live' });
  expect(spec.priorityWindows?.([live, row({ publicKey: 'x', status: 'passed' })])).toEqual([
    { kind: 'market', decisiveFrom: TWAP, endsAt: END },
    { kind: 'market', decisiveFrom: later(END, -12 * HOUR), endsAt: END },
  ]);
  const startsAt = later(BEGUN, HOUR);
  expect(spec.priorityWindows?.([row({ status: 'draft', startsAt })])).toEqual([
    { kind: 'market', decisiveFrom: startsAt, endsAt: startsAt },
  ]);
});

test('a first check finds the stages that the service dates after the watch began', async () => {
  expect(await firstCheck(spec, { check: readAt(later(BEGUN, HOUR), asAt(later(BEGUN, HOUR))), since: later(BEGUN, -MINUTE) })).toEqual([
    id('live'),
  ]);
  expect(await firstCheck(spec, { check: readAt(later(END, HOUR), asAt(later(END, HOUR))), since: later(END, -HOUR) })).toEqual([
    id('passed'),
  ]);
  const unclear = row({ status: 'resolved', result: 'settled', startsAt: undefined, createdAt: undefined });
  expect(await firstCheck(spec, { check: readAt(later(END, HOUR), unclear), since: later(END, -HOUR) })).toEqual([]);
});

test('a check returns the status of a topic with its event, under a key that a store takes, and of no other topic', async () => {
  const odd = '9x\u0000Q';
  const { check } = defineFeed({
    ...spec,
    read: async () => readAt(NOON, { ...asAt(NOON), publicKey: odd }, row({ publicKey: 'other', id: '42' })),
  });
  const before = spec.diff(TIDE, undefined, readAt(later(NOON, -MINUTE), row({ publicKey: 'other', id: '42' }))).watermark;
  const { events, statuses } = await check(TIDE, before, { analytics: NOBODY, options: { priority: 'poll' } });
  expect(new Set(events.map(({ topic }) => topic))).toEqual(new Set(['proposals/tide/9x%0Q']));
  expect(statuses).toMatchObject([{ topic: 'proposals/tide/9x%0Q', stage: 'twap', step: 'twap', ended: false, project: 'tide' }]);
});

test('one proposal whose public key the service replaces at each check stays one, and the watermark does not grow', () => {
  const at = later(BEGUN, HOUR);
  const checks = Array.from({ length: 6 }, (_, index) =>
    readAt(later(at, index * MINUTE), row({ publicKey: `key${index}`, status: 'live' })),
  );
  expect(idsOf(spec, [blank, ...checks])).toEqual([[], [id('created', 'key0'), id('live', 'key0')], [], [], [], [], []]);
  let { watermark } = spec.diff(TIDE, undefined, blank);
  const topics = checks.flatMap((check) => {
    watermark = spec.diff(TIDE, watermark, check).watermark;
    return spec.live?.statuses({ subject: TIDE, watermark, snapshot: check }, () => true).map(({ topic }) => topic);
  });
  expect(new Set(topics)).toEqual(new Set(['proposals/tide/key0']));
  expect([Object.keys(watermark.known), Object.keys(watermark.keys)]).toEqual([['key0'], ['41']]);
});

test('two proposals listed with one number are two', () => {
  const at = later(BEGUN, HOUR);
  const both = [row({ publicKey: 'one', status: 'live' }), row({ publicKey: 'two', status: 'live' })];
  const ids = idsOf(spec, [blank, readAt(at, ...both), readAt(later(at, MINUTE), ...both.toReversed())]);
  expect(ids).toEqual([[], [id('created', 'one'), id('live', 'one'), id('created', 'two'), id('live', 'two')], []]);
});

test('many proposals of one moment are read in time that grows with their number', () => {
  const at = later(BEGUN, -HOUR);
  const rows = Array.from({ length: 20_000 }, (_, index) => row({ publicKey: `k${index}`, id: String(index), status: 'passed' }));
  const begun = process.cpuUsage();
  const { snapshots } = pastProposals(rows, { from: later(at, -DAY), now: later(END, DAY) });
  expect(new Set(snapshots.map(({ data }) => data.length))).toEqual(new Set([20_000]));
  // Copying what was collected before took ten seconds. Of a busy machine's time only what this process gets counts.
  expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(3_000);
});
