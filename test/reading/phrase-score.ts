/** How many phrases of a set are read as one of the lines that they are labelled with. */
import { loadRegistry, type Registry } from '../../src/dispatch/registry.js';
import { changesBy, isCostly, parse, type ParsedCommand } from '../../src/dispatch/parse.js';
import { readRule } from '../../src/alerts/rules/read-rule.js';
import { muteTime } from '../../src/reply/index.js';
import { projectNames } from '../../src/reading/projects.js';
import { projectsNamed, nameIndex } from '../../src/analytics/project-lookup.js';
import { partsOf } from '../../src/reading/several.js';
import { combined, decide, type Decision } from '../../src/reading/decide.js';
import { createReader, type PhraseReader, type Reading } from '../../src/reading/reader.js';
import { readLearned } from '../../src/reading/learned.js';
import type { Heard, ChatWorld } from '../../src/reading/heard.js';
import type { Project } from '../../src/domain/project.js';
import { instant } from '../../src/base/clock.js';
import { slug } from '../../src/domain/scalars.js';

const named = (name: string, symbol: string, id: string): Project => ({ slug: slug(id), name, symbol });

/** The world that the phrases were written for. */
export const PHRASE_PROJECTS: readonly Project[] = [
  named('Tidewater', 'TIDE', 'tide'),
  named('Alder Works', 'ALDR', 'alder'),
  named('Heron Flats', 'HRN', 'heron'),
  named('Spindrift', 'SPIN', 'spindrift'),
  named('Marrow', 'MRW', 'marrow'),
  named('Kelp Garden', 'KELP', 'kelp-garden'),
  named('Lantern', 'LANT', 'lantern'),
  named('Quarry Lane', 'QRY', 'quarry-lane'),
  named('Birch & Brine', 'BRNE', 'birch-brine'),
  named('Glass Pier', 'GLPR', 'glass-pier'),
  named('Kestrel Yard', 'KSTL', 'kestrel-yard'),
];
const WHALE = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
export const PHRASE_WORLD: ChatWorld = {
  names: projectNames(PHRASE_PROJECTS),
  labels: new Map([
    ['whale', 'whale'],
    [WHALE.toLowerCase(), 'whale'],
    ['fund-1', 'fund-1'],
  ]),
  now: instant(Date.UTC(2026, 10, 20, 11)),
  zone: 'Europe/Berlin',
};

export interface Phrase {
  readonly text: string;
  readonly labels: readonly string[];
}

export const phrasesIn = (tsv: string): readonly Phrase[] =>
  tsv
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => {
      const [text = '', labels = ''] = line.split('\t');
      return { text, labels: labels.split(' | ').map((one) => one.trim()) };
    });

/** `first`: answered at once and right. `offered`: among what is offered. `wrong`: answered at once and wrong. `missed`: neither. */
export type Verdict = 'first' | 'offered' | 'wrong' | 'missed';

export interface Judged extends Phrase {
  readonly verdict: Verdict;
  /** Whether what is answered at once changes something. */
  readonly ran: 'nothing changed' | 'a change';
  readonly says: string;
}

/** What the bot would do with a text, and the lines that wait for a press. */
export async function decided(
  text: string,
  { reader, registry }: { readonly reader: PhraseReader; readonly registry: Registry },
): Promise<{ readonly decision: Decision; readonly waiting: ReadonlySet<string> }> {
  const waiting = new Set<string>();
  const decideOne = async (one: string): Promise<{ readonly decision: Decision; readonly reading: Reading }> => {
    const reading = reader.read(one, PHRASE_WORLD);
    for (const { line } of reading.candidates) {
      const parsed = await parse({ line }, { commands: registry.commands, isName }).catch(() => undefined);
      if (parsed !== undefined && (changesBy(parsed) || isCostly(parsed))) waiting.add(line);
    }
    return { decision: decide(reading, waiting), reading };
  };
  const { decision, reading } = await decideOne(text);
  const parts = (partsOf(reading.heard) ?? []).map(async (part) => ({ text: part, decision: (await decideOne(part)).decision }));
  return { decision: combined(decision, await Promise.all(parts), reading.heard), waiting };
}

