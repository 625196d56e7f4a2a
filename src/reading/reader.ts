/** Reads plain words: ranks the command lines that they may mean. The reader does not answer and makes no requests. */
import { distance } from 'fastest-levenshtein';
import { instant } from '../base/clock.js';
import { slug } from '../domain/scalars.js';
import type { CommandEntry } from '../chat/catalogue.js';
import { asAsked } from './change-asked.js';
import { conditionsOf, type Conditions } from './several.js';
import { hear, isOfTime, namesIn, vocabularyOf, type Heard, type Vocabulary, type ChatWorld } from './heard.js';
import { conceptsOf, isFiller, lexiconStems, stemOf } from './lexicon.js';
import { openModel } from './model-file.js';
import type { Example, Model } from './model.js';
import { isSwapped, projectNames } from './projects.js';
import { fillLine } from './slots.js';
import { TALK, type Talk } from './talk.js';
import { tokensOf } from './tokens.js';

/** A command line that the text may mean. */
export interface Candidate {
  readonly line: string;
  readonly command: string;
  /** The probability of this line, from 0 to 1. */
  readonly confidence: number;
  /** Words of the text that occur in no phrase of the command, not even by meaning. */
  readonly foreign: readonly string[];
}

export interface Reading {
  /** The best first, at most six, without duplicates. */
  readonly candidates: readonly Candidate[];
  /** The likeliest kind of chatter or unanswerable question, with its probability and that of all kinds together. */
  readonly talk: { readonly kind: Talk; readonly confidence: number; readonly total: number } | undefined;
  readonly unknown: readonly string[];
  readonly heard: Heard;
  /** An unknown word in the place of a project's name, and the line that the text would mean. */
  readonly stranger: Stranger | undefined;
  /** How the text joins the conditions of the best lines, which no single rule can join. */
  readonly joined: 'and' | 'or' | undefined;
}

export interface Stranger {
  readonly name: string;
  readonly line: string;
}

export interface PhraseReader {
  read(text: string, world: ChatWorld): Reading;
  /** Returns what was heard and every meaning with its probability, the likeliest first. For tests and debugging. */
  explain(text: string, world: ChatWorld): { readonly heard: Heard; readonly meanings: readonly Explained[] };
}

export interface Explained {
  /** A line with slots, or a kind of talk. */
  readonly template: string;
  readonly belief: number;
  /** Fills the slots. Undefined for talk, and if a slot stays empty. */
  readonly line: () => string | undefined;
}

interface Meaning {
  /** A line with slots, or a kind of talk. */
  readonly template: string;
  readonly command: string | undefined;
  readonly talk: Talk | undefined;
}

const NOTHING: ChatWorld = { names: projectNames([]), labels: new Map(), now: instant(0), zone: 'UTC' };
const EXAMPLES_AT_ONCE = 50;
const MAX_CANDIDATES = 6;
/** Readings with a smaller probability are ignored. */
const LEAST = 0.01;
const MAX_FILLED = 24;

/** A phrase that somebody wrote, with slots, and its template. */
export interface Learned {
  readonly template: string;
  readonly phrase: string;
}

export interface ReaderDeps {
  readonly commands: readonly Pick<CommandEntry, 'name' | 'phrases' | 'options'>[];
  readonly learned?: readonly Learned[];
  /** Called between epochs of the fit, so that other work can run. */
  readonly pause: () => Promise<void>;
}

