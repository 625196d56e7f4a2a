/** Decides what to do with a reading: run a line, propose a change, offer several lines, or chat. Pure. */
import { termNamed } from '../domain/glossary.js';
import { inMonths } from './amounts.js';
import { REPLACED, ruleIn, unreadOfRule } from './alert-rules.js';
import { withoutOtherDirection } from './filter-rules.js';
import { isReminderOfVote, isRuleOfNobody, isUntimely, linesOfVote, needsKeyOfVote, outsideReminders } from './change-asked.js';
import { helpAsked } from './help-asked.js';
import { isOfTime, namesIn, numbersIn } from './heard.js';
import { isFiller } from './lexicon.js';
import { insteadOfTrades } from './market-rules.js';
import { allExcept, eachOf, exceptionIn, oneMute, type Unread } from './several.js';
import type { Reading } from './reader.js';
import type { Talk } from './talk.js';

export type Decision =
  /** The reading is sure: the line is run, and the next likely ones become buttons. */
  | { readonly kind: 'run'; readonly line: string; readonly others: readonly string[] }
  /** The reading is sure, but the line changes something or takes many requests, so it waits for a press. */
  | {
      readonly kind: 'propose';
      readonly lines: readonly [string, ...string[]];
      /** The text asks for all of the lines. By default the others are alternatives. */
      readonly isEach?: true;
      /** The change was shown before; the answer reminds the person to press its button. */
      readonly isAgain?: true;
    }
  /** The text names an unknown project. */
  | { readonly kind: 'stranger'; readonly name: string; readonly line: string }
  /** The text asks for several things, one line each. */
  | { readonly kind: 'several'; readonly lines: readonly string[] }
  /** The reading is unsure: offers at most three lines, and states what none of them covers. */
  | { readonly kind: 'offer'; readonly lines: readonly string[]; readonly unread?: readonly Unread[] }
  | { readonly kind: 'talk'; readonly talk: Talk; readonly lines: readonly string[] };

interface Confidence {
  /** The least summed confidence of all lines of one command. They are summed because views of a command answer similar questions. */
  readonly sure: number;
  /** The least confidence of the best line, unless it is `farAhead` of the next command. */
  readonly best: number;
  readonly farAhead: number;
  /** Confidence is multiplied by these for each unknown word, and for each word that no phrase of the command has. */
  readonly unknownPart: number;
  readonly foreignPart: number;
}
const TO_RUN: Confidence = { sure: 0.64, best: 0.42, farAhead: 5, unknownPart: 0.7, foreignPart: 0.7 };
/** Lower than for a line that is run, because a proposal waits for a press and shows its alternatives. */
const TO_PROPOSE: Confidence = { sure: 0.42, best: 0.3, farAhead: 2, unknownPart: 0.85, foreignPart: 0.97 };
const TALK = 0.5;
/** The least confidence for "nobody can answer this". A question about a project is more often a known one in other words. */
const UNKNOWABLE = 0.7;
/** From this confidence on, a text is chatter even if it has words of the field. */
const SURE_TALK = 0.9;
const LIKELY = 0.08;
/** From this confidence on, one unknown word is ignored. */
const CERTAIN = 0.93;
const MAX_OFFERS = 3;
const OFFERED = 0.03;
/** A line of another command replaces a third line of one command from this part of its confidence on. */
const CLOSE = 0.3;

