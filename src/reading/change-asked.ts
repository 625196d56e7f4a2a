/** Tells which change a text asks for. Lines that would do its opposite, or change much more than it names, are not offered. Pure. */
import { isReminderTime } from '../domain/reminder.js';
import type { Heard } from './heard.js';
import { lengthFrom, lengthPattern, minutesIn } from './lengths.js';

const STOPS =
  /^\W*(?:(?:please|pls|can you|could you|ok|hey|now|and)\W+)*(?:stop|quit|cancel|remove|delete|drop|kill|disable|clear|end|scrap|get rid of|take (?:off|away|down)|no (?:more|longer)|(?:turn|switch) (?:\S+ ){0,8}?off|unfollow|unwatch|untrack|unsubscribe)\b(?! loss)|\b(?:don['’]?t|do not|never|no longer)\b.*\b(?:any ?more|no more|no longer)\b|\b(?:remind|tell|alert|ping|notify|warn) (?:me|us) no more\b|^\W*(?:(?:please|pls)\W+)*(?:don['’]?t|do not|never)\s+(?:tell|alert|ping|notify|warn|message|remind)\b/iu;
/** "Don't alert me unless it is below -10" sets a rule, and so does "stop watching it, and tell me when". */
const SETS = /\b(?:unless|until|till?|except|instead|but|only|before|and (?:alert|tell|ping|notify|warn|set|add))\b/iu;

/** The words take away what they name. */
const isStop = (text: string): boolean => STOPS.test(text) && !SETS.test(text);