export async function createReader({ commands, learned = [], pause }: ReaderDeps): Promise<PhraseReader> {
  const stated = [
    ...commands.flatMap(({ name, phrases = {} }) =>
      Object.entries(phrases).map(([template, says]) => ({ template, command: name, talk: undefined, says })),
    ),
    ...TALK.map(({ talk, says }) => ({ template: talk, command: undefined, talk, says })),
  ];
  const meanings: readonly Meaning[] = stated;
  const phrases = stated.flatMap(({ says, template, command }, label) => [
    ...split(says).map((phrase) => ({ phrase, label })),
    ...(command === undefined ? [] : [{ phrase: `/${command} ${withoutSlots(template)}`, label }]),
    ...learned.filter((one) => one.template === template).map(({ phrase }) => ({ phrase, label })),
  ]);
  const words = phrases.flatMap(({ phrase }) => tokensOf(phrase).map(({ word }) => stemOf(word)));
  const vocabulary = vocabularyOf([...words, ...lexiconStems(), ...commands.map(({ name }) => stemOf(name))]);
  const model = await openModel({
    phrases: phrases.map(({ phrase, label }) => `${label} ${phrase}`),
    classes: meanings.length,
    pause,
    examples: async () => {
      const examples: Example[] = [];
      for (const [at, { phrase, label }] of phrases.entries()) {
        examples.push({ label, features: withHead(hear(phrase, NOTHING, undefined), phrase, vocabulary).features });
        if (at % EXAMPLES_AT_ONCE === 0) await pause();
      }
      return examples;
    },
  });
  const ownOf = ownWords(phrases.map(({ phrase, label }) => ({ phrase, command: meanings[label]?.command ?? '' })));
  const optionsOf = new Map(commands.map((command) => [command.name, command.options]));
  const deps = { meanings, model, vocabulary, optionsOf, ownOf };
  const names = commands.map(({ name }) => name);
  const known = vocabularyOf(names);
  // After a slash, a word that resembles a command's name is that command, even if it is also an ordinary word.
  const typed = (text: string): string =>
    text.replace(/^\s*\/([a-z]{4,16})(?![\w-])/iu, (whole, name: string) => {
      const lower = name.toLowerCase();
      return known.knows(lower) ? whole : `/${slipOf(lower, names) ?? name}`;
    });
  return {
    read: (text, world) => read(typed(text), { ...deps, world }),
    explain: (text, world) => explain(typed(text), { ...deps, world }),
  };
}

/** Returns the name that is one typing error away, if there is exactly one. */
function slipOf(typed: string, names: readonly string[]): string | undefined {
  const [near, another] = names.filter(
    (name) => Math.abs(name.length - typed.length) <= 1 && (isSwapped(name, typed) || distance(name, typed) === 1),
  );
  return another === undefined ? near : undefined;
}

/** Returns the words of the template before its first slot. */
const withoutSlots = (template: string): string =>
  template
    .replace(/^\S+\s*/u, '')
    .replaceAll(/\{\w+\?\}/gu, '')
    .replaceAll(/\{(?!project|wallet|key)\w+\}/gu, '');

const split = (says: string): readonly string[] =>
  says
    .split('|')
    .map((one) => one.trim().replaceAll(/\s+/gu, ' '))
    .filter((one) => one !== '');

/** Adds the name of a typed command as a feature that counts more than any other word. */
function withHead(heard: Heard, text: string, vocabulary: Vocabulary): Heard {
  const [, name] = /^\s*\/([a-z]+)/iu.exec(text) ?? [];
  if (name === undefined) return heard;
  const stem = stemOf(name.toLowerCase());
  const meant = vocabulary.knows(stem) ? stem : (vocabulary.nearest(stem) ?? stem);
  return { ...heard, features: [...heard.features, `head:${meant}`, 'head'] };
}

interface ReadWith {
  readonly meanings: readonly Meaning[];
  readonly model: Model;
  readonly vocabulary: Vocabulary;
  readonly optionsOf: ReadonlyMap<string, CommandEntry['options']>;
  /** The stems and concepts that occur in the phrases of each command. */
  readonly ownOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly world: ChatWorld;
}

