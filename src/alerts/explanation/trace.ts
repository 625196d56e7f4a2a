/** How far news of a kind gets on its way from the service to a chat, step by step in the order of the way. Pure. */
import type { Line } from '../../chat/reply.js';
import { calledHere, targetName, type Entry } from '../watchlist/entry.js';
import { gapOf, isAbsent, type LookRecord, type Overdue } from '../checks/check-records.js';
import { filterWords, wanted } from '../rules/rule.js';
import { fateLine, problemWords, type Fate } from './disposition.js';
import type { Story } from './explanation.js';

/** One step of the way. The first that is not ok is the answer, and the way ends there; of several lines of figures all are named. */
export interface Step {
  /** Watched here? Looked at? Every row readable? Changed, or a line crossed? Since the watch began? Through the filter? Not held back? Sealed into a message? Arrived? */
  readonly name: 'watched' | 'looked' | 'readable' | 'changed' | 'since' | 'filter' | 'muted' | 'grouped' | 'sent';
  readonly ok: boolean;
  /** A phrase that stands alone, such as "not looked at yet". */
  readonly says: Line;
}

export interface Way {
  readonly feed: string;
  readonly steps: readonly Step[];
}

export interface Walked {
  readonly feed: string;
  /** The entry that decides. */
  readonly entry: Entry | undefined;
  readonly look: LookRecord | undefined;
  /** The first check since the chat came back has yet to come, in words. Absent: it has come. */
  readonly nextCheck?: Line | undefined;
  /** Which time was not checked, and what is lost by it, in words. */
  readonly unchecked?: Line | undefined;
  /** Whether its check waits for its turn for long. */
  readonly overdue?: Overdue | undefined;
  /** What rules on figures made of the last reading; empty for a kind that has none. */
  readonly figures: readonly Step[];
  /** Whether nothing but lines of figures is told of this kind. */
  readonly onlyFigures: boolean;
  /** The latest news of it. */
  readonly story: Story | undefined;
}

const yes = (name: Step['name'], ...says: Line): Step => ({ name, ok: true, says });
const no = (name: Step['name'], ...says: Line): Step => ({ name, ok: false, says });

export function stepsOf({ feed, entry, look, nextCheck, unchecked, overdue, figures, onlyFigures, story }: Walked): readonly Step[] {
  if (entry === undefined) return [no('watched', 'this chat does not watch it')];
  if (entry.off.includes(feed)) return [no('watched', `${feed} is switched off here, through ${nameOf(entry)}`)];
  const watched = yes('watched', `through ${nameOf(entry)}, since `, { at: entry.since });
  const looked = nextCheck === undefined ? lookedStep(look, overdue) : no('looked', ...nextCheck);
  // Whether anything changed that could not be looked at is not known; what is on its way was seen before.
  if (look?.okAt === undefined || (!looked.ok && !(story !== undefined && isOnItsWay(story)))) return [watched, looked];
  const before = [watched, looked.ok ? looked : yes('looked', 'what is on its way was seen, before ', ...looked.says)];
  const rest = onlyFigures ? ofFigures({ feed, figures, story }) : ofEvents({ figures, story });
  const gap = gapOf(look);
  const missing: Line = [...(gap === undefined ? [] : [gap]), ...(gap && unchecked ? ['; '] : []), ...(unchecked ?? [])];
  if (missing.length === 0) return [...before, yes('readable', 'every row was read'), ...rest];
  // News that was read and ended further on is the answer; where there is none, it may stand in what was not read.
  const hasAnswer = story !== undefined || (gap === undefined && onlyFigures);
  if (!hasAnswer || rest.every(({ ok }) => ok)) return [...before, no('readable', ...missing)];
  return [...before, yes('readable', `${story === undefined ? 'every row was read' : 'the latest news was'} (`, ...missing, ')'), ...rest];
}

/** Lines that are not crossed are the answer, unless an alert is still on its way. */
function ofFigures({ feed, figures, story }: Pick<Walked, 'feed' | 'figures' | 'story'>): readonly Step[] {
  if (story !== undefined && isOnItsWay(story))
    return [yes('changed', 'last crossed a line ', { at: story.event.seenAt }), ...onwards(story)];
  if (figures.length === 0) return [no('changed', `no line is set for ${feed} here, so nothing of it is told`)];
  const crossed = figures.filter(({ ok }) => ok);
  return crossed.length === 0 ? figures : [...crossed, ...(story === undefined ? [] : onwards(story))];
}

const isOnItsWay = ({ fate }: Story): boolean => fate.kind === 'waiting' || fate.kind === 'under way';

/** Where all that happened was told, lines of figures may be what is asked about. */
function ofEvents({ figures, story }: Pick<Walked, 'figures' | 'story'>): readonly Step[] {
  if (story === undefined) return [no('changed', 'nothing has changed since it was first looked at'), ...figures];
  const steps = [yes('changed', 'last seen to change ', { at: story.event.seenAt }), ...onwards(story)];
  return steps.every(({ ok }) => ok) ? [...steps, ...figures] : steps;
}

