/** What holds for a project under the entry for all projects, and what an exception keeps of its rules. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOff, modeOf, presetRules, ruleName, rulesFor } from '../../../src/alerts/rules/presets.js';
import {
  MAX_EXCEPTIONS,
  TooManyExceptionsError,
  entryAbout,
  entryHere,
  exceptionsInForce,
  withEditedFollower,
  withExcluded,
  withFollowingKind,
  withIncluded,
  withUndoneException,
} from '../../../src/alerts/watchlist/exceptions.js';
import type { Entry } from '../../../src/alerts/watchlist/entry.js';
import { covering, match } from '../../../src/alerts/watchlist/match.js';
import { standsSince } from '../../../src/alerts/watchlist/standing.js';
import { endedRule, withoutEnded } from '../../../src/alerts/watchlist/ended-rules.js';
import { muted, openWatchlists, unmuted, withEntry, withoutEntry, type Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { slug } from '../../../src/domain/scalars.js';
import { openStore } from '../../../src/store/open.js';
import { NOON } from '../../feeds/reading.js';
import { handClock } from '../../support/clock.js';
import { runs } from '../../support/properties.js';
import { ALL, burn, CHAT, entry, TIDE } from '../harness.js';
import { rules } from '../measurements.js';

const [tide, heron] = [slug('tide'), slug('heron')];
const chat: Chat = { address: CHAT, entries: [entry(ALL, NOON, { preset: 'important', modes: { supply: 'on' } })] };
const about = (now: Instant = NOON, project = tide) => ({ project, now });
const held = (of: Chat, project = tide): Entry => {
  const [found] = covering({ feed: 'premium', project }, of);
  if (found === undefined) throw new Error('it is watched');
  return found;
};

describe('an exception', () => {
  test('changes one project, and everything else follows the entry for all projects', () => {
    const after = withEditedFollower(chat, about(), (one) => ({
      ...one,
      modes: { ...one.modes, supply: 'off' },
      rules: rules('premium<-10'),
    }));
    expect([isOff(held(after), 'supply'), isOff(held(after, heron), 'supply')]).toEqual([true, false]);
    expect(rulesFor(held(after), 'premium').thresholds).toHaveLength(1);
    expect(rulesFor(held(after, heron), 'premium')).toEqual(presetRules('important', 'premium'));
    const everything = { ...after, entries: after.entries.map((one) => ({ ...one, preset: 'everything' as const, maxAgeHours: 5 })) };
    expect([modeOf(held(everything), 'growth'), held(everything).maxAgeHours, isOff(held(everything), 'supply')]).toEqual([
      'silent',
      5,
      true,
    ]);
  });

  test('that says what the entry says is none, and a kind can follow the entry again', () => {
    const off = withEditedFollower(chat, about(), (one) => ({ ...one, modes: { supply: 'off' } }));
    const back = withEditedFollower(off, about(), (one) => ({ ...one, modes: { supply: 'on' } }));
    expect(exceptionsInForce(back.entries[0] ?? entry(ALL, NOON), NOON)).toEqual([]);
    expect(isOff(held(withFollowingKind(off, about(), 'supply')), 'supply')).toBe(false);
  });

  test('is undone and redone by itself', () => {
    const off = withEditedFollower(chat, about(), (one) => ({ ...one, modes: { ...one.modes, supply: 'off' } }));
    const undone = withUndoneException(off, about());
    expect(isOff(held(undone), 'supply')).toBe(false);
    expect(isOff(held(withUndoneException(undone, about())), 'supply')).toBe(true);
    expect(withUndoneException(chat, about())).toBe(chat);
  });

  test('gives way to an entry of the project', () => {
    const own = withEntry(withExcluded(chat, about()), entry(TIDE, NOON));
    expect(match(burn(1, NOON), own)).toMatchObject({ matched: true, entry: { target: TIDE } });
    expect(entryHere(own, TIDE)).toBe(own.entries[1]);
  });

  test('is one of fifty at most, without those whose mute is over', () => {
    const names = Array.from({ length: MAX_EXCEPTIONS }, (_, index) => slug(`p${index}`));
    const full = names.reduce((all, project) => withExcluded(all, about(NOON, project)), chat);
    expect(() => withExcluded(full, about())).toThrow(TooManyExceptionsError);
    expect(() => muted(full, { target: TIDE, until: later(NOON, HOUR), now: NOON })).toThrow(TooManyExceptionsError);
    const free = withIncluded(full, about(NOON, slug('p7')));
    expect(() => withExcluded(free, about())).not.toThrow();
    const often = names.reduce(
      (all, project) => muted(all, { target: { kind: 'project', slug: project }, until: later(NOON, 1), now: NOON }),
      chat,
    );
    expect(() => withExcluded(often, about(later(NOON, HOUR)))).not.toThrow();
    // Their ends matter to alerts that waited, for as long as those can be sent.
    const later31 = later(NOON, 31 * DAY);
    expect(Object.keys(withExcluded(often, about(later31)).entries[0]?.exceptions ?? {})).toEqual(['tide']);
  });

  test('of a project whose name every object has is one', () => {
    const odd = slug('constructor');
    expect(held(chat, odd)).toBe(chat.entries[0]);
    expect(covering({ feed: 'supply', project: odd }, withExcluded(chat, about(NOON, odd)))).toEqual([]);
    expect(covering({ feed: 'supply', project: slug('__proto__') }, withExcluded(chat, about(NOON, slug('__proto__'))))).toEqual([]);
  });

  test('mutes a project, and the end of the mute is kept', () => {
    const until = later(NOON, HOUR);
    const quiet = muted(chat, { target: TIDE, until, now: NOON });
    expect(held(quiet).exception).toEqual({ project: tide, mutedUntil: until });
    expect(held(unmuted(quiet, { target: TIDE, now: later(NOON, MINUTE) })).exception?.mutedUntil).toBe(later(NOON, MINUTE));
    expect(held(quiet, heron).exception).toBeUndefined();
  });
});

describe('an excluded project', () => {
  test('does not alert, and says why', () => {
    const out = withExcluded(chat, about());
    expect(match(burn(1, later(NOON, HOUR)), out)).toEqual({ matched: false, at: 'watched', because: 'excluded from /watch all' });
    expect(entryHere(out, TIDE)).toBeUndefined();
  });

  test('that comes back alerts what happens from then on, and keeps its other exceptions', () => {
    const off = withEditedFollower(chat, about(), (one) => ({ ...one, modes: { ...one.modes, growth: 'on' } }));
    const back = withIncluded(withExcluded(off, about()), about(later(NOON, HOUR)));
    expect(match(burn(1, later(NOON, MINUTE)), back)).toMatchObject({ matched: false, at: 'since', since: later(NOON, HOUR) });
    expect(match(burn(20_000, later(NOON, 2 * HOUR)), back)).toMatchObject({ matched: true });
    expect(isOff(held(back), 'growth')).toBe(false);
  });
});

test('a rule of an exception that has alerted once is removed there, and not from the entry', () => {
  const once = rules('premium<0 once');
  const both = withEntry(chat, entry(ALL, NOON, { rules: once, exceptions: { tide: { rules: once } } }));
  const [rule] = once['premium']?.thresholds ?? [];
  if (rule === undefined) throw new Error('it is a rule');
  const after = withoutEnded(both, [endedRule(held(both), 'premium', rule)]);
  expect([rulesFor(held(after), 'premium').thresholds, rulesFor(held(after, heron), 'premium').thresholds]).toEqual([[], [rule]]);
  const all = withoutEnded(both, [endedRule(held(both, heron), 'premium', rule)]);
  expect([rulesFor(held(all), 'premium').thresholds, rulesFor(held(all, heron), 'premium').thresholds]).toEqual([[rule], []]);
});

describe('since when rules of presets stand', () => {
  const names = presetRules('everything', 'premium').thresholds.map(ruleName);
  const stands = (of: Chat, project = tide) => names.map((name) => standsSince(held(of, project), { feed: 'premium', project }, name));

  async function open() {
    const clock = handClock();
    const watchlists = await openWatchlists(await openStore('memory://'), { clock });
    const since = clock.now();
    await watchlists.change(CHAT, (one) => withEntry(one, entry(ALL, since)));
    watchlists.evaluating(clock.now());
    await clock.advance(HOUR);
    const change = async (edit: (one: Chat) => Chat): Promise<Chat> => {
      const after = await watchlists.change(CHAT, edit);
      await clock.advance(HOUR);
      return after;
    };
    return { clock, since, change };
  }

  test('rules that an exception leaves go on, for the project and for all others', async () => {
    const { change, clock, since } = await open();
    const [, ...rest] = presetRules('everything', 'premium').thresholds;
    const fewer = await change((one) =>
      withEditedFollower(one, about(), (before) => ({ ...before, rules: { premium: { filters: {}, thresholds: rest } } })),
    );
    expect(stands(fewer).slice(1)).toEqual(rest.map(() => since));
    const at = clock.now();
    const again = await change((one) => withFollowingKind(one, about(), 'premium'));
    expect(stands(again)).toEqual([at, ...rest.map(() => since)]);
    expect(stands(again, heron)).toEqual(names.map(() => since));
  });

  test('a rule that all other projects get later goes on where an exception has had it', async () => {
    const { change, since, clock } = await open();
    await change((one) => withEditedFollower(one, about(), (before) => ({ ...before, modes: { premium: 'silent' } })));
    await change((one) => ({ ...one, entries: one.entries.map((all) => ({ ...all, modes: { premium: 'off' as const } })) }));
    const at = clock.now();
    const on = await change((one) => ({ ...one, entries: one.entries.map((all) => ({ ...all, modes: undefined })) }));
    expect([stands(on), stands(on, heron)]).toEqual([names.map(() => since), names.map(() => at)]);
  });

  test('all rules of a project that comes back begin', async () => {
    const { change, clock } = await open();
    await change((one) => withExcluded(one, about()));
    const at = clock.now();
    const back = await change((one) => withIncluded(one, about(at)));
    expect(stands(back)).toEqual(names.map(() => at));
  });

  test('an entry of a project goes on with what its exception had, and what it had goes on without it', async () => {
    const { change, since } = await open();
    await change((one) => withEditedFollower(one, about(), (before) => ({ ...before, modes: { growth: 'off' } })));
    const own = await change((one) => withEntry(one, entry(TIDE, later(since, HOUR))));
    expect(stands(own)).toEqual(names.map(() => since));
    expect(stands(await change((one) => withoutEntry(one, TIDE)))).toEqual(names.map(() => since));
  });
});

const KINDS = ['supply', 'premium', 'growth'];
const CHATS = ['1', '2', '3'].map((name) => address('console', name));
const edit = fc.oneof(
  fc.record({
    does: fc.constantFrom('all', 'own', 'no all', 'no own', 'exclude', 'include', 'leave', 'return'),
    chat: fc.constantFrom(...CHATS),
    off: fc.subarray(KINDS),
  }),
  fc.record({ does: fc.constant('except'), chat: fc.constantFrom(...CHATS), off: fc.subarray(KINDS) }),
);

test('a check is wanted by the chats that it can alert, and by no others, whatever they except', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 20 }), async (edits) => {
      const watchlists = await openWatchlists(await openStore('memory://'));
      for (const { does, chat: of, off } of edits) {
        const modes = Object.fromEntries(KINDS.map((kind) => [kind, off.includes(kind) ? ('off' as const) : ('on' as const)]));
        await watchlists.change(of, (one): Chat => {
          switch (does) {
            case 'all':
            case 'own':
              return withEntry(
                one,
                entry(does === 'all' ? ALL : TIDE, NOON, { modes, ...(does === 'all' ? { exceptions: one.entries[0]?.exceptions } : {}) }),
              );
            case 'no all':
            case 'no own':
              return withoutEntry(one, does === 'no all' ? ALL : TIDE);
            case 'exclude':
              return withExcluded(one, about());
            case 'include':
              return withIncluded(one, about());
            case 'leave':
              return { ...one, left: { at: NOON, because: 'removed' } };
            case 'return':
              return { ...one, left: undefined };
            default:
              return withEditedFollower(one, about(), (before) => ({ ...before, modes }));
          }
        });
        for (const about of KINDS.flatMap((kind) => [tide, heron].map((project) => ({ feed: kind, project })))) {
          const audiences = [...watchlists.here.groups()].flatMap(({ target, audience }) =>
            target.kind === 'all' || (target.kind === 'project' && target.slug === about.project)
              ? [audience(about.feed, about.project)]
              : [],
          );
          const wanted = new Set(audiences.flatMap((audience) => [...audience]));
          const all = watchlists.all();
          const canAlert = (one: Chat): boolean =>
            covering(about, one)
              .slice(0, 1)
              .some((first) => !isOff(first, about.feed));
          const missing = all.filter((one) => canAlert(one) && !wanted.has(one.address));
          // A chat with an entry of the project as well wants what either of them has.
          const needless = all.filter((one) => one.entries.length < 2 && wanted.has(one.address) && !canAlert(one));
          expect({ missing, needless }).toEqual({ missing: [], needless: [] });
          expect(audiences.map(({ size }) => size)).toEqual(audiences.map((audience) => [...audience].length));
        }
      }
    }),
    { numRuns: runs(300) },
  );
});

test('an entry as it holds for a project is the entry itself where there is no exception', () => {
  const [all] = chat.entries;
  expect(all && entryAbout(all, { project: tide })).toBe(all);
  expect(all && entryAbout(all, {})).toBe(all);
});