function read(text: string, { meanings, model, vocabulary, optionsOf, ownOf, world }: ReadWith): Reading {
  const heard = withHead(hear(text, world, vocabulary), text, vocabulary);
  const beliefs = model.classify(heard.features);
  const ranked = [...beliefs.keys()].toSorted((a, b) => (beliefs[b] ?? 0) - (beliefs[a] ?? 0));
  const conditions = conditionsOf(heard, world, vocabulary);
  const byLine = new Map<string, Candidate>();
  let talk: Pick<NonNullable<Reading['talk']>, 'kind' | 'confidence'> | undefined;
  let [filled, possible, talked] = [0, 0, 0];
  for (const label of ranked) {
    const meaning = meanings[label];
    const belief = beliefs[label] ?? 0;
    if (meaning === undefined || filled >= MAX_FILLED || belief < possible * LEAST) break;
    if (meaning.talk !== undefined) {
      if (belief > (talk?.confidence ?? 0)) talk = { kind: meaning.talk, confidence: belief };
      possible += belief;
      talked += belief;
      continue;
    }
    const { command, template } = meaning;
    filled += 1;
    if (command === undefined) continue;
    const choices = (option: string): readonly string[] => choicesOf(optionsOf.get(command), option);
    const lines = linesOf(template, { heard, conditions, choices })
      .filter((line) => !isUnmeantDeletion(line, heard))
      .flatMap((line) => asAsked(line, heard) ?? []);
    for (const line of lines) {
      const left = lines.length > 1 ? belief / lines.length : belief * understood(line, heard);
      possible += left;
      byLine.set(line, { line, command, foreign: [], confidence: left + (byLine.get(line)?.confidence ?? 0) });
    }
  }
  // A template whose slots cannot be filled is no reading, so the others share its probability.
  const share = (confidence: number): number => (possible === 0 ? 0 : confidence / possible);
  const candidates = [...byLine.values()]
    .map((one) => ({ ...one, confidence: share(one.confidence) }))
    .toSorted((a, b) => b.confidence - a.confidence)
    .slice(0, MAX_CANDIDATES)
    .map((one) => ({ ...one, foreign: foreignTo(one, heard, ownOf.get(one.command)) }));
  return {
    candidates,
    talk: talk && { ...talk, confidence: share(talk.confidence), total: share(talked) },
    unknown: heard.unknown,
    heard,
    stranger: strangerIn(heard, { meanings, model, vocabulary, optionsOf, ownOf, world }),
    joined: conditions?.rule === undefined && candidates[0]?.line.startsWith('/alerts ') === true ? conditions?.by : undefined,
  };
}

interface Filling {
  readonly heard: Heard;
  readonly conditions: Conditions | undefined;
  readonly choices: (option: string) => readonly string[];
}

/** Returns one line, or one for each condition if no single rule can join them. Empty if a slot stays empty. */
function linesOf(template: string, { heard, conditions, choices }: Filling): readonly string[] {
  const isEach = conditions !== undefined && conditions.rule === undefined && template.includes('{rule}');
  const parts = isEach ? conditions.parts : [conditions?.rule === undefined ? heard : { ...heard, rule: conditions.rule }];
  const lines = parts.flatMap((part) => fillLine(template, part, choices) ?? []);
  return lines.length === parts.length ? lines : [];
}

const DELETES: ReadonlySet<string> = new Set(['delete', 'erase', 'wipe', 'forget', 'remove', 'nuke'].map(stemOf));

/** Data is deleted only if the text says so explicitly, which a typing error does too. */
const isUnmeantDeletion = (line: string, { words }: Heard): boolean =>
  line.startsWith('/privacy delete') &&
  !/\bdelete\b.*\b(?:data|everything|me|my|us|chat|group|channel|name|records?)\b/iu.test(
    words.map(({ stem, token: { word } }) => (DELETES.has(stem) ? 'delete' : word)).join(' '),
  );

