/** What to do with a reading: run a line, propose a change, offer several, or talk. Pure. */
import { termNamed } from '../domain/glossary.js';
import { inMonths } from './amounts.js';
import { namesIn } from './heard.js';
import type { Reading } from './reader.js';
import type { Talk } from './talk.js';

export type Decision =
  /** Sure: the line is run, and the runner-up is a button. */
  | { readonly kind: 'run'; readonly line: string; readonly others: readonly string[] }
  /** Sure, but it changes something or costs much: the line waits for a press. */
  | {
      readonly kind: 'propose';
      readonly lines: readonly [string, ...string[]];
      /** The words ask for all of the lines. By default the others are what they may mean instead. */
      readonly isEach?: true;
      /** It was shown already, and only its button sets it. */
      readonly isAgain?: true;
    }
  /** The words name a project that nothing knows. */
  | { readonly kind: 'stranger'; readonly name: string; readonly line: string }
  /** Not sure: at most three. */
  | { readonly kind: 'offer'; readonly lines: readonly string[] }
  | { readonly kind: 'talk'; readonly talk: Talk; readonly lines: readonly string[] };

/** The belief in all lines of one command: its views answer each other's questions. */
const SURE = 0.62;
/** The best line alone must have this much, or be far ahead of the next command. */
const BEST = 0.3;
const FAR_AHEAD = 5;
const TALK = 0.5;
/** Chatter is believed at once from here on, even where it has words of the field. */
const SURE_TALK = 0.9;
const LIKELY = 0.08;
/** One unknown word does not matter to a reading that is as sure. */
const CERTAIN = 0.93;
const MAX_OFFERS = 3;
const OFFERED = 0.03;
/** With every word that nobody knows a reading is less sure. */
const UNKNOWN_PART = 0.8;

