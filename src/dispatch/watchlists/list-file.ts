/** Reads and writes the file of a watchlist in version 2: docs/watchlist-file.md */
import { z } from 'zod';
import type { DigestSetting } from '../../alerts/digest/setting.js';
import { MAX_AGE_HOURS, kindsFor, type Entry, type Target } from '../../alerts/watchlist/entry.js';
import { MAX_EXCEPTIONS, exceptionsInForce } from '../../alerts/watchlist/exceptions.js';
import { readRule } from '../../alerts/rules/read-rule.js';
import { presetRules, presetSchema, type KindMode } from '../../alerts/rules/presets.js';
import { kindRulesSchema, wordsOf, type KindRules, type Rules } from '../../alerts/rules/rule.js';
import type { Chat } from '../../alerts/watchlist/watchlists.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { instant, type Instant } from '../../base/clock.js';
import { platformOf, type Address } from '../../chat/address.js';
import { clockTimeSchema } from '../../domain/day.js';

export const FILE_NAME = 'navwatch-watchlist.json';
export const FILE_VERSION = 2;
/** This version had no presets: its entries get the preset Everything. */
export const FIRST_FILE_VERSION = 1;

/** The topic of a proposal or a launch. */
const marketSchema = z.string().regex(/^(?:proposals\/[^/\s]{1,200}|launches)\/[1-9A-HJ-NP-Za-km-z]{32,44}$/u);

const momentSchema = z.iso.datetime({ offset: true });
const mutedKindsSchema = z.record(z.string(), momentSchema);

const kindsSchema = z.array(z.string()).max(100).optional();

const whatSchemas = {
  /** Kinds whose mode differs from the preset's. */
  on: kindsSchema,
  silent: kindsSchema,
  off: kindsSchema,
  /** Rules by kind. A rule that cannot be parsed back from its text is written as an object. */
  rules: z
    .array(z.union([z.string(), kindRulesSchema]))
    .max(100)
    .optional(),
  mutedUntil: momentSchema.optional(),
  mutedKinds: mutedKindsSchema.optional(),
};

const fileExceptionSchema = z.strictObject({
  project: z.string().trim().min(1).max(200),
  excluded: z.literal(true).optional(),
  ...whatSchemas,
});
export type FileException = z.infer<typeof fileExceptionSchema>;

export const fileEntrySchema = z.strictObject({
  watch: z.enum(['all', 'launches']).optional(),
  project: z.string().trim().min(1).max(200).optional(),
  wallet: z.string().trim().min(1).max(200).optional(),
  /** The filter of a saved screen. */
  screen: z.string().trim().min(1).max(200).optional(),
  label: z.string().trim().min(1).max(200).optional(),
  /** The topic of a single proposal or launch. */
  market: marketSchema.optional(),
  title: z.string().trim().min(1).max(200).optional(),
  preset: presetSchema.optional(),
  ...whatSchemas,
  maxAgeHours: z.int().min(1).max(MAX_AGE_HOURS).optional(),
  mentions: z.array(z.string()).max(100).optional(),
  /** Exceptions exist only in the entry for all projects. */
  exceptions: z.array(fileExceptionSchema).max(MAX_EXCEPTIONS).optional(),
});
export type FileEntry = z.infer<typeof fileEntrySchema>;

const common = { at: clockTimeSchema, rings: z.literal(true).optional(), card: z.literal(false).optional() };
const fileDigestSchema = z.discriminatedUnion('every', [
  z.strictObject({ every: z.literal('day'), ...common }),
  /** 1 is Monday. */
  z.strictObject({ every: z.literal('week'), weekday: z.int().min(1).max(7), ...common, receipt: z.literal(false).optional() }),
]);

export const fileSettingsSchema = z.object({
  timezone: z.string().optional(),
  preset: presetSchema.optional(),
  quiet: z.strictObject({ from: clockTimeSchema, to: clockTimeSchema }).optional(),
  digest: fileDigestSchema.optional(),
  mutedUntil: momentSchema.optional(),
  mutedKinds: mutedKindsSchema.optional(),
  /** Mutes of single proposals and launches, by topic. */
  mutedTopics: z.record(marketSchema, momentSchema).optional(),
});
export type FileSettings = z.infer<typeof fileSettingsSchema>;

/** The file without its entries, which are parsed one by one so that an invalid one does not affect the others. */
export const fileSchema = fileSettingsSchema.extend({
  navwatch: z.literal('watchlist'),
  version: z.int(),
  keep: z.boolean().optional(),
  seen: z.string().optional(),
  entries: z.array(z.unknown()),
});

interface FileContext {
  readonly kinds: readonly string[];
  readonly now: Instant;
}

const iso = (moment: Instant): string => new Date(moment).toISOString();
export const momentOf = (text: string): Instant => instant(Date.parse(text));

const stillMuted = (kinds: Chat['mutedKinds'], wanted: readonly string[], now: Instant): FileEntry['mutedKinds'] => {
  if (kinds === undefined) return undefined;
  const unexpired = wanted.toSorted().flatMap((kind) => {
    const end = kinds[kind];
    return end === undefined || end <= now ? [] : [[kind, iso(end)] as const];
  });
  return unexpired.length === 0 ? undefined : Object.fromEntries(unexpired);
};

const holding = (end: Instant | undefined, now: Instant): string | undefined => (end === undefined || end <= now ? undefined : iso(end));