/** The least probability of lines about a project for an unknown word to count as a project's name. */
const IS_STRANGER = 0.7;
const MAX_WORDS = 9;
const OF_ALL = /^(?:which|any|all|every|each|everything|projects?|coins?|tokens?|list|anyone|anybody|my|our)$/u;
const NO_NAMES =
  /^(?:within|without|during|between|among|per|via|upon|towards?|until|till|since|while|midnight|noon|whole|other|another|same|again|still|else|even|ever|very|much|many|only|they|them|their|your|his|her|those|these|someone|somebody|something|nothing|people|thing|things|pages?)$/u;
const isNoName = (word: string): boolean => NO_NAMES.test(word);
const NO_QUESTION = ['ignore', 'ask', 'greet', 'thanks', 'insult', 'praise', 'opinion', 'future'];

const BEFORE_NAME =
  /^(?:of|for|on|about|at|from|is|are|does|did|do|has|was|with|vs|and|or|hows|whats|how|project|coin|token|to|when|whenever|if|once)$/u;
const DO_NAME = ['follow', 'stop', 'mute', 'unmute', 'compare', 'alert', 'ask'];
const OF_NAME = [
  ...[
    'premium',
    'discount',
    'nav',
    'price',
    'cap',
    'treasury',
    'runway',
    'holding',
    'proposal',
    'odds',
    'launch',
    'supply',
    'mint',
    'burn',
  ],
  ...['unlock', 'team', 'holder', 'spend', 'earn', 'payment', 'payee', 'account', 'growth', 'legal', 'chart', 'alert', 'drop'],
];
/** Endings of ordinary words, which are not taken for a name. */
const NO_NAME_ENDING = /(?:ed|ing|tion|sion|ments?|ly|ness|ous|ful|able|ible|ated|ish)$/u;

/** A project's name follows "of" or "watch", or precedes a measure: "foobar premium". */
function isPlaceOfName(words: Heard['words'], at: number): boolean {
  const word = words[at]?.token.word ?? '';
  const [before, behind] = [words[at - 1], words[at + 1]];
  const isShown = /^\$|^\p{Lu}{2,}$/u.test(words[at]?.token.raw ?? '');
  if (!isShown && NO_NAME_ENDING.test(word)) return false;
  const has = (concepts: readonly string[] | undefined, wanted: readonly string[]): boolean =>
    concepts?.some((concept) => wanted.includes(concept)) === true;
  const isObject = before !== undefined && (BEFORE_NAME.test(before.token.word) || has(before.concepts, DO_NAME));
  const isLast = behind === undefined || behind.token.word === '?';
  return isShown || isObject || has(behind?.concepts, OF_NAME) || (isLast && has(before?.concepts, OF_NAME));
}

/** Finds an unknown project's name. "Is foobar cheap" must not be answered for all projects. */
function strangerIn(heard: Heard, { meanings, model, vocabulary, optionsOf, world }: ReadWith): Stranger | undefined {
  const { text, words, unknown } = heard;
  const [name = ''] = unknown;
  const isName = unknown.length === 1 && namesIn(heard).length === 0 && /^[\p{L}\p{N}_-]{3,24}$/u.test(name);
  const isShort =
    words.length <= MAX_WORDS && !/^\s*\//u.test(text) && !isNoName(name) && !words.some(({ token }) => OF_ALL.test(token.word));
  if (!isName || !isShort || !words.some(({ concepts }) => concepts.some((concept) => !NO_QUESTION.includes(concept)))) return undefined;
  const at = words.findIndex(({ token }) => token.word === name);
  if (!isPlaceOfName(words, at)) return undefined;
  const raw = words[at]?.token.raw ?? name;
  const named = withHead(hear(text.replace(raw, '{project}'), world, vocabulary), text, vocabulary);
  const beliefs = model.classify(named.features);
  const ranked = [...beliefs.keys()].toSorted((a, b) => (beliefs[b] ?? 0) - (beliefs[a] ?? 0));
  const isAbout = (label: number): boolean => /\{(?:project|target|scope|topic)\??\}/u.test(meanings[label]?.template ?? '');
  const belief = ranked.filter(isAbout).reduce((sum, label) => sum + (beliefs[label] ?? 0), 0);
  const best = ranked[0];
  if (best === undefined || !isAbout(best) || belief < IS_STRANGER) return undefined;
  const { command, template } = meanings[best] ?? {};
  const project = { project: { slug: slug(name), name: raw }, from: 0, to: 1, how: 'exact' as const };
  const line = fillLine(template ?? '', { ...named, projects: [project] }, (option) => choicesOf(optionsOf.get(command ?? ''), option));
  return line === undefined ? undefined : { name, line };
}

