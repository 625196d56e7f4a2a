import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry, Exception, Exceptions, Target } from '../../../src/alerts/watchlist/entry.js';
import { readRule } from '../../../src/alerts/rules/read-rule.js';
import type { DigestSetting } from '../../../src/alerts/digest/setting.js';
import { KIND_MODES, PRESETS, presetRules } from '../../../src/alerts/rules/presets.js';
import { wordsOf, type Rules } from '../../../src/alerts/rules/rule.js';
import { address } from '../../../src/chat/address.js';
import { DAY, instant } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { labelFault } from '../../../src/dispatch/watchlists/targets.js';
import { fileText } from '../../../src/dispatch/watchlists/list-file.js';
import { FEEDS } from '../../../src/feeds/index.js';
import { openAppHarness } from '../../support/app-harness.js';
import bs58 from 'bs58';
import { runs } from '../../support/properties.js';

const PROJECTS = ['tide', 'heron', 'alder', 'glass-pier', 'quarry-lane'];
const KINDS = FEEDS.map(({ id }) => id);

const rule = (text: string): Rules => {
  const read = readRule(text);
  if (!read.read) throw new Error(read.says);
  const { kind: _, ...rules } = read.rules;
  return rules;
};
const RULES: Readonly<Record<string, readonly string[]>> = {
  supply: ['supply usd>10000', 'supply: everything', 'supply percent>0.5 stages:burn'],
  growth: [
    'growth metrics:fees-usd percent>20',
    // So long that its words cannot be read back.
    `growth metrics:${Array.from({ length: 15 }, (_, index) => `m${index}${'x'.repeat(50)}`).join(',')}`,
  ],
  wallet: ['wallet rank move 3', 'wallet usd>1'],
  // Without any line, which is not the same as with the usual ones.
  premium: ['premium', 'premium<-20', 'premium z>2 extreme 90d'],
};

const target: fc.Arbitrary<Target> = fc.oneof(
  fc.constantFrom<Target>({ kind: 'all' }, { kind: 'launches' }),
  fc.constantFrom(...PROJECTS).map((name): Target => ({ kind: 'project', slug: slug(name) })),
  fc
    .constantFrom('proposals/tide/9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', 'launches/7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd')
    .map((topic): Target => ({ kind: 'market', topic })),
  fc
    .record({
      bytes: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      label: fc.option(
        fc
          .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
          .map((text) => text.trim())
          .filter(
            (text) =>
              text.length > 0 &&
              labelFault(text, []) === undefined &&
              !/^(tide\w*|hern|heron.*|tidewater|alder|glass-pier|spindrift|quarry-lane)$/iu.test(text),
          ),
        { nil: undefined },
      ),
    })
    .map(({ bytes, label }): Target => ({
      kind: 'wallet',
      address: walletAddress(bs58.encode(bytes)),
      ...(label === undefined ? {} : { label }),
    })),
);

/** Some hold, some are over. */
const moment = fc.integer({ min: -10, max: 80 }).map((days) => days * DAY + 1);

function exceptionsOf(of: Readonly<Record<string, { what: string; pick: number; end: number }>>, now: number): Exceptions {
  const one = ({ what, pick, end }: { what: string; pick: number; end: number }): Exception => {
    if (what === 'excluded') return { excluded: true };
    if (what === 'muted') return { mutedUntil: instant(now + end) };
    if (what === 'muted kind') return { mutedKinds: { supply: instant(now + end) } };
    if (what === 'off') return { modes: { supply: 'off', growth: 'on' } };
    return { rules: { supply: rule(RULES['supply']?.[pick % 3] ?? ''), premium: rule(RULES['premium']?.[pick % 3] ?? '') } };
  };
  return Object.fromEntries(Object.entries(of).map(([project, what]) => [project, one(what)]));
}