const TURNED =
  /\b(?:except|besides|but not|all but|everything but|other than|what (?:happens )?if|what would happen)\b|\b(?:don'?t|do not|never|not)\s+(?:please\s+)?(?:mute|unmute|watch|unwatch|follow|unfollow|stop|delete|pause|silence|track|remove)\b/iu;

/** Matches exclusions such as "coins without live proposals", which no list can apply. */
const EXCLUDES =
  /\b(?:projects?|coins?|tokens?|names|those|ones)\b.*\b(?:without|with no|not|no)\b.*\b(?:live|open|proposals?|votes?|launch\w*|raise)\b/iu;

/** Decides about a reading. `waiting` has the lines that change something or take many requests: these are never run without a press. */
export function decide(reading: Reading, waiting: ReadonlySet<string>): Decision {
  if (isUntimely(reading.heard))
    return { kind: 'offer', lines: ['/remind', '/next'], unread: [{ text: reading.heard.text, is: 'reminder' }] };
  const outside = outsideReminders(reading.heard.text);
  if (outside !== undefined) return { kind: 'offer', lines: ['/remind', '/next'], unread: [{ text: outside, is: 'ahead' }] };
  if (isReminderOfVote(reading.heard))
    return { kind: 'offer', lines: ['/proposals'], unread: [{ text: reading.heard.text, is: 'vote-reminder' }] };
  if (needsKeyOfVote(reading.heard, WANTS_ALERT.test(reading.heard.text) ? ruleIn(reading.heard) : undefined))
    return {
      kind: 'offer',
      lines: [['/proposals', reading.heard.projects[0]?.project.slug].filter(Boolean).join(' ')],
      unread: [{ text: reading.heard.text, is: 'vote' }],
    };
  const counted = WANTS_ALERT.test(reading.heard.text) ? insteadOfTrades(reading.heard) : [];
  if (counted.length > 0) return { kind: 'offer', lines: counted, unread: [{ text: reading.heard.text, is: 'count' }] };
  if (isRuleOfNobody(reading.heard)) return { kind: 'offer', lines: ['/alerts'], unread: [{ text: reading.heard.text, is: 'whose' }] };
  const help = helpAsked(reading.heard);
  if (help !== undefined) return { kind: 'run', line: help, others: [] };
  const lines = allExcept(reading.heard);
  if (lines !== undefined) return { kind: 'propose', lines, isEach: true };
  const whole = decideWhole(reading, waiting);
  const votes = whole.kind === 'offer' || (whole.kind === 'talk' && whole.talk === 'unknowable-market') ? linesOfVote(reading.heard) : [];
  const decision: Decision =
    votes.length === 0 ? whole : { kind: 'offer', lines: [...votes, ...('lines' in whole ? whole.lines : [])].slice(0, MAX_OFFERS) };
  if (reading.joined === 'or' && decision.kind === 'propose') return { kind: 'several', lines: decision.lines };
  if (decision.kind !== 'offer' || votes.length > 0) return decision;
  const unread = unreadIn(reading, decision.lines);
  return unread.length === 0 ? decision : { ...decision, unread };
}

/** The page of a project also shows its price and premium, so it is not offered as an alternative. */
const isOverview = (line: string, best = ''): boolean =>
  line.startsWith('/project ') && best.startsWith(line.replace('/project', '/premium'));

const MAX_UNREAD = 2;

/** Returns the parts of the text that none of the offered lines covers. */
function unreadIn({ heard, unknown, joined }: Reading, lines: readonly string[]): readonly Unread[] {
  const { text, times } = heard;
  if (times.unread !== undefined) return [{ text: times.unread, is: 'time' }];
  if (joined === 'and') return [{ text: text.trim(), is: 'condition' }];
  const exception = exceptionIn(text);
  if (exception !== undefined && lines.length === 0) return [{ text: exception, is: 'exception' }];
  const ofRule = WANTS_ALERT.test(text) ? unreadOfRule(heard) : undefined;
  const words = [
    ...(exception === undefined ? [] : [exception]),
    ...(ofRule === undefined ? [] : [ofRule]),
    ...unknown.filter((word) => exception?.includes(word) !== true && !lines.some((line) => line.toLowerCase().includes(word))),
  ];
  return words.slice(0, MAX_UNREAD).map((word) => ({ text: word, is: 'words' }));
}

function decideWhole({ candidates, talk, unknown, heard, stranger, joined }: Reading, waiting: ReadonlySet<string>): Decision {
  const term = termAsked(heard.text);
  if (term !== undefined) return { kind: 'run', line: `/help ${term}`, others: [] };
  const [best] = candidates;
  const lines = offeredOf(candidates);
  if (stranger !== undefined && !(talk !== undefined && talk.kind.startsWith('unknowable') && talk.confidence >= TALK))
    return { kind: 'stranger', ...stranger };
  const own = candidates
    .filter(({ command, line }) => command === best?.command || isOverview(line, best?.line))
    .reduce((sum, { confidence }) => sum + confidence, 0);
  const other = candidates.find(({ command }) => command !== best?.command)?.confidence ?? 0;
  // A text that asks for an alert is never chatter.
  const isTalk =
    talk !== undefined &&
    !(WANTS_ALERT.test(heard.text) && namesIn(heard).length > 0 && talk.confidence < SURE_TALK) &&
    talk.confidence > own &&
    (talk.confidence >= (talk.kind === 'unknowable' ? UNKNOWABLE : TALK) || best === undefined);
  // Chatter with words of the field may be a question in unusual words, so lines are offered.
  if (isTalk && best !== undefined && talk.confidence < SURE_TALK && best.confidence >= LIKELY && isOfField(talk.kind, heard))
    return { kind: 'offer', lines: lines.slice(0, MAX_OFFERS) };
  const glossary = ASKS_TERM.test(heard.text) && unknown.length > 0 ? ['/help glossary'] : [];
  if (isTalk) return talkAbout(talk.kind, [...glossary, ...knownOf(talk.kind, heard), ...lines], waiting);
  if (best === undefined) return { kind: 'offer', lines: glossary };
  // "All except alder", "don't mute", "what if I unwatch": the person does not want the change that the text names.
  if (waiting.has(best.line) && TURNED.test(withoutOtherDirection(heard.text)))
    return {
      kind: 'offer',
      lines: exceptionIn(heard.text) === undefined ? lines.filter((line) => !waiting.has(line)).slice(0, MAX_OFFERS) : [],
    };
  const [only] = heard.keys;
  // A public key alone may belong to a wallet or a proposal.
  if (only !== undefined && heard.words.length === 1) return { kind: 'offer', lines: [`/wallet ${only.key}`, `/proposal ${only.key}`] };
  // If no project or wallet is named, an unknown word may be a project's name. An unreadable date must not be taken for today.
  const isUncertain = unknown.length > 1 || best.confidence < CERTAIN || best.line.startsWith('/alerts ');
  const isNameless = unknown.length > 0 && namesIn(heard).length === 0 && isUncertain;
  const isBlind = isNameless || joined === 'and' || heard.times.unread !== undefined || leavesOut(best.line, heard);
  const left = unknown.filter((word) => !best.line.toLowerCase().includes(word)).length;
  const needed = waiting.has(best.line) ? TO_PROPOSE : TO_RUN;
  const doubt =
    needed.unknownPart ** left * needed.foreignPart ** best.foreign.length * (heard.projects.some(({ how }) => how === 'near') ? 0.9 : 1);
  const isSure =
    !isBlind &&
    !(EXCLUDES.test(heard.text) && /^\/(?:proposals|markets|launches|overview)\b/u.test(best.line)) &&
    best.confidence >= needed.best &&
    (own * doubt >= needed.sure || (own * doubt >= needed.sure * 0.7 && own >= needed.farAhead * Math.max(other, talk?.confidence ?? 0)));
  const each = waiting.has(best.line) ? eachOf(best.line, heard) : undefined;
  const mute = each === undefined ? undefined : oneMute(each, heard);
  if (mute !== undefined && isSure) return { kind: 'propose', lines: [mute] };
  if (each !== undefined && isSure) return { kind: 'propose', lines: each, isEach: true };
  if (waiting.has(best.line))
    return !isOnlyTime(heard) && (isSure || (lines.length < 2 && !isBlind))
      ? {
          kind: 'propose',
          lines: [
            best.line,
            ...lines
              .slice(1, MAX_OFFERS)
              .filter((line) => line !== `${best.line} off` && line !== opposite(best.line) && !line.startsWith('/alerts test')),
          ],
        }
      : { kind: 'offer', lines: lines.slice(0, MAX_OFFERS) };
  if (isSure) return { kind: 'run', line: best.line, others: lines.slice(1, 2) };
  const explained = own * needed.unknownPart ** left * needed.foreignPart ** best.foreign.length;
  if (isRatherTalk(talk, heard, explained)) return talkAbout(talk.kind, [...glossary, ...lines], waiting);
  if (!isMissingAlert(best.line, heard)) return { kind: 'offer', lines: withPage([...glossary, ...lines].slice(0, MAX_OFFERS), heard) };
  const alerts = candidates.filter(({ line }) => ALERTING.test(line)).map(({ line }) => line);
  return { kind: 'offer', lines: [...new Set([...alerts, ...lines])].slice(0, MAX_OFFERS) };
}

/** Returns the likeliest lines. The first three are not all of one command if another command is close. */
function offeredOf(candidates: Reading['candidates']): readonly string[] {
  const likely = candidates.filter(({ confidence }) => confidence >= OFFERED);
  const [first, , third] = likely;
  const least = CLOSE * (third?.confidence ?? 1);
  const isOfOne = likely.slice(0, MAX_OFFERS).every(({ command }) => command === first?.command);
  const other = isOfOne ? candidates.find(({ command, confidence }) => command !== first?.command && confidence >= least) : undefined;
  const lines = likely.filter((one) => one !== other).map(({ line }) => line);
  return other === undefined ? lines : lines.toSpliced(MAX_OFFERS - 1, 0, other.line);
}

/** Where fewer than three lines are offered about one project, its page is the last: it shows some of everything. */
function withPage(lines: readonly string[], { projects }: Reading['heard']): readonly string[] {
  const [named, another] = new Set(projects.map(({ project }) => project.slug));
  return named === undefined || another !== undefined ? lines : [...new Set([...lines, `/project ${named}`])].slice(0, MAX_OFFERS);
}

/** What is known is shown with the reply, so a line that changes something never comes first. */
function talkAbout(talk: Talk, lines: readonly string[], waiting: ReadonlySet<string>): Decision {
  const views = [...new Set(lines)].filter((line) => !waiting.has(line)).slice(0, MAX_OFFERS);
  return { kind: 'talk', talk, lines: views };
}

/** An unsure text that names no project is rather chatter, or nobody can answer it, than the rest of the likeliest command. */
const isRatherTalk = (talk: Reading['talk'], heard: Reading['heard'], explained: number): talk is NonNullable<Reading['talk']> =>
  talk !== undefined &&
  (!talk.kind.startsWith('unknowable') || talk.kind === 'unknowable-market') &&
  !WANTS_ALERT.test(heard.text) &&
  talk.total > explained;

/** "7 days" or "only 1 week" alone asks for no change. */
const isOnlyTime = (heard: Reading['heard']): boolean =>
  heard.words.every(({ token: { word }, stem }) => isFiller(stem) || isOfTime(word, heard) || /^(?:only|just|and)$/u.test(word));

/** "/unmute tide" undoes "/mute tide". */
const opposite = (line: string): string => (line.startsWith('/un') ? `/${line.slice(3)}` : `/un${line.slice(1)}`);

const ASKS_TERM =
  /^\s*(?:(?:so|and|hey|hi|please|pls|can you|could you|ok)\W+)*(?:what counts as|what(?:'s|s| is) (?:meant|the meaning|the definition) (?:by|with|of)|what(?:'s|s| is| are| does| do)?(?: (?:actually|exactly))?|define|explain(?: to me| me)?|meaning of|semantics of|definition of|tell me what)\s+(?:an? |the |by |is |are )*["'“”„]?(.{2,40}?)["'“”]?(?:\s+(?:mean(?:s|ing)?|is|are|here|in (?:this|the) bot))*\s*[?.!]*\s*$/iu;

/** "What is a proposal" asks for the meaning of the word, not for a list of proposals. */
function termAsked(text: string): string | undefined {
  const [, name = ''] = ASKS_TERM.exec(text) ?? [];
  // "What about its runway" is a follow-up about the project of the last question.
  if (/^(?:about|its|their|his|her|of|on)\b/iu.test(name)) return undefined;
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
  /\b(?:alert|alarm|ping|notify|warn|remind|holler|flag (?:it|me|when|if)|shout|buzz me|msg me|lmk|keep me posted|sending (?:me|us)|need to know|want to (?:know|hear) (?:about|of) (?:every|each)|flag (?:every|each)|(?:tell|message|write|inform|let|text|tag|dm) (?:me|us|the \w+)(?: know)? (?:when|if|before|about any|on every|once|whenever))\b|\bring the bell\b/iu;
const ALERTING = /^\/(?:alerts|watch|unwatch|mute|unmute|remind|why|history|digest|settings|watchlist|privacy|help|refresh)\b/u;

/** "Warn me before it unlocks" must not be answered with a list of unlocks. */
const isMissingAlert = (line: string, { text }: Reading['heard']): boolean => WANTS_ALERT.test(text) && !ALERTING.test(line);

const FILE = /\b(?:csv|spreadsheet|excel|download|export)\b/iu;
const EXCEPT = /\b(?:besides|other than|apart from|except|all but)\b/iu;

/** Tells whether the line leaves out something that was said, so that it would answer another question. */
function leavesOut(line: string, heard: Reading['heard']): boolean {
  const { text } = heard;
  if (isMissingAlert(line, heard) || EXCEPT.test(text)) return true;
  // An alert on any 10% move must not be set for "price moves 10% in an hour".
  if (line.startsWith('/alerts ') && /[<>]|\bmove\b/u.test(line) && unreadOfRule(heard) !== undefined) return true;
  if (
    line.startsWith('/alerts ') &&
    ((namesIn(heard).length < 2 && amountsLeft(line, heard)) || quotedIn(text).some((words) => !line.toLowerCase().includes(words)))
  )
    return true;
  const view = /^\/(?!screen|alerts|mute|unmute|remind|settings|digest|watch|unwatch|help|compare)/u.test(line);
  if (view && (quotedIn(text).some((words) => !line.toLowerCase().includes(words)) || numbersLeft(line, heard))) return true;
  // Turning a whole kind on or off drops the size that was said.
  if (/^\/alerts .*\b(?:on|off)$/u.test(line) && heard.amounts.some(({ unit }) => unit === '%' || unit === '$')) return true;
  if (FILE.test(text) && !/csv|export|download/u.test(line)) return true;
  return line.startsWith('/screen ') && (!isWholeFilter(line, heard) || MEASURES.some(([said, has]) => said.test(text) && !has.test(line)));
}

/** The words of each measure, and the filter fields for it. A filter without the named measure answers another question. */
const MEASURES: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:m(?:arket)?[ -]?caps?|capitali[sz]ations?|fdv)\b/iu, /\bcap[<>:]|:cap\b/u],
  [/\brunways?\b/iu, /\brunway\b/u],
];