const nameOf = ({ target }: Entry): string => calledHere(target) ?? targetName(target);

/** The steps of news that was seen, from "since" on. */
function onwards(story: Story): readonly Step[] {
  const { fate, event, entry } = story;
  if (fate.kind === 'not told') return notTold(story, fate);
  const steps = [
    ...(entry === undefined || event.occurredAt === undefined || event.occurredAt < entry.since
      ? []
      : [yes('since', 'from ', { at: event.occurredAt }, ', and the watch began ', { at: entry.since })]),
    yes('filter', story.rule === undefined ? 'everything of its kind is told' : `through “${story.rule}”`),
  ];
  if (fate.kind === 'waiting' && fate.hold !== undefined)
    return [...steps, no('muted', `${fate.hold.says}; it is told `, { at: fate.hold.until })];
  steps.push(yes('muted', 'nothing holds it back'));
  if (fate.kind === 'waiting') return [...steps, no('grouped', ...groupedLine(fate))];
  if (fate.kind === 'given up') return [...steps, no('sent', ...fateLine(fate))];
  const others = fate.together - 1;
  const alone = others === 0 ? 'in a message of its own' : `in one message with ${others} ${others === 1 ? 'other' : 'others'}`;
  steps.push(yes('grouped', fate.summary === undefined ? alone : `${alone}: “${fate.summary}”`));
  const isSent = fate.kind === 'sent';
  return [...steps, isSent ? yes('sent', ...fateLine(fate)) : no('sent', ...sentLine(fate))];
}

function sentLine(fate: Extract<Fate, { kind: 'under way' | 'maybe sent' }>): Line {
  if (fate.kind === 'maybe sent' || fate.problem === undefined) return fateLine(fate);
  return [`${problemWords(fate.problem)} (attempt ${fate.attempts}); next try `, { at: fate.nextAt }];
}

function groupedLine(fate: Extract<Fate, { kind: 'waiting' }>): Line {
  const { late, behind, queuedAt } = fate;
  if (behind?.problem !== undefined) return fateLine(fate);
  return [
    late === undefined
      ? 'queued to be told together with what else happens in these seconds; queued '
      : 'queued for the summary of what happened meanwhile, which waits until nothing more comes; queued ',
    { at: queuedAt },
  ];
}

/** Steps before the one at which it ended are fine. */
function notTold({ event, entry, rule }: Story, fate: Extract<Fate, { kind: 'not told' }>): readonly Step[] {
  const { at, because, since } = fate;
  const line: Line =
    since === undefined ? [because] : [`${because}: from `, { at: event.occurredAt ?? event.seenAt }, ', watched since ', { at: since }];
  if (at === 'watched' || at === 'changed' || at === 'since') return [no(at, ...line)];
  const dated = entry !== undefined && event.occurredAt !== undefined;
  const after = dated
    ? [yes('since', 'from ', { at: event.occurredAt ?? event.seenAt }, ', and the watch began ', { at: entry.since })]
    : [];
  if (at === 'filter') return [...after, no('filter', ...line)];
  return [...after, yes('filter', rule === undefined ? 'everything of its kind is told' : `through “${rule}”`), no('grouped', ...line)];
}

function lookedStep(look: LookRecord | undefined, overdue: Overdue | undefined): Step {
  if (look === undefined)
    return overdue === undefined
      ? no('looked', 'not looked at yet')
      : no('looked', 'not checked yet: checks are running late, and this one is waiting since ', { at: overdue.since });
  if (isAbsent(look)) return no('looked', `the service has no ${look.feed} data for it; last asked `, { at: look.triedAt });
  if (look.failures === 0 && overdue !== undefined)
    return no('looked', 'checks are running late: this one is due since ', { at: overdue.since }, ', last checked ', { at: look.triedAt });
  if (look.failures === 0) return yes('looked', 'last looked ', { at: look.triedAt });
  const last: Line = look.okAt === undefined ? [', and it never succeeded yet'] : ['; it last succeeded ', { at: look.okAt }];
  const many = look.failures === 1 ? 'look' : `${look.failures} looks`;
  return no('looked', `the last ${many} failed: ${troubleWords(look.problem)}`, ...last);
}

const TROUBLES: Readonly<Record<string, string>> = {
  unreachable: 'the service is not answering',
  timeout: 'the service did not answer in time',
  limited: 'the service asks to wait',
  forbidden: 'your plan does not include it',
  'key-refused': 'the service does not accept the key',
  rejected: 'the service did not accept the question',
  malformed: 'the answer cannot be read',
  'budget-spent': 'this month’s requests are used up',
  internal: 'a mistake of the bot’s own; its log says more',
};

const troubleWords = (problem: string | undefined): string => TROUBLES[problem ?? ''] ?? problem ?? 'nobody knows why';

/** What an entry lets through of a kind, in words; undefined where everything is told. */
export function currentRule(entry: Entry | undefined, feed: string): string | undefined {
  const words = entry === undefined ? '' : filterWords(wanted(entry.rules, feed).filters);
  return words === '' ? undefined : words;
}
