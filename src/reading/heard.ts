/** Parses a text into words with their concepts, projects, wallets, keys, amounts and times. Pure. */
import { distance } from 'fastest-levenshtein';
import { looksLikeKey } from '../domain/wallet.js';
import { amountsIn, type Amount } from './amounts.js';
import { conceptsOf, isFiller, stemOf } from './lexicon.js';
import { isSwapped, projectsIn, type FoundProject, type ProjectNames } from './projects.js';
import type { Here } from './nights.js';
import { timesIn, type TimesRead } from './times.js';
import { tokensOf, withDigits, type Token } from './tokens.js';

/** What parsing needs to know of the chat, the projects and the time. */
export interface ChatWorld extends Here {
  readonly names: ProjectNames;
  /** Maps labels of watched wallets, in lower case, to their names in a command line. */
  readonly labels: ReadonlyMap<string, string>;
}

export interface HeardWord {
  readonly token: Token;
  /** The stem. For a mistyped word, the stem of the word that was meant. */
  readonly stem: string;
  readonly concepts: readonly string[];
}

export interface Heard {
  readonly text: string;
  readonly words: readonly HeardWord[];
  readonly projects: readonly FoundProject[];
  /** The text asks for a change of each of several projects, as in "watch tide and alder". */
  readonly isForEach: boolean;
  readonly wallets: readonly { readonly name: string; readonly at: number }[];
  readonly keys: readonly { readonly key: string; readonly at: number }[];
  readonly amounts: readonly Amount[];
  readonly times: TimesRead;
  /** The rule that joins several conditions. */
  readonly rule?: string;
  /** The model's input: the words, the kinds of names in the text, and which of them are neighbours. */
  readonly features: readonly string[];
  /** The words that are neither in the vocabulary nor a name. */
  readonly unknown: readonly string[];
  has(...concepts: readonly string[]): boolean;
}

export interface Vocabulary {
  knows(stem: string): boolean;
  /** Returns the known word with a similar spelling; undefined if there is none. */
  nearest(stem: string): string | undefined;
}

export function vocabularyOf(stems: Iterable<string>): Vocabulary {
  const all = new Set(stems);
  const byLength = new Map<number, string[]>();
  for (const stem of all)
    if (stem.length >= 4 && /^[a-z]+$/u.test(stem)) byLength.set(stem.length, [...(byLength.get(stem.length) ?? []), stem]);
  return {
    knows: (stem) => all.has(stem),
    nearest(stem) {
      if (stem.length < 4 || stem.length > 16 || !/^[a-z]+$/u.test(stem)) return undefined;
      const most = stem.length >= 7 ? 2 : 1;
      let best: { readonly stem: string; readonly errors: number; readonly isOfField: boolean } | undefined;
      for (let size = stem.length - most; size <= stem.length + most; size += 1)
        for (const other of byLength.get(size) ?? []) {
          // A typing error seldom changes the first letter.
          if (other.charAt(0) !== stem.charAt(0)) continue;
          const errors = isSwapped(other, stem) ? 1 : distance(other, stem);
          if (errors > most || errors > (best?.errors ?? most)) continue;
          const isOfField = conceptsOf(other).length > 0;
          // Of two words as near, one of the field is meant: "proposls" is "proposals" and not "propose".
          if (errors < (best?.errors ?? most + 1) || (isOfField && best?.isOfField === false)) best = { stem: other, errors, isOfField };
        }
      return best?.stem;
    },
  };
}

const MAX_CORRECTED = 8;

