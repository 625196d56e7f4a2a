/** Splits sentences that ask for several things: "mute tide and heron", "mute tide and show heron premium", "watch all except tide". Pure. */
import { ruleIn } from './alert-rules.js';
import { bandIn } from './filter-rules.js';
import { hear, type ChatWorld, type Heard, type Vocabulary } from './heard.js';

/** What was said and no line covers: unknown words, an impossible time, conditions that cannot be joined, exceptions, waits. */
export interface Unread {
  readonly text: string;
  readonly is: 'words' | 'time' | 'condition' | 'exception' | 'reminder' | 'ahead' | 'vote' | 'vote-reminder' | 'count' | 'whose' | 'page';
}

/** Lists of all events, the latest first, which take no time. */
const TIMELESS = /^\/(?:supply \S+ events|movements \S+|history|counterparties \S+)(?: \d+)?$/u;

/** Tells whether the line leaves out a past time: its list shows all times. */
export const leavesOutTime = (line: string): boolean => TIMELESS.test(line);

const MAX_EACH = 4;
const MAX_PARTS = 3;

const KINDS = ['supply', 'proposals', 'launches', 'growth', 'premium', 'treasury', 'movements', 'vesting'];
const KIND_WORDS: ReadonlyMap<string, string> = new Map([
  ...KINDS.map((kind) => [kind, kind] as const),
  ['proposal', 'proposals'],
  ['launch', 'launches'],
  ['votes', 'proposals'],
  ['payments', 'movements'],
] as const);

/** Returns the alert kinds that are listed together, as in "supply and growth". Empty for a single one. */
function kindsNamed({ words }: Heard): readonly string[] {
  for (let at = 0; at < words.length; at += 1) {
    const kinds: string[] = [];
    for (let next = at; next < words.length; next += 1) {
      const word = words[next]?.token.word ?? '';
      const kind = KIND_WORDS.get(word);
      if (kind !== undefined) kinds.push(kind);
      else if (kinds.length === 0 || !/^(?:and|n|plus|also|the|alerts?)$/u.test(word)) break;
    }
    if (new Set(kinds).size > 1) return [...new Set(kinds)];
  }
  return [];
}

/** Makes a line for each item of "watch tide and alder" or "mute supply and growth". Returns undefined if one line is enough. */
export function eachOf(line: string, heard: Heard): readonly [string, ...string[]] | undefined {
  const byProject = replaced([line], heard.isForEach ? [...new Set(heard.projects.map(({ project }) => String(project.slug)))] : []);
  const isOfKinds = /^\/(?:mute|unmute|alerts) /u.test(line) && !/[<>]/u.test(line);
  const [first, ...others] = replaced(byProject, isOfKinds ? kindsNamed(heard) : []).slice(0, MAX_EACH);
  return first === undefined || others.length === 0 ? undefined : [first, ...others];
}

/** Joins mutes of several projects until the same time, which one line can do: "/mute tide and alder 3d". */
export function oneMute(lines: readonly string[], { projects }: Heard): string | undefined {
  const parts = lines.map((line) => /^\/mute (\S+) (.*\d.*)$/u.exec(line));
  const rest = parts[0]?.[2];
  if (rest === undefined || new Set(parts.map((part) => part?.[1])).size < lines.length) return undefined;
  const isOfProjects = parts.every((part) => projects.some(({ project }) => String(project.slug) === part?.[1]));
  return isOfProjects && parts.every((part) => part?.[2] === rest)
    ? `/mute ${parts.map((part) => part?.[1] ?? '').join(' and ')} ${rest}`
    : undefined;
}

/** Returns each line once for each wanted word, which replaces the first one that the line has. */
function replaced(lines: readonly string[], wanted: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const own = line.split(' ');
    const at = own.findIndex((word) => wanted.includes(word));
    return wanted.length < 2 || at < 0 ? [line] : wanted.map((word) => own.with(at, word).join(' '));
  });
}

const CONNECTOR =
  /\s*[;.!?]\s+(?:(?:and|then|also|plus|but)\s+)*|\s*,?\s+(?:and then|and also|n also|but also|and|n|then|also|plus|but|together with|as well as|along with|\+)\s+/giu;