export async function judge(
  phrase: Phrase,
  { reader, registry }: { readonly reader: PhraseReader; readonly registry: Registry },
): Promise<Judged> {
  const { decision, waiting } = await decided(phrase.text, { reader, registry });
  const right = await Promise.all(phrase.labels.map(async (label) => sameAs(label, registry)));
  const together = await ofAllLines(phrase.labels, decision, registry);
  const isRight = async (line: string): Promise<boolean> => {
    const own = await sameAs(line, registry);
    return own !== undefined && right.includes(own);
  };
  const says = JSON.stringify(decision);
  const ran = decision.kind === 'run' && waiting.has(decision.line) ? 'a change' : 'nothing changed';
  const with_ = (verdict: Verdict): Judged => ({ ...phrase, verdict, says, ran });
  if (together !== undefined) return with_(together);
  // A name that nobody knows is said to be unknown, which answers nothing.
  if (decision.kind === 'stranger')
    return with_(phrase.labels.some((label) => label === 'unanswerable' || label === 'chatter') ? 'offered' : 'missed');
  if (decision.kind === 'talk') {
    const isTalk = decision.talk.startsWith('unknowable') ? phrase.labels.includes('unanswerable') : phrase.labels.includes('chatter');
    const isEither = phrase.labels.includes('unanswerable') || phrase.labels.includes('chatter');
    if (isTalk || isEither) return with_('first');
    for (const line of decision.lines) if (await isRight(line)) return with_('offered');
    return with_('wrong');
  }
  if (decision.kind === 'run') {
    if (await isRight(decision.line)) return with_('first');
    for (const line of decision.others) if (await isRight(line)) return with_('offered');
    return with_('wrong');
  }
  // A change is offered as a button, and a lone offer of the right one is a first try.
  const [best, ...others] = decision.lines;
  if (decision.kind === 'propose' && best !== undefined && (await isRight(best))) return with_('first');
  for (const line of decision.kind === 'propose' ? others : decision.lines) if (await isRight(line)) return with_('offered');
  return with_('missed');
}

const ALL_OF = ' && ';

/** The mutes that one line does, such as "/mute tide and alder 3d". */
function eachMuted(line: string): readonly string[] {
  const [, names, rest] = /^\/mute (\S+(?: and \S+)+) (.*)$/u.exec(line) ?? [];
  return names === undefined ? [line] : names.split(' and ').map((name) => `/mute ${name} ${rest ?? ''}`);
}

/** A label of several lines, joined with ` && `, is right where all of them and no other are shown together. */
async function ofAllLines(labels: readonly string[], decision: Decision, registry: Registry): Promise<Verdict | undefined> {
  if (!('lines' in decision)) return undefined;
  const formsOf = async (lines: readonly string[]): Promise<string> =>
    [...new Set(await Promise.all(lines.map(async (line) => sameAs(line, registry))))]
      .toSorted((a = '', b = '') => a.localeCompare(b))
      .join('\n');
  const shown = await formsOf(decision.lines.flatMap(eachMuted));
  for (const label of labels.filter((one) => one.includes(ALL_OF)))
    if ((await formsOf(label.split(ALL_OF))) === shown)
      return decision.kind === 'several' || (decision.kind === 'propose' && (decision.isEach === true || decision.lines.length === 1))
        ? 'first'
        : 'offered';
  return undefined;
}

const KINDS = ['supply', 'proposals', 'launches', 'growth', 'premium', 'treasury', 'movements', 'vesting', 'wallet'];

/** The reader as people meet it, with what it has learned. */
export const learnedReader = async ({ catalogue }: Registry): Promise<PhraseReader> =>
  createReader({ commands: catalogue.commands, learned: await readLearned(), pause: async () => {} });

/** The commands, without a service behind them: only their lines are read. */
export const loadPhraseRegistry = async (): Promise<Registry> => {
  const none = new Proxy({}, { get: () => async () => [] });
  return loadRegistry({ kinds: KINDS, directory: none as never, watchlists: none as never, liveProposals: async () => [] });
};