/** Rules and filters are read from these words, so they are corrected in the text itself, and not only for the model. */
const RULE_WORDS = ['below', 'above', 'under', 'beneath', 'between', 'premium', 'discount', 'runway', 'treasury', 'crosses'];
const MISSPELLED = /(?<![\p{L}\p{N}$@#/_'’-])\p{L}{5,9}(?![\p{L}\p{N}_'’-])/gu;

/** Corrects one typing error in each word that decides which way a rule goes. A name of a project stays. */
const respelled = (text: string, { names }: ChatWorld): string =>
  text.replaceAll(MISSPELLED, (typed) => {
    const word = typed.toLowerCase();
    if (RULE_WORDS.includes(word) || conceptsOf(stemOf(word)).length > 0) return typed;
    const near = RULE_WORDS.find((one) => one.charAt(0) === word.charAt(0) && (isSwapped(one, word) || distance(one, word) === 1));
    return near === undefined || projectsIn(tokensOf(word), names, () => false).some(({ how }) => how === 'exact') ? typed : near;
  });

/** Parses a text or a phrase. In a phrase `{project}`, `{wallet}` and `{key}` stand for any such name. */
export function hear(typed: string, world: ChatWorld, vocabulary: Vocabulary | undefined): Heard {
  const text = vocabulary === undefined ? withDigits(typed) : respelled(withDigits(typed), world);
  const tokens = tokensOf(text);
  const isWord = (word: string): boolean => {
    const stem = stemOf(word);
    return conceptsOf(stem).length > 0 || vocabulary?.knows(stem) === true;
  };
  const projects = projectsIn(tokens, world.names, isWord);
  const times = timesIn(text, world);
  const dates = [times.past?.text, times.future?.text].flatMap((date) =>
    date === undefined ? [] : tokensOf(date).map(({ word }) => word),
  );
  // The 3 in "nov 3" is part of a date and not an amount.
  const amounts = amountsIn(tokens).filter(({ to }) => !dates.includes(tokens[to - 1]?.word ?? ''));
  const wallets: { name: string; at: number }[] = [];
  const keys: { key: string; at: number }[] = [];
  for (const [at, { raw, word }] of tokens.entries()) {
    const label = world.labels.get(word) ?? world.labels.get(raw.toLowerCase());
    const plural = label === undefined && projects.length === 0 && word.endsWith('s') ? world.labels.get(word.slice(0, -1)) : undefined;
    // A typed key is not replaced by its label, so that the line can give it another label.
    if (label !== undefined || plural !== undefined) wallets.push({ name: looksLikeKey(raw) ? raw : (label ?? plural ?? ''), at });
    else if (looksLikeKey(raw)) keys.push({ key: raw, at });
  }
  let corrected = 0;
  const isThing = (at: number): boolean =>
    projects.some(({ from, to }) => at >= from && at < to) || wallets.some((one) => one.at === at) || keys.some((one) => one.at === at);
  const words = tokens.map((token, at): HeardWord => {
    if (isThing(at)) return { token, stem: '', concepts: [] };
    const typedStem = stemOf(token.word);
    // "Everythingg" and "plsss" repeat the last letter.
    const once = stemOf(token.word.replace(/(\p{L})\1+$/u, '$1'));
    const stem =
      once !== typedStem && !isWord(token.word) && (conceptsOf(once).length > 0 || vocabulary?.knows(once) === true) ? once : typedStem;
    const known = conceptsOf(stem).length > 0 || vocabulary === undefined || vocabulary.knows(stem);
    const near = known || corrected >= MAX_CORRECTED ? undefined : vocabulary.nearest(stem);
    if (near !== undefined) corrected += 1;
    return { token, stem: near ?? stem, concepts: conceptsOf(near ?? stem) };
  });
  const heard = { text, words, projects, wallets, keys, amounts, times, isForEach: isForEach(words, projects) };
  const { sequence, unknown } = sequenceOf(heard, vocabulary);
  const concepts = new Set(words.flatMap(({ concepts: own }) => own));
  return {
    ...heard,
    features: featuresOf(sequence, heard),
    // "Sep" is understood in "on sep 1", though no phrase has it.
    unknown: unknown.filter((word) => !isOfTime(word, heard)),
    has: (...wanted) => wanted.some((concept) => concepts.has(concept)),
  };
}

const CHANGES = ['follow', 'stop', 'mute', 'unmute', 'alert'];

/** "Watch tide and alder" asks for a change of each project; "compare tide and alder" asks for one answer. */
function isForEach(words: readonly HeardWord[], projects: readonly FoundProject[]): boolean {
  const named = new Set(projects.map(({ project }) => project.slug)).size;
  if (named < 2 || words.some(({ token }) => /^(?:compared?|vs|versus|against|better|than|unlike|except)$/u.test(token.word))) return false;
  const isBeside = projects.every(({ from }, at) => {
    const before = projects[at - 1];
    return before === undefined || words.slice(before.to, from).every(({ token }) => /^(?:and|or|n|plus|also)$/u.test(token.word));
  });
  return isBeside && words.slice(0, projects[0]?.from).some(({ concepts }) => concepts.some((concept) => CHANGES.includes(concept)));
}

interface Part {
  /** The name of the item in features of neighbours. */
  readonly name: string;
  readonly features: readonly string[];
  readonly filler: boolean;
}

const BEGINNING = 4;

type Found = Pick<Heard, 'words' | 'projects' | 'isForEach' | 'wallets' | 'keys' | 'amounts' | 'times'>;

function sequenceOf(
  heard: Found,
  vocabulary: Vocabulary | undefined,
): { readonly sequence: readonly Part[]; readonly unknown: readonly string[] } {
  const sequence: Part[] = [];
  const unknown: string[] = [];
  const slot = (name: string): Part => ({ name, features: [name], filler: false });
  for (let at = 0; at < heard.words.length; at += 1) {
    const project = heard.projects.find(({ from }) => from === at);
    const amount = heard.amounts.find(({ from, to }) => at >= from && at < to);
    const { token, stem, concepts } = heard.words[at] ?? { token: { raw: '', word: '' }, stem: '', concepts: [] };
    if (project !== undefined) {
      sequence.push(slot('{project}'));
      at = (heard.isForEach ? (heard.projects.at(-1) ?? project) : project).to - 1;
    } else if (heard.wallets.some((one) => one.at === at)) sequence.push(slot('{wallet}'));
    else if (heard.keys.some((one) => one.at === at)) sequence.push(slot('{key}'));
    else if (/^\{[a-z]+\}$/u.test(token.word)) sequence.push(slot(token.word));
    else if (/^mov-?\d+$/u.test(token.word)) sequence.push(slot('{movement}'));
    else if (/^#\d+$/u.test(token.word)) sequence.push(slot('{number}'));
    else if (amount !== undefined && /\d/u.test(token.word)) sequence.push(slot(`{${amount.unit === '' ? 'amount' : amount.unit}}`));
    else if (/^[-+]?\$?\d/u.test(token.word)) sequence.push(slot('{figure}'));
    else if (token.word === '?') sequence.push({ name: '?', features: ['?'], filler: true });
    else {
      const meant = concepts.filter((concept) => concept !== 'ignore' && concept !== 'ask');
      const filler = meant.length === 0 && isFiller(stem);
      if (vocabulary !== undefined && concepts.length === 0 && !vocabulary.knows(stem)) unknown.push(token.word);
      sequence.push({
        name: meant[0] === undefined ? stem : `@${meant[0]}`,
        // The beginning of a word helps with words that are in no phrase.
        features: [`w:${stem}`, `p:${stem.slice(0, BEGINNING)}`, ...meant.map((concept) => `@${concept}`)],
        filler,
      });
    }
  }
  return { sequence, unknown };
}

function featuresOf(sequence: readonly Part[], { projects, isForEach, wallets, keys, amounts, times }: Found): readonly string[] {
  const content = sequence.filter(({ filler }) => !filler);
  const pairs = content.map(({ name }, at) => `b:${content[at - 1]?.name ?? '^'} ${name}`);
  const things = sequence.filter(({ name }) => name.startsWith('{')).length;
  const named = isForEach
    ? 1
    : new Set(projects.map(({ project }) => project.slug)).size || sequence.filter(({ name }) => name === '{project}').length;
  return [
    ...sequence.flatMap(({ features }) => features),
    ...pairs,
    `first:${sequence[0]?.name ?? ''}`,
    `last:${content.at(-1)?.name ?? ''}`,
    `projects:${Math.min(named, 2)}`,
    ...(content.length === things ? ['only-things'] : []),
    ...(content.length === 1 ? ['one-word'] : []),
    ...(wallets.length > 0 || sequence.some(({ name }) => name === '{wallet}') ? ['has:wallet'] : []),
    ...(keys.length > 0 || sequence.some(({ name }) => name === '{key}') ? ['has:key'] : []),
    ...(amounts.some(({ by }) => by !== undefined) ? ['has:comparison'] : []),
    ...(times.range === undefined ? [] : ['has:range']),
    ...(times.past === undefined ? [] : ['has:past']),
    ...(times.future === undefined ? [] : ['has:future']),
    ...(times.clock === undefined ? [] : ['has:clock']),
    ...(times.hours === undefined ? [] : ['has:hours']),
    ...(times.lasting === undefined ? [] : ['has:lasting']),
  ];
}

/** Tells whether everything was understood: each word is known, each comparison has a number, and each number belongs to something. */
export function isWhole({ words, unknown, amounts, times, projects, keys, text }: Heard): boolean {
  if (unknown.length > 0) return false;
  const ofTimes = timeWords(times);
  return words.every(({ token: { word }, stem, concepts }, at) => {
    // The first word after a slash is the command's name.
    if (at === 0 && /^\s*\//u.test(text)) return true;
    // A word without a concept may be the subject of the question, so it counts as not understood unless it is part of a time.
    if (stem !== '' && concepts.length === 0 && !isFiller(stem) && /^\p{L}/u.test(word)) return ofTimes.includes(word);
    if (!/[\d<>=≤≥]/u.test(word)) return true;
    const isNamed =
      amounts.some(({ from, to }) => at >= from && at < to) ||
      projects.some(({ from, to }) => at >= from && at < to) ||
      keys.some((key) => key.at === at);
    return isNamed || ofTimes.includes(word) || /^(?:mov-?|#)\d+$/u.test(word) || /\bpage\b/iu.test(text);
  });
}

const timeWords = ({ range, past, future, lasting, clock, hours }: TimesRead): readonly string[] =>
  [range, past, future, lasting, clock, hours].flatMap((time) => (time === undefined ? [] : tokensOf(time.text).map(({ word }) => word)));

export const isOfTime = (word: string, { times }: Pick<Heard, 'times'>): boolean => timeWords(times).includes(word);

/** Returns the digits of the amounts that are not part of a time. */
export function numbersIn({ amounts, words, times }: Heard): readonly string[] {
  const ofTimes = timeWords(times);
  return amounts.flatMap(({ from, to }) =>
    words.slice(from, to).flatMap(({ token: { word } }) => (ofTimes.includes(word) ? [] : (/\d+/u.exec(word)?.[0] ?? []))),
  );
}

/** Returns the projects, wallets and keys in the text as a command line names them, each once. */
export const namesIn = ({ projects, wallets, keys }: Heard): readonly string[] => [
  ...new Set([...projects.map(({ project }) => String(project.slug)), ...wallets.map(({ name }) => name), ...keys.map(({ key }) => key)]),
];