const OF_FOLLOWING =
  /^\W*(?:(?:please|pls|can you|could you|ok|hey|i want to|i'?d like to)\W+)*(?:(?:only|just)\s+)?(?:follow|watch|track|monitor|observe|keep (?:me|us) (?:posted|updated)|keep an eye)\b/iu;
const RULE = /^(\/alerts )((?!\S*[<>])\S+ )?((?:(?:premium|treasury|proposals) )?\S*[<>].*|.*\b(?:move|extreme|flip)\b.*)$/u;
/** What limits a rule is no part of its name. */
const LIMITS = / (?:once|for \d+\w+|until \S+|band [\d.]+)(?= |$)/gu;
const ONE_LAUNCH = /\b(?:launch|raise|ico|sale)\b(?!\s+(?:alerts?|news|updates?|pings?|messages?|notifications?))/iu;

/** The words ask for no more alerts: "don't alert me about tide", "stop pinging us about votes". */
const NOT_TOLD =
  /^\W*(?:(?:please|pls|can you|could you|ok|hey)\W+)*(?:(?:don['’]?t|do not|never)\s+(?:alert|ping|notify|message|msg|tell|warn|remind|bother|inform|update|spam|dm|text|send|show)|(?:stop|quit|no more)\s+(?:alerting|pinging|notifying|messaging|telling|warning|reminding|bothering|informing|updating|spamming|dming|texting|sending|pestering))\b/iu;

/** "Don't show me" and "don't send" may be about an answer; the other verbs refuse alerts, so no view answers them. */
const SHOWN = /\b(?:show|send|text)(?:ing)?\b/iu;
const OF_ALERTING = /^\/(?:unwatch|watch|alerts|mute|unmute|settings|remind|digest|pings|board|history|watchlist|privacy|help)\b/u;

const NAMES_RULE = /\b(?:rules?|thresholds?)\b/iu;

/** Which messages come of a proposal is changed by words that say so, not by any words about its project. */
const OF_UPDATES =
  /\b(?:updates?|messages?|msgs?|stages?|steps?|results?|outcomes?|decid\w+|decision|resolve[ds]?|over|ends?|ended|finish\w*|in between|blow by blow|proposals?|props?|votes?)\b/iu;

const ASKS_REMINDER = /^\W*(?:(?:please|pls|can you|could you|ok|hey)\W+)*(?:remind (?:me|us)|(?:set|add) (?:a |me a )?reminder)\b/iu;

/** The words take away a rule without saying whose: "remove the -10 rule". */
export const isRuleOfNobody = ({ text, projects, wallets, keys, has }: Heard): boolean =>
  isStop(text) && NAMES_RULE.test(text) && projects.length + wallets.length + keys.length === 0 && !has('everything');

/** The words name something else than the line would end: "stop the board" ends no alerts. */
const isOther = (line: string, { text, has }: Heard): boolean =>
  line === '/unwatch all'
    ? /\b(?:boards?|digests?|rules?|thresholds?)\b/iu.test(text) && !has('everything')
    : line === '/board off' && !/\bboards?\b|\b(?:un)?pin\w*\b|\bprices?\b/iu.test(text);

/** The line as the words mean it; undefined where it would do the opposite, or much more. */
export function asAsked(line: string, heard: Heard): string | undefined {
  const { text, projects } = heard;
  const isStopped = isStop(text);
  if (isStopped && isOther(line, heard)) return undefined;
  if (!isStopped && ASKS_REMINDER.test(text) && /^\/remind\b.* off$/u.test(line)) return undefined;
  if (line.startsWith('/board ') && /\bboard off\b/iu.test(text)) return '/board off';
  if (/ updates:/u.test(line) && !OF_UPDATES.test(text)) return undefined;
  const [, alerts, target = '', rule] = RULE.exec(line) ?? [];
  if (isStopped && alerts !== undefined && rule !== undefined) {
    if (/\b(?:remove|off|usual|undo)\b/u.test(rule)) return line;
    if (/\b(?:backtest|test|replay|preview)\b/u.test(rule)) return undefined;
    return `${alerts}${target}remove ${rule.replaceAll(LIMITS, '')}`;
  }
  if (NOT_TOLD.test(text) && !SETS.test(text)) {
    if (line.startsWith('/why') || (!SHOWN.test(text) && !OF_ALERTING.test(line))) return undefined;
    if (line.startsWith('/watch ')) return asAsked(line.replace(/^\/watch (\S+) dm$/u, '/watch $1').replace('/watch', '/unwatch'), heard);
    if (/^\/alerts .* on$/u.test(line)) return line.replace(/ on$/u, ' off');
  }
  if (line.startsWith('/unwatch proposal ') && !isStopped && OF_FOLLOWING.test(text))
    return asAsked(line.replace('/unwatch', '/watch'), heard);
  if (line.startsWith('/watch proposal ') && isStopped) return asAsked(line.replace('/watch', '/unwatch'), heard);
  // A screen is of all projects, and leaves out the one that was named.
  if (line.startsWith('/watch screen ') && projects.length > 0) return undefined;
  const [project] = projects;
  if (isStopped && project !== undefined && ONE_LAUNCH.test(text) && line === `/unwatch ${project.project.slug}`)
    return `/unwatch launch ${project.project.slug}`;
  const vote = oneVote(heard);
  if (vote !== undefined) return ofOneVote(line, vote, heard);
  // "Watch tide votes" names no single one.
  return project === undefined ? line : line.replace(/^(\/(?:un)?watch) proposal (\S+)$/u, '$1 $2');
}

/** Makes a change of the whole project, or of all proposals, one of the vote that the words name. */
function ofOneVote(line: string, title: string, { projects, keys }: Heard): string | undefined {
  const slug = projects[0]?.project.slug;
  if (/^\/(?:un)?watch all$/u.test(line)) return undefined;
  const named = ['proposal', slug, title].filter((part) => part !== undefined && part !== '').join(' ');
  if (slug !== undefined && (line === `/watch ${slug}` || line === `/unwatch ${slug}`)) return `${line.slice(0, -slug.length)}${named}`;
  const [, command, rest = ''] = /^\/(mute|unmute)(?: (.*))?$/u.exec(line) ?? [];
  if (command === undefined || keys.length > 0) return line;
  const time = rest
    .split(' ')
    .filter((word) => ![slug, 'proposals', 'all', ''].includes(word))
    .join(' ');
  return [`/${command}`, named, time].filter((part) => part !== '').join(' ');
}

const VOTE = /^(?:vote|proposal|prop|ballot|market|referendum)$/u;
const OF_ALERTS = /^(?:alerts?|pings?|messages?|noise|stuff|news|updates?|notifications?|spam|kind|markets?|things?)$/u;
const ALL = /\b(?:all|any|every|each|everything|new|next|live|open)\b/iu;
const ONE = /^(?:the|that|this)$/u;
/** The value is in words before "vote". */
const MAX_TITLE = 5;

/** Returns the words of the title of the one vote that the text names, which may be none: "the tide vote". Undefined for no single vote. */
function oneVote({ text, words, projects }: Heard): string | undefined {
  if (ALL.test(text)) return undefined;
  const noun = words.findIndex(({ token }, at) => VOTE.test(token.word) && !OF_ALERTS.test(words[at + 1]?.token.word ?? ''));
  const isProject = (at: number): boolean => projects.some(({ from, to }) => at >= from && at < to);
  const title: string[] = [];
  let isOne = false;
  for (let at = noun - 1; at >= Math.max(0, noun - 1 - MAX_TITLE); at -= 1) {
    const { word } = words[at]?.token ?? { word: '' };
    if (isProject(at) || ONE.test(word)) isOne = true;
    else if (/^an?$/u.test(word)) return undefined;
    else if (words[at]?.concepts.some((concept) => ['follow', 'mute', 'unmute', 'stop', 'alert'].includes(concept)) === true) break;
    else if (!NO_TITLE.test(word)) title.unshift(word);
    if (ONE.test(word)) break;
  }
  if (!isOne || (title.length === 0 && (projects.length === 0 || words[noun]?.token.word === 'market'))) return undefined;
  return title.join(' ');
}

const NO_TITLE =
  /^(?:of|a|an|the|pass|passing|fail|failing|price|margin|volume|decision|prediction|current|latest|last|first|one|whole|same|other|worth|stake|traders|trades|on|in|for|to|is|whole|governance|futarchy)$/u;

/** The words give one vote a rule, which needs its public key. */
export const needsKeyOfVote = (heard: Heard, rule: string | undefined): boolean =>
  heard.keys.length === 0 &&
  heard.projects.length === 0 &&
  heard.wallets.length === 0 &&
  rule?.startsWith('proposals ') === true &&
  (oneVote(heard) ?? '') !== '';

const SUPERLATIVE = /est$|^(?:most|top|worst|main|other)$/u;

/** Returns a search for the vote that a question names by its title: "how much volume does the charter vote have". Empty for no such question. */
export function linesOfVote(heard: Heard): readonly string[] {
  const { keys, projects, wallets, words } = heard;
  if (keys.length + projects.length + wallets.length > 0) return [];
  const isOfAlerts = words.some(({ concepts }) => ['alert', 'mute', 'unmute', 'follow', 'stop'].some((one) => concepts.includes(one)));
  const title = isOfAlerts ? '' : (oneVote(heard) ?? '');
  if (title === '' || title.split(' ').every((word) => SUPERLATIVE.test(word))) return [];
  return [`/proposals ${title.includes(' ') ? `"words:${title}"` : `words:${title}`}`];
}

/** The words ask for a reminder of one vote by its title. Without a key it would be one of every vote. */
export const isReminderOfVote = (heard: Heard): boolean =>
  ASKS_REMINDER.test(heard.text) &&
  heard.keys.length === 0 &&
  heard.projects.length === 0 &&
  heard.wallets.length === 0 &&
  (oneVote(heard) ?? '') !== '';

/** A reminder comes a given time before an end. It cannot be set for a chosen time. */
export const isUntimely = ({ text, times: { future, clock, weekday } }: Heard): boolean =>
  /^\s*(?:please |pls |can you |could you )?remind (?:me|us)\b/iu.test(text) &&
  (future !== undefined || clock !== undefined || weekday !== undefined) &&
  !/\b(?:before|ahead|prior|ends?|closes?|ending|closing|unlocks?|if|when)\b/iu.test(text);

const LENGTH = new RegExp(String.raw`(?<![$.,\d])\b(?:${lengthPattern()}|(\d{1,4}) ?s(?:ec(?:ond)?s?)?)\b`, 'iu');

/** Returns the time before an end for which a reminder is asked, if no reminder comes that early or that late. */
export function outsideReminders(text: string): string | undefined {
  if (!/\bremind(?:er)?\b/iu.test(text) || !/\b(?:before|ahead|prior)\b/iu.test(text)) return undefined;
  const found = LENGTH.exec(text);
  if (found === null) return undefined;
  const length = lengthFrom(found.slice(1, 4), { m: 'minutes' });
  return isReminderTime(length === undefined ? 0 : minutesIn(length)) ? undefined : found[0];
}