function ownWords(phrases: readonly { readonly phrase: string; readonly command: string }[]): ReadonlyMap<string, ReadonlySet<string>> {
  const own = new Map<string, Set<string>>();
  for (const { phrase, command } of phrases) {
    const words = own.get(command) ?? new Set();
    own.set(command, words);
    for (const { word } of tokensOf(phrase)) {
      const stem = stemOf(word);
      words.add(stem);
      for (const concept of conceptsOf(stem)) words.add(`@${concept}`);
    }
  }
  return own;
}

const foreignTo = ({ line }: Candidate, heard: Heard, own: ReadonlySet<string> | undefined): readonly string[] =>
  heard.words
    .filter(
      ({ token: { word }, stem, concepts }) =>
        stem.length > 2 &&
        /^\p{L}/u.test(word) &&
        !isFiller(stem) &&
        !heard.unknown.includes(word) &&
        own?.has(stem) !== true &&
        !concepts.some((concept) => own?.has(`@${concept}`)) &&
        !line.toLowerCase().includes(word) &&
        !isOfTime(word, heard),
    )
    .map(({ token: { word } }) => word);

/** Returns a factor that makes a line unlikely if it leaves out a named project, wallet or key. */
function understood(line: string, heard: Heard): number {
  return ofNames(line, heard) * ofAmounts(line, heard) * ofMoment(line, heard);
}

/** Returns a factor that makes a line unlikely if it leaves out every amount that was said. */
function ofAmounts(line: string, { amounts }: Heard): number {
  const said = amounts.filter(({ unit, by }) => unit === '%' || (unit === '$' && by !== undefined));
  return said.length === 0 || said.some(({ value }) => line.includes(value.replace(/0{3,}$/u, ''))) ? 1 : 0.25;
}

/** Returns a factor against answering a question about a past moment with today's figure. */
const ofMoment = (line: string, { times: { past, range } }: Heard): number =>
  past !== undefined && range === undefined && /^\/(?:premium|treasury|project) /u.test(line) && !line.includes(' at:') ? 0.4 : 1;

function ofNames(line: string, heard: Heard): number {
  const words = line.split(/[\s:,]+/u);
  const names = namesIn(heard);
  // Each project gets a line of its own.
  if (heard.isForEach && names.some((name) => words.includes(name))) return 1;
  const missing = names.filter((name) => !words.includes(name)).length;
  if (missing === 0) return 1;
  return missing === names.length ? 0.1 : 0.4;
}

const choicesOf = (options: CommandEntry['options'] | undefined, wanted: string): readonly string[] =>
  options?.find(({ name }) => name === wanted)?.choices ?? [];

function explain(text: string, { meanings, model, vocabulary, optionsOf, world }: ReadWith): ReturnType<PhraseReader['explain']> {
  const heard = withHead(hear(text, world, vocabulary), text, vocabulary);
  const beliefs = model.classify(heard.features);
  const explained = meanings.map(({ template, command }, label) => ({
    template,
    belief: beliefs[label] ?? 0,
    line: () => (command === undefined ? undefined : fillLine(template, heard, (option) => choicesOf(optionsOf.get(command), option))),
  }));
  return { heard, meanings: explained.toSorted((one, other) => other.belief - one.belief) };
}