function ruleOf(kind: string, rules: Rules): string | KindRules {
  const whole: KindRules = { kind, ...rules };
  if (saysNothing(rules) && presetRules('everything', kind).thresholds.length > 0) return whole;
  const words = wordsOf(whole);
  const back = readRule(words);
  return back.read && wordsOf(back.rules) === words ? words : whole;
}

export const saysNothing = ({ filters, thresholds }: Rules): boolean =>
  thresholds.length === 0 && Object.values(filters).every((value) => value === undefined);

const aboutOf = (target: Target): FileEntry => {
  if (target.kind === 'project') return { project: target.slug };
  if (target.kind === 'wallet') return { wallet: target.address, label: target.label };
  if (target.kind === 'market') return { market: target.topic, title: target.title };
  return target.kind === 'screen' ? { screen: target.filter } : { watch: target.kind };
};

/** Writes an entry for a file. The roles in its mentions belong to the platform of `chat`. */
export function fileEntryOf({ entry, chat }: { entry: Entry; chat: Address }, { kinds, now }: FileContext): FileEntry {
  const own = kindsFor(entry.target, kinds);
  const { on, silent, off, rules, mutedUntil, mutedKinds } = whatOf(entry, own, now);
  const exceptions = exceptionsInForce(entry, now).map(([project, exception]): FileException =>
    exception.excluded === true ? { project, excluded: true, ...whatOf(exception, own, now) } : { project, ...whatOf(exception, own, now) },
  );
  const roles = (entry.mentions ?? []).flatMap(({ kind, id }) => (kind === 'role' ? [`${platformOf(chat)} role ${id}`] : [])).toSorted();
  return omitUndefined({
    ...aboutOf(entry.target),
    preset: entry.preset,
    on,
    silent,
    off,
    rules,
    maxAgeHours: entry.maxAgeHours,
    mutedUntil,
    mutedKinds,
    mentions: roles.length === 0 ? undefined : roles,
    exceptions: exceptions.length === 0 ? undefined : exceptions,
  });
}

/** Writes modes, rules and mutes in the same way for an entry and an exception. */
function whatOf(
  { modes, rules, mutedUntil, mutedKinds }: Pick<Entry, 'modes' | 'rules' | 'mutedUntil' | 'mutedKinds'>,
  kinds: readonly string[],
  now: Instant,
): Omit<FileException, 'project' | 'excluded'> {
  const withMode = (mode: KindMode): FileEntry['off'] => {
    const chosen = modes === undefined ? [] : kinds.filter((kind) => modes[kind] === mode);
    return chosen.length === 0 ? undefined : chosen.toSorted();
  };
  const sorted = rules === undefined ? [] : kinds.toSorted();
  const own = sorted.flatMap((kind) => {
    const chosen = rules?.[kind];
    return chosen === undefined ? [] : [ruleOf(kind, chosen)];
  });
  return omitUndefined({
    on: withMode('on'),
    silent: withMode('silent'),
    off: withMode('off'),
    rules: own.length === 0 ? undefined : own,
    mutedUntil: holding(mutedUntil, now),
    mutedKinds: stillMuted(mutedKinds, kinds, now),
  });
}

/** Parsing sorts the keys in the order of the schema, so that equal digests give equal text. */
function digestOf({ since: _since, ...digest }: DigestSetting): FileSettings['digest'] {
  return fileDigestSchema.parse(digest);
}

export const settingsOf = (chat: Chat, { kinds, now }: FileContext): FileSettings =>
  omitUndefined({
    timezone: chat.timezone,
    preset: chat.preset,
    quiet: chat.quiet && { from: chat.quiet.from, to: chat.quiet.to },
    digest: chat.digest && digestOf(chat.digest),
    mutedUntil: holding(chat.mutedUntil, now),
    mutedKinds: stillMuted(chat.mutedKinds, kinds, now),
    mutedTopics: stillMuted(chat.mutedTopics, Object.keys(chat.mutedTopics ?? {}), now),
  });

const RANK: Readonly<Record<Target['kind'], string>> = { all: '0', launches: '1', project: '2', wallet: '3', market: '4', screen: '5' };
const orderOf = ({ target }: Entry): string => {
  if (target.kind === 'project') return RANK.project + target.slug;
  if (target.kind === 'market') return RANK.market + target.topic;
  if (target.kind === 'screen') return RANK.screen + target.filter;
  return target.kind === 'wallet' ? RANK.wallet + target.address : RANK[target.kind];
};

export const inOrder = (entries: readonly Entry[]): readonly Entry[] =>
  entries.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : orderOf(a) > orderOf(b) ? 1 : 0));

/** Tells whether a file contains the entry. Proposals and launches that are over are left out. */
export const isInFile = ({ target }: Pick<Entry, 'target'>): boolean => target.kind !== 'market' || target.endedAt === undefined;

export function fileText(chat: Chat, written: FileContext): string {
  const outside = { navwatch: 'watchlist', version: FILE_VERSION, ...settingsOf(chat, written) };
  const entries = inOrder(chat.entries.filter(isInFile)).map(
    (entry) => `    ${JSON.stringify(fileEntryOf({ entry, chat: chat.address }, written))}`,
  );
  const head = Object.entries(outside).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  const list = entries.length === 0 ? '  "entries": []' : `  "entries": [\n${entries.join(',\n')}\n  ]`;
  return ['{', ...head, list, '}', ''].join('\n');
}