/** Returns the first word of each quoted text: the line has to search for it. */
const quotedIn = (text: string): readonly string[] =>
  [...text.matchAll(/["“”]([\p{L}\d][^"“”]{1,60})["“”]/gu)].map(([, words = '']) => words.toLowerCase().split(/\s/u)[0] ?? '');

const COUNTED = /\b(?:top|best|first|last|biggest|largest|cheapest|worst|next|deepest)\s+$/iu;

/** Tells whether a view leaves out a number that was said. A count such as "top 5" may be left out. */
function numbersLeft(line: string, heard: Reading['heard']): boolean {
  const { amounts, words, text } = heard;
  return (
    numbersIn(heard).some((digits) => !line.includes(digits) && !COUNTED.test(text.slice(0, text.indexOf(digits)))) &&
    amounts.length > 0 &&
    words.length > 1
  );
}

/** A rule must contain every number that was said: "by another 10%" needs a rule with a 10. */
function amountsLeft(line: string, { amounts, text, times }: Reading['heard']): boolean {
  if (!/[<>]|\b(?:move|extreme|band)\b/u.test(line)) return false;
  const numbers = [...line.matchAll(/\d+(?:\.\d+)?/gu)].map(([digits]) => Number(digits));
  const ofTimes = [times.range, times.past, times.future, times.clock].map((time) => time?.text ?? '').join(' ');
  const meant = REPLACED.test(text) ? amounts.slice(1) : amounts;
  return meant.some(({ value, unit }) => {
    const per = PER_UNIT[unit] ?? [1];
    const isMeant = numbers.some((number) => per.some((times_) => Math.abs(number - Number(value) * times_) < 1e-9));
    return !isMeant && !(TIME_UNITS.has(unit) && (ofTimes.includes(value) || /24h|7d|1h/u.test(line))) && !text.includes(`top ${value}`);
  });
}

const TIME_UNITS: ReadonlySet<string> = new Set(['minutes', 'hours', 'days', 'weeks', 'months', 'years']);
/** The factors by which a rule may convert an amount of each unit. */
const PER_UNIT: Partial<Readonly<Record<string, readonly number[]>>> = {
  cents: [1, 0.01],
  hours: [1, 60, 1 / 24],
  days: [1, 24],
  weeks: [1, 7, 168, 1 / 4.345],
  months: [1, 30],
  years: [1, 12, 365],
};

const SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };

/** Tells whether the filter contains every amount exactly once, in a field of its unit. */
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

/** Returns lines about the projects, wallets and keys in a question that nobody can answer. */
function knownOf(talk: Talk, { projects, wallets, keys }: Reading['heard']): readonly string[] {
  const slug = projects[0]?.project.slug;
  const wallet = wallets[0]?.name ?? keys[0]?.key;
  if (talk === 'unknowable-wallet') return wallet === undefined ? [] : [`/wallet ${wallet}`];
  if (slug === undefined) return [];
  return talk === 'unknowable-vote' ? [`/proposal ${slug}`] : talk === 'unknowable' ? [`/premium ${slug}`] : [];
}

export interface PartRead {
  readonly text: string;
  readonly decision: Decision;
}

/** Decides about a text of several requests. Keeps `whole` unless the parts say more. */
export function combined(whole: Decision, parts: readonly PartRead[], heard: Reading['heard']): Decision {
  // A greeting does not count as a request.
  const meant = parts.filter(({ decision }) => decision.kind !== 'talk' || decision.talk.startsWith('unknowable'));
  const understood = meant.filter(({ decision }) => decision.kind === 'run' || decision.kind === 'propose');
  if (meant.length < 2 || understood.length === 0) return whole;
  const all = [...new Set(understood.flatMap(({ decision }) => linesOf(decision)))];
  // Setting a rule also watches the project, so a separate /watch line is dropped.
  const lines = all.filter((line) => !(/^\/watch \S+$/u.test(line) && all.some((other) => other.startsWith(`/alerts ${line.slice(7)} `))));
  const unread = meant
    .filter((part) => !understood.includes(part))
    .map(({ text }): Unread => ({ text: text.trim().replace(/[.!?]+$/u, ''), is: 'words' }));
  if (unread.length === 0) {
    if (lines.length > 1) return { kind: 'several', lines };
    const [only] = lines;
    return linesOf(whole).includes(only ?? '')
      ? whole
      : (understood.find(({ decision }) => linesOf(decision).includes(only ?? ''))?.decision ?? whole);
  }
  const [best] = linesOf(whole);
  const isInWhole = best !== undefined && namesIn(heard).every((name) => best.split(' ').includes(name));
  return isInWhole && (lines.includes(best) || !lines.some((line) => commandOf(line) !== commandOf(best)))
    ? whole
    : { kind: 'offer', lines, unread };
}

const commandOf = (line: string): string | undefined => line.split(' ')[0];

function linesOf(decision: Decision): readonly string[] {
  if (decision.kind === 'run') return [decision.line];
  if (decision.kind !== 'propose') return [];
  return decision.isEach === true ? decision.lines : [decision.lines[0]];
}
