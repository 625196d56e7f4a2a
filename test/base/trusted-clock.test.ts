import { describe, expect, test } from 'vitest';
import { DAY, HOUR, instant, MINUTE, SECOND } from '../../src/base/clock.js';
import { MAX_BREAK, MAX_STEP, openTrustedClock, type ClockChange } from '../../src/base/trusted-clock.js';

const START = Date.UTC(2026, 10, 20, 12);

/** A machine whose two clocks are turned by hand. */
function machine() {
  let [wall, monotonic] = [START, 7_000.25];
  const clock = openTrustedClock({ now: () => instant(wall), monotonic: () => monotonic, sleep: async () => {} });
  const changes: ClockChange['kind'][] = [];
  clock.onChange(({ kind }) => changes.push(kind));
  return {
    clock,
    changes,
    passes(milliseconds: number) {
      wall += milliseconds;
      monotonic += milliseconds;
    },
    /** The wall clock is set, or the monotonic one stands still as in a suspended machine. */
    jumps(milliseconds: number) {
      wall += milliseconds;
    },
    after: () => clock.now() - START,
    /** What another clock shows, so long after the start. */
    other: (milliseconds: number) => clock.observe({ at: START + milliseconds, confirms: true }),
    header: (milliseconds: number) => clock.observeDate(new Date(START + milliseconds).toUTCString()),
  };
}

function running() {
  const own = machine();
  own.clock.begin({ lastSeen: undefined });
  own.passes(HOUR);
  own.clock.now();
  return own;
}

test('time is that of the machine while both of its clocks go alike, and with the small steps of a time server', () => {
  const own = running();
  for (const step of [SECOND, MAX_STEP, 0]) {
    own.jumps(step);
    own.passes(MINUTE);
    own.clock.now();
  }
  expect([own.after(), own.clock.doubt()]).toEqual([HOUR + SECOND + MAX_STEP + 3 * MINUTE, undefined]);
  expect(own.changes).toEqual([]);
});

test('a jump is recognised by the reading that would show it, and time goes on as if there were none', () => {
  const own = running();
  own.jumps(40 * DAY);
  own.passes(3 * SECOND);
  expect(own.after()).toBe(HOUR + 3 * SECOND);
  own.passes(2 * HOUR);
  expect(own.after()).toBe(3 * HOUR + 3 * SECOND);
  expect(own.clock.doubt()).toEqual({ since: START + HOUR + 3 * SECOND, ahead: 40 * DAY, isContradicted: false });
  expect(own.changes).toEqual(['jumped']);
});

describe('after a jump', () => {
  test('a second clock that shows the same time confirms it', () => {
    const own = running();
    own.jumps(40 * DAY);
    own.clock.now();
    own.header(HOUR + 40 * DAY);
    expect([own.after(), own.clock.doubt(), own.changes]).toEqual([HOUR + 40 * DAY, undefined, ['jumped', 'confirmed']]);
  });

  test('the first sign of life may be the second clock itself', () => {
    const own = running();
    own.jumps(8 * HOUR);
    own.other(9 * HOUR);
    expect([own.after(), own.changes]).toEqual([9 * HOUR, ['jumped', 'confirmed']]);
  });

  test('a second clock that shows less contradicts it, once, and its time is believed as far as it goes', () => {
    const own = running();
    own.jumps(40 * DAY);
    own.other(HOUR - MINUTE);
    expect(own.after()).toBe(HOUR);
    own.other(4 * HOUR);
    own.passes(MINUTE);
    expect([own.after(), own.clock.doubt()?.isContradicted]).toEqual([4 * HOUR + MINUTE, true]);
    expect(own.changes).toEqual(['jumped', 'contradicted']);
  });

  test('a clock that may be the same one confirms nothing, and may contradict', () => {
    const own = running();
    own.jumps(40 * DAY);
    own.clock.observe({ at: START + HOUR + 40 * DAY, confirms: false });
    expect([own.after(), own.clock.doubt()?.isContradicted]).toEqual([HOUR, false]);
    own.clock.observe({ at: START + HOUR, confirms: false });
    expect([own.after(), own.clock.doubt()?.isContradicted]).toEqual([HOUR, true]);
  });

  test('a clock that is set right is followed again', () => {
    const own = running();
    own.jumps(40 * DAY);
    own.clock.now();
    own.passes(MINUTE);
    own.jumps(-40 * DAY);
    expect([own.after(), own.clock.doubt(), own.changes]).toEqual([HOUR + MINUTE, undefined, ['jumped', 'set-back']]);
  });

  test.each([undefined, '', 'soon'])('a header that is no date (%j) says nothing', (header) => {
    const own = running();
    own.jumps(40 * DAY);
    own.clock.observeDate(header);
    expect([own.after(), own.clock.doubt()?.isContradicted]).toEqual([HOUR, false]);
  });
});

test('a clock that is set back is followed at once, as ever', () => {
  const own = running();
  own.jumps(-2 * HOUR);
  expect([own.after(), own.changes]).toEqual([-HOUR, []]);
});

test('the reading of the machine is as it is, also after a jump: a lease must notice a suspended machine', () => {
  const own = running();
  const before = own.clock.reading();
  own.jumps(MINUTE + MAX_STEP);
  own.passes(SECOND);
  const { wall, monotonic } = own.clock.reading();
  expect([wall - before.wall, monotonic - before.monotonic]).toEqual([MINUTE + MAX_STEP + SECOND, SECOND]);
});

describe('at a start', () => {
  const ago = (milliseconds: number) => instant(START - milliseconds);

  test.each([undefined, ago(MAX_BREAK), ago(-DAY)])(
    'the first one, a short break and a clock that was ahead (%s) are nothing to doubt',
    (lastSeen) => {
      const own = machine();
      own.clock.begin({ lastSeen });
      expect([own.after(), own.clock.doubt()]).toEqual([0, undefined]);
    },
  );

  test('after a long break time goes on from when the bot was last seen, until a second clock shows how long it was', () => {
    const own = machine();
    own.clock.begin({ lastSeen: ago(40 * DAY) });
    expect([own.after(), own.clock.doubt()?.ahead]).toEqual([-40 * DAY, 40 * DAY]);
    own.passes(SECOND);
    own.header(SECOND);
    expect([own.after(), own.changes]).toEqual([SECOND, ['jumped', 'confirmed']]);
  });

  test("the database's clock confirms the break before anything waits for it", () => {
    const own = machine();
    own.other(0);
    own.clock.begin({ lastSeen: ago(40 * DAY) });
    expect([own.after(), own.changes]).toEqual([0, []]);
  });

  test("a database's clock that may be this machine's does not", () => {
    const own = machine();
    own.clock.observe({ at: START, confirms: false });
    own.clock.begin({ lastSeen: ago(40 * DAY) });
    expect(own.after()).toBe(-40 * DAY);
  });

  test.each([true, false])("a machine that is ahead of the database goes by the database's time (confirms: %s)", (confirms) => {
    const own = machine();
    own.clock.observe({ at: START - 40 * DAY, confirms });
    own.passes(2 * SECOND);
    own.clock.begin({ lastSeen: ago(40 * DAY + MINUTE) });
    expect(own.after()).toBe(2 * SECOND - 40 * DAY);
    expect([own.clock.doubt(), own.changes]).toMatchObject([{ ahead: 40 * DAY, isContradicted: true }, ['contradicted']]);
  });
});
