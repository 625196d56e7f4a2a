/** What to do with a reading: run a line, propose a change, offer several, or talk. Pure. */
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
  const [best] = candidates;
  const lines = candidates.filter(({ confidence }) => confidence >= OFFERED).map(({ line }) => line);
  if (stranger !== undefined && !(talk !== undefined && talk.kind.startsWith('unknowable') && talk.confidence >= TALK))
    return { kind: 'stranger', ...stranger };
  const own = candidates.filter(({ command }) => command === best?.command).reduce((sum, { confidence }) => sum + confidence, 0);
  const other = candidates.find(({ command }) => command !== best?.command)?.confidence ?? 0;
  if (talk !== undefined && talk.confidence > own && (talk.confidence >= TALK || best === undefined))
    return { kind: 'talk', talk: talk.kind, lines: [...knownOf(talk.kind, heard), ...lines].slice(0, MAX_OFFERS) };
  if (best === undefined) return { kind: 'offer', lines: [] };
  // "All except alder", "don't mute", "what if I unwatch": the change that was named is not the one that is wanted.
  if (waiting.has(best.line) && TURNED.test(heard.text))
    return { kind: 'offer', lines: lines.filter((line) => !waiting.has(line)).slice(0, MAX_OFFERS) };
  const [only] = heard.keys;
  // A public key alone may be a wallet's or a proposal's.
  if (only !== undefined && heard.words.length === 1) return { kind: 'offer', lines: [`/wallet ${only.key}`, `/proposal ${only.key}`] };
  // An unknown word where no thing was named may be a project's name, and a date that could not be read is not today.
  const isBlind = (unknown.length > 0 && namesIn(heard).length === 0) || heard.times.isUnread;
  const doubt = UNKNOWN_PART ** Math.min(4, unknown.length) * (heard.projects.some(({ how }) => how === 'near') ? 0.9 : 1);
  const isSure =
    !isBlind &&
    !(EXCLUDES.test(heard.text) && /^\/(?:proposals|markets|launches|overview)\b/u.test(best.line)) &&
    best.confidence >= BEST &&
    (own * doubt >= SURE || (own * doubt >= SURE * 0.7 && own >= FAR_AHEAD * Math.max(other, talk?.confidence ?? 0)));
  const each = waiting.has(best.line) ? forEach(best.line, heard) : undefined;
  if (each !== undefined && isSure) return { kind: 'propose', lines: each };
  if (waiting.has(best.line))
    return isSure || (lines.length < 2 && !isBlind)
      ? { kind: 'propose', lines: [best.line, ...lines.slice(1, MAX_OFFERS)] }
      : { kind: 'offer', lines: lines.slice(0, MAX_OFFERS) };
  return isSure ? { kind: 'run', line: best.line, others: lines.slice(1, 2) } : { kind: 'offer', lines: lines.slice(0, MAX_OFFERS) };
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
