/** Which change was asked for: its opposite, and one of much more than was named, is no reading. Pure. */
import type { Heard } from './heard.js';

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

/** The line as the words mean it; undefined where it would do the opposite, or much more. */
export function asAsked(line: string, heard: Heard): string | undefined {
  const { text, projects } = heard;
  const isStopped = isStop(text);
  const [, alerts, target = '', rule] = RULE.exec(line) ?? [];
  if (isStopped && alerts !== undefined && rule !== undefined) {
    if (/\b(?:remove|off|usual|undo)\b/u.test(rule)) return line;
    if (/\b(?:backtest|test|replay|preview)\b/u.test(rule)) return undefined;
    return `${alerts}${target}remove ${rule.replaceAll(LIMITS, '')}`;
  }
  if (line.startsWith('/unwatch proposal ') && !isStopped && OF_FOLLOWING.test(text)) return line.replace('/unwatch', '/watch');
  if (line.startsWith('/watch proposal ') && isStopped) return line.replace('/watch', '/unwatch');
  if (/^\/(?:un)?watch all$/u.test(line) && oneVote(heard) !== undefined) return undefined;
  // A screen is of all projects, and leaves out the one that was named.
  if (line.startsWith('/watch screen ') && projects.length > 0) return undefined;
  const [project] = projects;
  if (isStopped && project !== undefined && ONE_LAUNCH.test(text) && line === `/unwatch ${project.project.slug}`)
    return `/unwatch launch ${project.project.slug}`;
  return line;
}

const VOTE =
  /\b(?:vote|proposal|prop|ballot|market)\b(?:['’]s)?(?!\s+(?:alerts?|pings?|messages?|noise|stuff|news|updates?|notifications?|spam|kind))/iu;
const ALL = /\b(?:all|any|every|each|everything|new|next|live|open)\b/iu;

/** The title of the one vote that the words name. */
function oneVote(heard: Heard): string | undefined {
  const { text } = heard;
  if (!VOTE.test(text) || ALL.test(text)) return undefined;
  const [, before = ''] = /\b(?:the|that|this)\s+((?:[\p{L}\d-]+\s+){1,4})(?:vote|proposal|prop|ballot|market)\b/iu.exec(text) ?? [];
  const named = before.trim().toLowerCase();
  const own = heard.projects.flatMap(({ from, to }) => heard.words.slice(from, to).map(({ token }) => token.word));
  const title = named.split(/\s+/u).filter((word) => word !== '' && !own.includes(word) && !NO_TITLE.test(word));
  return title.length === 0 ? undefined : title.join(' ');
}

const NO_TITLE =
  /^(?:of|a|an|the|pass|passing|fail|failing|price|margin|volume|decision|prediction|current|latest|last|first|one|whole|same|other|worth|stake|traders|trades|on|in|for|to|is|whole|governance|futarchy)$/u;

const MUTES = /^\W*(?:(?:please|pls|can you|could you)\W+)*(?:mute|silence|snooze|pause|hush|shush|quiet)\b/iu;

/** The words mute one vote, or give it a rule: both need its public key. */
export const needsKeyOfVote = (heard: Heard, rule: string | undefined): boolean =>
  heard.keys.length === 0 &&
  oneVote(heard) !== undefined &&
  (MUTES.test(heard.text) || (heard.projects.length === 0 && heard.wallets.length === 0 && rule?.startsWith('proposals ') === true));