const entry = (now: number): fc.Arbitrary<Entry> =>
  fc
    .record({
      target,
      preset: fc.constantFrom(...PRESETS),
      modes: fc.option(fc.dictionary(fc.constantFrom(...KINDS), fc.constantFrom(...KIND_MODES)), { nil: undefined }),
      rules: fc.option(fc.dictionary(fc.constantFrom(...Object.keys(RULES)), fc.nat())),
      maxAgeHours: fc.option(fc.integer({ min: 1, max: 720 }), { nil: undefined }),
      mutedUntil: fc.option(moment, { nil: undefined }),
      mutedKinds: fc.option(fc.dictionary(fc.constantFrom(...KINDS), moment), { nil: undefined }),
      exceptions: fc.option(
        fc.dictionary(
          fc.constantFrom(...PROJECTS),
          fc.record({ what: fc.constantFrom('excluded', 'muted', 'off', 'ruled', 'muted kind'), pick: fc.nat(), end: moment }),
        ),
        { nil: undefined },
      ),
      mentions: fc.option(
        fc.constant([
          { kind: 'role' as const, id: '77' },
          { kind: 'person' as const, id: '988877766655' },
        ]),
        { nil: undefined },
      ),
    })
    .map(({ rules, mutedUntil, mutedKinds, exceptions, ...rest }) => ({
      ...rest,
      ...(exceptions === undefined || rest.target.kind !== 'all' ? {} : { exceptions: exceptionsOf(exceptions, now) }),
      since: instant(now - DAY),
      by: 'Somebody',
      byId: 'discord/12345678',
      ...(rules === null
        ? {}
        : {
            // An entry stores no rule that is its preset's.
            rules: Object.fromEntries(
              Object.entries(rules)
                .map(([kind, pick]) => [kind, rule(RULES[kind]?.[pick % (RULES[kind]?.length ?? 1)] ?? '')] as const)
                .filter(([kind, chosen]) => wordsOf({ kind, ...chosen }) !== wordsOf({ kind, ...presetRules(rest.preset, kind) })),
            ),
          }),
      ...(mutedUntil === undefined ? {} : { mutedUntil: instant(now + mutedUntil) }),
      ...(mutedKinds === undefined
        ? {}
        : { mutedKinds: Object.fromEntries(Object.entries(mutedKinds).map(([kind, end]) => [kind, instant(now + end)])) }),
    }));

const nameOf = ({ target: one }: Entry): string =>
  one.kind === 'project' ? one.slug : one.kind === 'wallet' ? one.address : `/${one.kind}`;
const labelOf = ({ target: one }: Entry): string =>
  one.kind === 'wallet' ? (one.label?.toLowerCase() ?? one.address) : nameOf({ target: one } as Entry);

test('what one chat exports and another imports, the other exports again as the same text', async () => {
  const harness = await openAppHarness({ answers: {} });
  const now = harness.clock.now();
  const written = { kinds: KINDS, now };
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc
        .uniqueArray(entry(now), { selector: nameOf, minLength: 1, maxLength: 12 })
        .map((entries) => [...new Map(entries.map((one) => [labelOf(one), one])).values()]),
      fc.record({
        timezone: fc.constantFrom(undefined, 'UTC', 'Europe/Vienna', 'Asia/Kolkata'),
        quiet: fc.constantFrom(undefined, { from: '22:30', to: '07:00' }),
        digest: fc.constantFrom<DigestSetting | undefined>(
          undefined,
          { every: 'day', at: '09:00', since: now },
          { every: 'week', weekday: 5, at: '18:30', since: now, rings: true },
          { every: 'week', weekday: 1, at: '07:00', since: now, receipt: false, card: false },
        ),
        mutedUntil: fc.option(
          moment.map((end) => instant(now + end)),
          { nil: undefined },
        ),
        mutedKinds: fc.option(
          fc.dictionary(
            fc.constantFrom(...KINDS),
            moment.map((end) => instant(now + end)),
          ),
          { nil: undefined },
        ),
      }),
      fc.constantFrom('import', 'replace'),
      async (entries, settings, how) => {
        const [from, to] = [address('discord', `a${(count += 1)}`), address('discord', `b${count}`)];
        await harness.watchlists.change(from, (chat) => ({ ...chat, ...settings, entries }));
        const file = async (chat: typeof from) =>
          (await harness.ask({ chat, ask: { line: '/watchlist export' } })).reply.files[0]?.text ?? '';
        const text = await file(from);
        expect(text).not.toMatch(/Somebody|12345678|discord\/|988877766655/u);
        const shown = await harness.ask({
          chat: to,
          ask: { line: `/watchlist ${how}` },
          files: [{ name: 'list.json', size: text.length, read: async () => text }],
          from: { id: 'discord/2', name: 'Bo', manages: async () => true, mayMention: async () => true },
        });
        const press = shown.reply.actions[0]?.line ?? '';
        await harness.ask({
          chat: to,
          ask: { line: press },
          from: { id: 'discord/2', name: 'Bo', manages: async () => true, mayMention: async () => true },
        });
        expect(await file(to)).toBe(text);
        expect(text).toBe(fileText(harness.watchlists.read(from), written));
        const after = harness.watchlists.read(to).entries;
        expect(after.every(({ since, by, byId }) => since === now && by === 'Bo' && byId === 'discord/2')).toBe(true);
        // Pressing again finds another list than was shown, and changes nothing.
        const [before, again] = [harness.watchlists.read(to), await harness.ask({ chat: to, ask: { line: press } })];
        expect(again.text).toContain('The watchlist changed in the meantime');
        expect(harness.watchlists.read(to)).toBe(before);
      },
    ),
    { numRuns: runs(40) },
  );
});