/** A phrase with its projects, wallets and keys as slots, as the reader learns it. */
export function withSlots(text: string, { projects, wallets, keys, words }: Heard): string {
  const spans = [
    ...projects.map(({ from, to }) => [from, to, '{project}'] as const),
    ...wallets.map(({ at }) => [at, at + 1, '{wallet}'] as const),
    ...keys.map(({ at }) => [at, at + 1, '{key}'] as const),
  ];
  return spans
    .reduce((left, [from, to, slot]) => {
      const raw = words.slice(from, to).map(({ token }) => token.raw.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`));
      return left.replace(new RegExp(raw.join(String.raw`[^\p{L}\p{N}]*`), 'u'), slot);
    }, text)
    .replaceAll('\t', ' ');
}

const NAMES = nameIndex(PHRASE_PROJECTS);
const isName = async (text: string): Promise<boolean> => projectsNamed(NAMES, text).length > 0;

/** Thousands of phrases mean the same few lines. */
const formsByRegistry = new WeakMap<Registry, Map<string, Promise<string | undefined>>>();

/** The line in one form, so that "/premium tide" and "/premium tide 3M" are the same. */
export async function sameAs(line: string, registry: Registry): Promise<string | undefined> {
  const forms = formsByRegistry.get(registry) ?? new Map<string, Promise<string | undefined>>();
  formsByRegistry.set(registry, forms);
  const form = forms.get(line) ?? formOf(line, registry);
  forms.set(line, form);
  return form;
}

async function formOf(line: string, { commands }: Registry): Promise<string | undefined> {
  const defined = /^define (.+)$/u.exec(line);
  if (defined !== null) return `define ${canonicalTerm(defined[1] ?? '')}`;
  const compared = /^compare (.+)$/u.exec(line);
  if (compared !== null) return `compare ${(compared[1] ?? '').split(' ').toSorted().join(' ')}`;
  if (line.startsWith('/compare ')) return `compare ${line.slice(9).split(' ').toSorted().join(' ')}`;
  if (line.startsWith('/help ')) return `define ${canonicalTerm(line.slice(6))}`;
  if (!line.startsWith('/')) return line;
  try {
    const parsed = await parse({ line }, { commands, isName, isEntry: (text) => text === 'whale' || text === 'fund-1' });
    return canonical(parsed);
  } catch {
    return undefined;
  }
}

const canonicalTerm = (text: string): string => {
  const folded = text
    .toLowerCase()
    .replaceAll(/[\s-]+/gu, ' ')
    .replace(/s$/u, '')
    .trim();
  return (
    {
      'op co': 'opco',
      watch: 'watchlist',
      'circulating supply': 'supply',
      vote: 'proposal',
      'token sale': 'launch',
      're arm': 'hysteresis',
      'governance token': 'governance token',
      burned: 'burn',
      market: 'decision market',
      native: 'own token',
      fdv: 'market cap',
      futarchy: 'decision market',
      'nav per share': 'nav',
      ico: 'launch',
      unlock: 'vesting',
      minting: 'mint',
      burning: 'burn',
      raise: 'launch',
      hysteresis: 'hysteresis',
    }[folded] ?? folded
  );
};

function canonical({ command, values }: ParsedCommand): string {
  const fit = command.args.safeParse(values);
  const all: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(fit.success ? fit.data : values).map(([name, value]) => [
      name,
      value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  for (const [name, value] of Object.entries(all))
    if (value !== undefined) {
      if (value === WHALE) all[name] = 'whale';
      const project = projectsNamed(NAMES, value)[0];
      all[name] = project === undefined ? (value === WHALE ? 'whale' : value.toLowerCase()) : String(project.slug);
    }
  const now = PHRASE_WORLD.now;
  if (command.name === 'mute') {
    const words = [all['target'], all['time']]
      .filter((one) => one !== undefined)
      .join(' ')
      .split(' ');
    const cut = words.findIndex((_, at) => muteTime(words.slice(at).join(' '), PHRASE_WORLD) !== undefined);
    const time = cut < 0 ? undefined : muteTime(words.slice(cut).join(' '), PHRASE_WORLD);
    const who = (cut < 0 ? words : words.slice(0, cut)).filter((word) => !['all', 'everything', ''].includes(word)).join(' ');
    return `mute ${who} ${all['kind'] ?? ''} ${JSON.stringify(time)}`;
  }
  if (command.name === 'alerts') {
    const text = [all['target'], all['rule']].filter((one) => one !== undefined).join(' ');
    const words = text.split(' ');
    const target = words[0] ?? '';
    const rest = words
      .slice(1)
      .join(' ')
      .replace(/^only /u, '');
    const measured = `${all['kind'] ?? kindOfText(rest)} ${rest}`;
    const rule = readRule(measured.trim(), now);
    const rules = rule.read ? JSON.stringify(rule.rules) : rest;
    return `alerts ${target} ${all['kind'] ?? kindOfText(rest)} ${all['action'] === 'only' ? '' : (all['action'] ?? '')} ${rules}`.replaceAll(
      /<=|>=/gu,
      (sign) => sign.charAt(0),
    );
  }
  // Times before an end may be joined by commas, and a period has a name too.
  if (command.name === 'remind')
    return `remind ${[all['target'], all['before']]
      .join(' ')
      .replaceAll(/[\s,]+/gu, ' ')
      .trim()}`;
  if (command.name === 'next' && all['what'] !== undefined)
    all['what'] = all['what'].replace(/\b(?:today|tomorrow|week|month)\b/u, (name) => PERIOD_DAYS[name] ?? name);
  if (command.name === 'screen') return `screen ${screenForm(all['filter'] ?? '')}`;
  return `${command.name} ${JSON.stringify(
    Object.fromEntries(
      Object.entries(all)
        .filter(([, value]) => value !== undefined)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  )}`;
}

const PERIOD_DAYS: Readonly<Record<string, string>> = { today: '1d', tomorrow: '2d', week: '7d', month: '30d' };

const kindOfText = (rest: string): string =>
  /^(?:premium|price|z)/u.test(rest) ? 'premium' : /^(?:runway|nav|allowance)/u.test(rest) ? 'treasury' : '';

/** "discount>20" is "premium<-20", and the usual order may be left out. */
function screenForm(filter: string): string {
  const tests = filter
    .toLowerCase()
    .split(' ')
    .map((word) =>
      word
        .replace('<=', '<')
        .replace('>=', '>')
        .replace(
          /^discount([<>])(.*)$/u,
          (_, by: string, value: string) => `premium${by === '>' ? '<' : '>'}${value === '0' ? '0' : `-${value}`}`,
        ),
    )
    .map((word) => word.replace(/^sort:discount(?::highest)?$/u, 'sort:premium').replace(/^sort:(\w+):(?:lowest|highest)$/u, 'sort:$1'))
    .filter((word) => word !== '')
    .toSorted();
  const own = tests.filter((word) => !word.startsWith('sort:'));
  return own.length > 0 ? own.join(' ') : tests.join(' ');
}