/** Matches how a separate request begins. "Which are cheap and are small" is a single request. */
const OPENS =
  /^(?:(?:please|pls|then|also|just|can you|could you)\s+)*(?:show|tell|give|list|compare|watch|unwatch|follow|unfollow|track|mute|unmute|silence|snooze|pause|alert|ping|notify|warn|remind|stop|set|turn|switch|add|remove|exclude|refresh|export|what(?:'?s)?|how|who|why)\b/iu;
const PRONOUN = /\b(?:it|its|they|their|them)\b/iu;
const CARRIES = /\b(mute|silence|snooze|pause|unmute|remind me|remind us)\b/iu;
/** With one of these words a question is about all the names together and is not split. */
const TOGETHER = /\b(?:compare|compared|vs|versus|against|better|difference|differ|than|between|except|besides|or)\b/iu;

/** Splits a text into its requests. Returns undefined for a single one. */
export function partsOf(heard: Heard): readonly string[] | undefined {
  const { text } = heard;
  const cuts: { readonly from: number; readonly to: number }[] = [];
  for (const { 0: whole, index } of text.matchAll(CONNECTOR)) {
    const to = index + whole.length;
    const left = text.slice(cuts.at(-1)?.to ?? 0, index);
    if (cuts.length < MAX_PARTS - 1 && isRequest(left, text.slice(to), heard)) cuts.push({ from: index, to });
  }
  if (cuts.length === 0) return undefined;
  const texts = [...cuts.map(({ from }, at) => text.slice(cuts[at - 1]?.to ?? 0, from)), text.slice(cuts.at(-1)?.to ?? 0)];
  return texts.map((part, at) => completed(part, texts[at - 1] ?? '', heard));
}

const projectsWithin = (text: string, { projects, words }: Heard): readonly string[] =>
  projects
    .filter(({ from, to }) =>
      text.includes(
        words
          .slice(from, to)
          .map(({ token }) => token.raw)
          .join(' '),
      ),
    )
    .map(({ project }) => String(project.slug));

function isRequest(left: string, right: string, heard: Heard): boolean {
  const [mine, theirs] = [projectsWithin(left, heard), projectsWithin(right, heard)];
  const isOpened = OPENS.test(right) && /\S+\s+\S+/u.test(right) && /\S+\s+\S+/u.test(left.trim());
  if (isOpened) return mine.length > 0 || OPENS.test(left.trim());
  const isOfBoth = theirs.length === 1 || (theirs.length === 0 && PRONOUN.test(right));
  if (TOGETHER.test(heard.text) || mine.length !== 1 || !isOfBoth) return false;
  // The second part may lack the verb: "mute tide for 2h and heron for 3d".
  if (CARRIES.test(left))
    return mine[0] !== theirs[0] && /\d|\b(?:until|till|tomorrow)\b/iu.test(left) && /\d|\b(?:until|till|tomorrow)\b/iu.test(right);
  // "Tide premium and heron runway" asks two questions.
  const [asks, wants] = [fieldsIn(left), fieldsIn(right)];
  return !CHANGES.test(left) && asks.length > 0 && wants.length > 0 && !wants.some((field) => asks.includes(field));
}

const CHANGES =
  /\b(?:watch|unwatch|follow|unfollow|track|stop|alert|alerts|ping|notify|warn|tell|remind|mute|set|add|remove|when|if|unless)\b/iu;
const FIELDS =
  /\b(?:premium|discount|nav|runway|treasury|price|supply|holders|proposals?|votes?|finances|revenue|growth|vesting|accounts|movements|legal|prem|disc|basis|odds|holdings|unlocks|mints|burns)\b/giu;
const fieldsIn = (text: string): readonly string[] => [...text.matchAll(FIELDS)].map(([field]) => field.toLowerCase());

/** Adds what only the earlier part says: the verb, or the project that "it" stands for. */
function completed(part: string, before: string, heard: Heard): string {
  if (before === '' || projectsWithin(part, heard).length > 1) return part;
  if (!OPENS.test(part)) {
    const verb = CARRIES.exec(before)?.[1];
    const [of] = projectsWithin(part, heard).length === 0 && PRONOUN.test(part) ? projectsWithin(before, heard) : [];
    return verb === undefined ? (of === undefined ? part : `${part} ${of}`) : `${verb} ${part}`;
  }
  const [subject] = projectsWithin(before, heard);
  const isAboutIt = PRONOUN.test(part) || (part.split(/\s+/u).length <= MAX_SHORT && !OF_ALL.test(part));
  return subject !== undefined && isAboutIt && projectsWithin(part, heard).length === 0 ? `${part} ${subject}` : part;
}

/** The value is in words. A part this short without a name is about the names of the part before. */
const MAX_SHORT = 6;
const OF_ALL =
  /\b(?:all|every|everything|any|top|list|which|projects|coins|tokens|watchlist|market|settings|digest|status|help|launches)\b/iu;

const EXCEPT = /\b(?:(?:except|but|excluding|without|besides|other than|apart from)(?: for| not)?)\s+/iu;

/** Makes two lines of "watch everything except tide". Returns undefined for other texts. */
export function allExcept({ text, projects }: Heard): readonly [string, ...string[]] | undefined {
  const cut = EXCEPT.exec(text);
  const slugs = [...new Set(projects.map(({ project }) => String(project.slug)))];
  if (cut === null || slugs.length === 0 || slugs.length >= MAX_EACH) return undefined;
  const isWatch = /\b(?:watch|follow|track|monitor|subscribe)\b/iu.test(text.slice(0, cut.index));
  const isNegated = /\b(?:unwatch|unfollow|stop|don'?t|not)\b/iu.test(text.slice(0, cut.index));
  const isAll = /\b(?:all|every|everything|each)\b/iu.test(text.slice(0, cut.index));
  return isWatch && isAll && !isNegated ? ['/watch all', ...slugs.map((slug) => `/unwatch ${slug}`)] : undefined;
}

/** Finds "except tide" in a text for which no line can leave something out. */
export function exceptionIn(text: string): string | undefined {
  const cut = /\b(?:except|besides|other than|apart from|all but|everything but|excluding)\b.*$/iu.exec(text);
  return cut === null ? undefined : cut[0].replace(/[.!?\s]+$/u, '');
}

export interface Conditions {
  readonly parts: readonly Heard[];
  readonly by: 'and' | 'or';
  /** The rule that joins all conditions, if one can. */
  readonly rule: string | undefined;
}

const MAX_CONDITIONS = 4;
const COMPARES = /\d|\b(?:nav|book|par|years?|months?)\b/iu;
const JOINS =
  /,?\s+(?:and|or|while|whilst|(?:(?:and|but) )?only (?:if|when|while)|(?:(?:and|but) )?(?:as|so) long as|provided(?: that)?)\s+/iu;
/** "And has 18 months of runway" beside another condition means that many or more. */
const HAS = /\b(has|have|with|holds|got|there(?:['’]?s| is| are))\s+(?=\d+\S*\s*(?:months?|years?)\b)(?!.*\b(?:left|only|just)\b)/iu;
const MEASURE = /\b(?:premium|discount|runway|price|margin|volume|traders|treasury|nav)\b/iu;

/** Parses each condition of "below nav or above 20%" alone and adds the measure that is named once. Undefined for one condition. */
export function conditionsOf(heard: Heard, world: ChatWorld, vocabulary: Vocabulary): Conditions | undefined {
  const { text, amounts, projects, wallets } = heard;
  if (amounts.length === 0 || amounts.length > MAX_CONDITIONS || /\bbetween\b/iu.test(text) || bandIn(heard) !== undefined)
    return undefined;
  const texts = text.split(JOINS).map((part, at) => (at === 0 ? part : part.replace(HAS, '$1 at least ')));
  if (texts.length < 2 || texts.length > MAX_CONDITIONS || !texts.every((part) => COMPARES.test(part))) return undefined;
  const measure = MEASURE.exec(texts[0] ?? '')?.[0];
  const parts = texts.map((part, at) => {
    const own = hear(
      at === 0 || measure === undefined || MEASURE.test(part) || /%|\bmonths?\b|\$/u.test(part) ? part : `${measure} ${part}`,
      world,
      vocabulary,
    );
    return { ...own, projects: own.projects.length === 0 ? projects : own.projects, wallets };
  });
  const rules = parts.map((part) => ruleIn(part));
  if (rules.some((rule) => rule === undefined || !/[<>]|\bmove\b/u.test(rule)) || new Set(rules).size < rules.length) return undefined;
  const isOfOne = parts.every((part) => part.projects[0]?.project === parts[0]?.projects[0]?.project);
  // A rule is about one project, so conditions on two projects become two rules.
  const by = /\sor\s/iu.test(text) || !isOfOne ? 'or' : 'and';
  const joined = by === 'and' ? joinedRule(rules.map((rule) => rule ?? '')) : undefined;
  const isOne = by === 'or' && isOfOne && new Set(rules.map((rule) => kindOf(rule ?? ''))).size === 1;
  return {
    parts,
    by,
    rule: isOne ? rules.map((rule, at) => (at === 0 ? rule : rule?.replace(/^(?:proposals|treasury) /u, ''))).join(' ') : joined,
  };
}

/** Matches a threshold with its limits, as in "premium<-10 for 6h". One rule can join several for one project. */
const JOINABLE = /^(?:treasury )?(premium|price24h|price|nav|runway|allowance)[<>]-?[\d.]+(?: (?:for \S+|once|until \S+|band \S+))*$/u;

/** Returns "premium<-10 and runway>12", or undefined if one rule cannot join them. */
function joinedRule(rules: readonly string[]): string | undefined {
  const measures = rules.map((rule) => JOINABLE.exec(rule)?.[1]);
  if (measures.includes(undefined) || new Set(measures).size < measures.length) return undefined;
  return rules.map((rule) => rule.replace(/^treasury /u, '')).join(' and ');
}

/** Returns the alert kind of a rule's measure. */
const kindOf = (rule: string): string =>
  /^(?:proposals|treasury|supply|movements|growth)\b/u.exec(rule)?.[0] ?? (rule.startsWith('nav') ? 'treasury' : 'premium');