const TURNED =
  /\b(?:except|besides|but not|all but|everything but|other than|what (?:happens )?if|what would happen)\b|\b(?:don'?t|do not|never|not)\s+(?:please\s+)?(?:mute|unmute|watch|unwatch|follow|unfollow|stop|delete|pause|silence|track|remove)\b/iu;

/** A list cannot leave out what the words exclude. */
const EXCLUDES =
  /\b(?:projects?|coins?|tokens?|names|those|ones)\b.*\b(?:without|with no|not|no)\b.*\b(?:live|open|proposals?|votes?|launch\w*|raise)\b/iu;

/** `waiting`: the lines that change something or cost much, which are never run from a guess. */
export function decide({ candidates, talk, unknown, heard, stranger }: Reading, waiting: ReadonlySet<string>): Decision {
  const term = termAsked(heard.text);
  if (term !== undefined) return { kind: 'run', line: `/help ${term}`, others: [] };
  const [best] = candidates;
  const lines = candidates.filter(({ confidence }) => confidence >= OFFERED).map(({ line }) => line);
  if (stranger !== undefined && !(talk !== undefined && talk.kind.startsWith('unknowable') && talk.confidence >= TALK))
    return { kind: 'stranger', ...stranger };
  const own = candidates.filter(({ command }) => command === best?.command).reduce((sum, { confidence }) => sum + confidence, 0);
  const other = candidates.find(({ command }) => command !== best?.command)?.confidence ?? 0;
  const isTalk = talk !== undefined && talk.confidence > own && (talk.confidence >= TALK || best === undefined);
  // Words of the field in what seems to be chatter may be a question that is only said in another way.
  if (isTalk && best !== undefined && talk.confidence < SURE_TALK && best.confidence >= LIKELY && isOfField(talk.kind, heard))
    return { kind: 'offer', lines: lines.slice(0, MAX_OFFERS) };
  const glossary = ASKS_TERM.test(heard.text) && unknown.length > 0 ? ['/help glossary'] : [];
  if (isTalk) return { kind: 'talk', talk: talk.kind, lines: [...glossary, ...knownOf(talk.kind, heard), ...lines].slice(0, MAX_OFFERS) };
  if (best === undefined) return { kind: 'offer', lines: glossary };
  // "All except alder", "don't mute", "what if I unwatch": the change that was named is not the one that is wanted.
  if (waiting.has(best.line) && TURNED.test(heard.text))
    return { kind: 'offer', lines: lines.filter((line) => !waiting.has(line)).slice(0, MAX_OFFERS) };
  const [only] = heard.keys;
  // A public key alone may be a wallet's or a proposal's.
  if (only !== undefined && heard.words.length === 1) return { kind: 'offer', lines: [`/wallet ${only.key}`, `/proposal ${only.key}`] };
  // An unknown word where no thing was named may be a project's name, and a date that could not be read is not today.
  const isNameless = unknown.length > 0 && namesIn(heard).length === 0 && (unknown.length > 1 || best.confidence < CERTAIN);
  const isBlind = isNameless || heard.times.isUnread || leavesOut(best.line, heard);
  const doubt = UNKNOWN_PART ** Math.min(4, unknown.length) * (heard.projects.some(({ how }) => how === 'near') ? 0.9 : 1);
  const isSure =
    !isBlind &&
    !(EXCLUDES.test(heard.text) && /^\/(?:proposals|markets|launches|overview)\b/u.test(best.line)) &&
    best.confidence >= BEST &&
    (own * doubt >= SURE || (own * doubt >= SURE * 0.7 && own >= FAR_AHEAD * Math.max(other, talk?.confidence ?? 0)));
  const each = waiting.has(best.line) ? forEach(best.line, heard) : undefined;
  if (each !== undefined && isSure) return { kind: 'propose', lines: each, isEach: true };
  if (waiting.has(best.line))
    return isSure || (lines.length < 2 && !isBlind)
      ? { kind: 'propose', lines: [best.line, ...lines.slice(1, MAX_OFFERS).filter((line) => line !== `${best.line} off`)] }
      : { kind: 'offer', lines: lines.slice(0, MAX_OFFERS) };
  if (isSure) return { kind: 'run', line: best.line, others: lines.slice(1, 2) };
  if (!isMissingAlert(best.line, heard)) return { kind: 'offer', lines: [...glossary, ...lines].slice(0, MAX_OFFERS) };
  const alerts = candidates.filter(({ line }) => ALERTING.test(line)).map(({ line }) => line);
  return { kind: 'offer', lines: [...new Set([...alerts, ...lines])].slice(0, MAX_OFFERS) };
}

const ASKS_TERM =
  /^\s*(?:what(?:'s|s| is| are| does| do)?|define|explain|meaning of|definition of|what is meant by)\s+(?:an? |the |by )?(.{2,40}?)(?:\s+mean(?:s|ing)?)?\s*[?.!]*\s*$/iu;

/** "What is a proposal" asks what the word means, although lists have the same name. */
function termAsked(text: string): string | undefined {
  const [, name = ''] = ASKS_TERM.exec(text) ?? [];
  return (termNamed(name) ?? termNamed(name.replace(/s$/iu, '')))?.id;
}

const FIELD = [
  ...['premium', 'discount', 'nav', 'treasury', 'runway', 'proposal', 'launch', 'supply', 'mint', 'burn', 'unlock', 'holder', 'spend'],
  ...['earn', 'payment', 'account', 'legal', 'wallet', 'alert', 'follow', 'mute', 'digest', 'mean', 'history'],
];

const isOfField = (talk: Talk, heard: Reading['heard']): boolean =>
  (talk === 'smalltalk' || talk === 'unknowable-market') && heard.has(...FIELD)
    ? true
    : talk === 'unknowable' && /\b(?:change|move|set|revert|undo|turn|start|stop|send|sending|alerts?|thresholds?)\b/iu.test(heard.text);

const WANTS_ALERT =
  /\b(?:alert|ping|notify|warn|remind|holler|flag it|shout|lmk|keep me posted|sending (?:me|us)|need to know|(?:tell|message|write|inform|let) (?:me|us|the \w+)(?: know)? (?:when|if|before|about any|on every|once|whenever))\b|\bring the bell\b/iu;
const ALERTING = /^\/(?:alerts|watch|unwatch|mute|unmute|why|history|digest|settings|watchlist|privacy|help|refresh)\b/u;

/** "Warn me before it unlocks" is no question about unlocks. */
const isMissingAlert = (line: string, { text }: Reading['heard']): boolean => WANTS_ALERT.test(text) && !ALERTING.test(line);

const FILE = /\b(?:csv|spreadsheet|excel|download|export)\b/iu;
const EXCEPT = /\b(?:besides|other than|apart from|except|all but)\b/iu;

/** What the words say and the line does not: it would answer another question. */
function leavesOut(line: string, heard: Reading['heard']): boolean {
  const { text } = heard;
  if (isMissingAlert(line, heard) || EXCEPT.test(text)) return true;
  if (FILE.test(text) && !/csv|export|download/u.test(line)) return true;
  return line.startsWith('/screen ') && !isWholeFilter(line, heard);
}

const SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };

/** Every amount that was said is in the filter once, in a field that can have it. */
function isWholeFilter(line: string, { amounts, times }: Reading['heard']): boolean {
  const tests = [...line.matchAll(/([a-z\d]+)([<>])-?(\d+(?:\.\d+)?)([kmb]?)(?= |$)/gu)].map(
    ([, field = '', by = '', size = '', scale = '']) => ({
      side: `${field}${by}`,
      field,
      value: Number(size) * (SCALES[scale] ?? 1),
    }),
  );
  if (new Set(tests.map(({ side }) => side)).size < tests.length) return false;
  if (tests.some(({ field, value }) => (field === 'premium' || field === 'discount') && value >= 1_000)) return false;
  const range = times.range?.text ?? '';
  return amounts
    .filter(
      ({ unit, by, negative, value }) =>
        (['%', '$', 'months', 'years'].includes(unit) || (unit === '' && (by !== undefined || negative))) && !range.includes(value),
    )
    .every((amount) => {
      const value = Number(['months', 'years'].includes(amount.unit) ? (inMonths(amount) ?? amount.value) : amount.value);
      const isMonths = amount.unit === 'months' || amount.unit === 'years';
      return tests.some(
        (one) =>
          one.value === value &&
          (!isMonths || one.field === 'runway') &&
          (amount.unit !== '%' || !['runway', 'cap', 'treasury'].includes(one.field)),
      );
    });
}

const MAX_EACH = 4;

/** "Watch tide and alder" is a line for each. */
function forEach(line: string, { isForEach, projects }: Reading['heard']): readonly [string, ...string[]] | undefined {
  const [first, ...others] = [...new Set(projects.map(({ project }) => String(project.slug)))];
  if (!isForEach || first === undefined || !line.split(' ').includes(first)) return undefined;
  const words = line.split(' ');
  return [line, ...others.slice(0, MAX_EACH - 1).map((slug) => words.map((word) => (word === first ? slug : word)).join(' '))];
}

/** What is known of the things in a question that nobody can answer. */
function knownOf(talk: Talk, { projects, wallets, keys }: Reading['heard']): readonly string[] {
  const slug = projects[0]?.project.slug;
  const wallet = wallets[0]?.name ?? keys[0]?.key;
  if (talk === 'unknowable-wallet') return wallet === undefined ? [] : [`/wallet ${wallet}`];
  if (slug === undefined) return [];
  return talk === 'unknowable-vote' ? [`/proposal ${slug}`] : talk === 'unknowable' ? [`/premium ${slug}`] : [];
}
