/** This module traces the events of a kind through the pipeline to a chat. It is pure. */
import { HOUR } from '../../base/clock.js';
import type { Line } from '../../chat/reply.js';
import { flipDelayWords, type FlipDelay } from '../../chat/status-strip.js';
import { momentOf } from '../../domain/event.js';
import { duration } from '../../domain/format.js';
import type { Instant } from '../../domain/scalars.js';
import { calledHere, shortName, targetName, type Entry } from '../watchlist/entry.js';
import { EXCLUDED } from '../watchlist/exceptions.js';
import { gapOf, isAbsent, type CheckRecord, type OverdueCheck } from '../checks/check-records.js';
import { isOff, rulesFor } from '../rules/presets.js';
import { filterText } from '../rules/rule.js';
import { dispositionLine, problemLine, type Disposition, type Explanation } from './disposition.js';

/** A step of a trace. The trace ends at the first step that is not ok; each threshold rule has a step of its own. */
export interface Step {
  readonly name: 'watched' | 'checked' | 'readable' | 'changed' | 'since' | 'filter' | 'muted' | 'grouped' | 'sent';
  readonly ok: boolean;
  /** Text such as "not checked yet". */
  readonly says: Line;
}

export interface Trace {
  readonly feed: string;
  readonly steps: readonly Step[];
}

/** How changes of a subject are noticed: by its own check or by a list for all projects. */
export interface Observed {
  /** Milliseconds between checks. */
  readonly every: number | undefined;
  /** The service's list for all projects that shows changes of the subject; undefined if there is none. */
  readonly list?:
    | { readonly name: string; readonly at: Instant | undefined; readonly state: 'shown' | 'omitted' | 'wrong' | 'unread' | 'failing' }
    | undefined;
  /** How late a flip can be seen on a plan with a monthly limit. */
  readonly flips?: FlipDelay | undefined;
}

export interface TraceInput {
  readonly feed: string;
  readonly entry: Entry | undefined;
  /** Only an exception keeps the project from being watched. */
  readonly isExcluded?: boolean;
  readonly record: CheckRecord | undefined;
  readonly nextCheck?: Line | undefined;
  /** Says which rows were not read and what was lost. */
  readonly unchecked?: Line | undefined;
  readonly overdue?: OverdueCheck | undefined;
  readonly observed?: Observed | undefined;
  readonly ruleSteps: readonly Step[];
  readonly onlyThresholds: boolean;
  readonly explanation: Explanation | undefined;
}

const yes = (name: Step['name'], ...says: Line): Step => ({ name, ok: true, says });
const no = (name: Step['name'], ...says: Line): Step => ({ name, ok: false, says });

export function stepsOf({
  feed,
  entry,
  isExcluded,
  record,
  nextCheck,
  unchecked,
  overdue,
  observed,
  ruleSteps,
  onlyThresholds,
  explanation,
}: TraceInput): readonly Step[] {
  if (entry === undefined) return [no('watched', isExcluded === true ? EXCLUDED : 'this chat does not watch it')];
  if (isOff(entry, feed))
    return [
      no('watched', `${feed} alerts are off for ${entry.exception?.modes?.[feed] === undefined ? nameOf(entry) : entry.exception.project}`),
    ];
  const watched = yes('watched', ...watchedLine(entry));
  const checkedNow =
    nextCheck === undefined
      ? checkedStep(record, { overdue, observed: flipsOf(entry, feed) ? observed : observed && { ...observed, flips: undefined } })
      : no('checked', ...nextCheck);
  // Without a successful check, changes are unknown, unless an event is being delivered.
  if (record?.okAt === undefined || (!checkedNow.ok && !(explanation !== undefined && isOnItsWay(explanation))))
    return [watched, checkedNow];
  const before = [watched, checkedNow.ok ? checkedNow : yes('checked', 'the event was detected, but ', ...checkedNow.says)];
  const rest = onlyThresholds ? thresholdSteps({ feed, ruleSteps, explanation }) : eventSteps({ ruleSteps, explanation });
  const gap = gapOf(record);
  const missing: Line = [...(gap === undefined ? [] : [gap]), ...(gap && unchecked ? ['; '] : []), ...(unchecked ?? [])];
  if (missing.length === 0) return [...before, yes('readable', 'every row was read'), ...rest];
  // A known event that stopped at a later step is the answer. Without one, the event may be in the rows that were not read.
  const hasAnswer = explanation !== undefined || (gap === undefined && onlyThresholds);
  if (!hasAnswer || rest.every(({ ok }) => ok)) return [...before, no('readable', ...missing)];
  return [
    ...before,
    yes('readable', `${explanation === undefined ? 'every row was read' : 'the latest event was'} (`, ...missing, ')'),
    ...rest,
  ];
}

function thresholdSteps({ feed, ruleSteps, explanation }: Pick<TraceInput, 'feed' | 'ruleSteps' | 'explanation'>): readonly Step[] {
  if (explanation !== undefined && isOnItsWay(explanation))
    return [yes('changed', 'last threshold crossing ', { at: explanation.event.detectedAt }), ...onwards(explanation)];
  if (ruleSteps.length === 0) return [no('changed', `no ${feed} threshold is set in this chat`)];
  const crossed = ruleSteps.filter(({ ok }) => ok);
  return crossed.length === 0 ? ruleSteps : [...crossed, ...(explanation === undefined ? [] : onwards(explanation))];
}

const isOnItsWay = ({ disposition }: Explanation): boolean => disposition.kind === 'waiting' || disposition.kind === 'under way';

function eventSteps({ ruleSteps, explanation }: Pick<TraceInput, 'ruleSteps' | 'explanation'>): readonly Step[] {
  if (explanation === undefined) return [no('changed', 'nothing has changed since the first check'), ...ruleSteps];
  const steps = [yes('changed', 'last change ', { at: explanation.event.detectedAt }), ...onwards(explanation)];
  return steps.every(({ ok }) => ok) ? [...steps, ...ruleSteps] : steps;
}

function watchedLine({ target, since, ...entry }: Entry): Line {
  if (target.kind !== 'market') return [`through ${nameOf({ ...entry, target, since })}, since `, { at: since }];
  const { title, endedAt } = target;
  const over: Line = endedAt === undefined ? [] : [', over since ', { at: endedAt }];
  return [`followed alone${title === undefined ? '' : ` ("${shortName(target)}")`}, since `, { at: since }, ...over];
}

const nameOf = ({ target }: Entry): string => calledHere(target) ?? targetName(target);

function onwards(explanation: Explanation): readonly Step[] {
  const { disposition, event, entry } = explanation;
  if (disposition.kind === 'not-alerted') return notAlerted(explanation, disposition);
  const steps = [
    ...(entry === undefined || event.occurredAt === undefined || event.occurredAt < entry.since
      ? []
      : [yes('since', 'from ', { at: event.occurredAt }, ', watched since ', { at: entry.since })]),
    yes('filter', explanation.rule === undefined ? 'no filter' : `through "${explanation.rule}"`),
  ];
  if (disposition.kind === 'waiting' && disposition.suppression !== undefined)
    return [...steps, no('muted', `${disposition.suppression.says}; will be sent `, { at: disposition.suppression.until })];
  steps.push(yes('muted', 'not muted'));
  if (disposition.kind === 'waiting')
    return [...steps, no(disposition.delay === undefined ? 'grouped' : 'sent', ...groupedLine(disposition))];
  if (disposition.kind === 'given up') return [...steps, no('sent', ...dispositionLine(disposition))];
  const others = disposition.together - 1;
  const isLive = disposition.kind === 'sent' && disposition.live === true;
  const alone = isLive
    ? 'in an earlier message, which was edited'
    : others === 0
      ? 'in its own message'
      : `in one message with ${others} ${others === 1 ? 'other' : 'others'}`;
  steps.push(yes('grouped', disposition.summary === undefined ? alone : `${alone}: "${disposition.summary}"`));
  const isSent = disposition.kind === 'sent';
  return [...steps, isSent ? yes('sent', ...dispositionLine(disposition)) : no('sent', ...sentLine(disposition))];
}

function sentLine(disposition: Extract<Disposition, { kind: 'under way' | 'maybe sent' }>): Line {
  if (disposition.kind === 'maybe sent' || disposition.problem === undefined) return dispositionLine(disposition);
  return [`${problemLine(disposition.problem, disposition)} (attempt ${disposition.attempts}); next try `, { at: disposition.nextAt }];
}

function groupedLine(disposition: Extract<Disposition, { kind: 'waiting' }>): Line {
  const { late, behind, delay, queuedAt, mayHaveArrived } = disposition;
  if (behind?.problem !== undefined || delay !== undefined || mayHaveArrived === true) return dispositionLine(disposition);
  return [
    late === undefined ? 'waiting a few seconds to group with other events; queued ' : 'waiting for the catch-up summary; queued ',
    { at: queuedAt },
  ];
}

function notAlerted({ event, entry, rule }: Explanation, disposition: Extract<Disposition, { kind: 'not-alerted' }>): readonly Step[] {
  const { at, because, since } = disposition;
  const line: Line = since === undefined ? [because] : [`${because}: from `, { at: momentOf(event) }, ', watched since ', { at: since }];
  if (at === 'watched' || at === 'changed' || at === 'since') return [no(at, ...line)];
  const dated = entry !== undefined && event.occurredAt !== undefined;
  const after = dated ? [yes('since', 'from ', { at: momentOf(event) }, ', watched since ', { at: entry.since })] : [];
  if (at === 'filter') return [...after, no('filter', ...line)];
  return [...after, yes('filter', rule === undefined ? 'no filter' : `through "${rule}"`), no('grouped', ...line)];
}

const flipsOf = (entry: Entry, feed: string): boolean => rulesFor(entry, feed).thresholds.some(({ when }) => when === 'flip');

function checkedStep(record: CheckRecord | undefined, { overdue, observed }: Pick<TraceInput, 'overdue' | 'observed'>): Step {
  if (record === undefined)
    return overdue === undefined
      ? no('checked', ...unvisitedLine(observed))
      : no('checked', 'not checked yet: checks are running late, and this one has been waiting since ', { at: overdue.since });
  if (isAbsent(record)) return no('checked', `the service has no ${record.feed} data for it; last checked `, { at: record.triedAt });
  if (record.failures === 0 && overdue !== undefined)
    return no('checked', 'checks are running late: this one was due ', { at: overdue.since }, ', last checked ', {
      at: record.triedAt,
    });
  const { flips } = observed ?? {};
  const flip = flips === undefined || !Number.isFinite(flips.within) ? [] : [`; a flip is seen ${flipDelayWords(flips)}`];
  if (record.failures === 0) return yes('checked', ...observedLine(record.triedAt, observed), ...flip);
  const last: Line = record.okAt === undefined ? ['; none succeeded yet'] : ['; last success ', { at: record.okAt }];
  const many = record.failures === 1 ? 'check' : `${record.failures} checks`;
  return no('checked', `the last ${many} failed: ${troubleWords(record.problem)}`, ...last);
}

/** Returns text such as "list of projects" for the name of a list. */
export const listName = (list: string): string => (list === 'markets' ? 'list of live markets' : `list of ${list}`);

/** A kind that is checked at least this often is first checked within minutes. */
const SOON = HOUR;

function unvisitedLine({ every, list }: Observed = { every: undefined }): Line {
  const wait = every !== undefined && every > SOON && Number.isFinite(every) ? `; the first check is made within ${duration(every)}` : '';
  if (list?.state !== 'shown' || list.at === undefined) return [`not checked yet${wait}`];
  return [`only seen in the ${listName(list.name)} `, { at: list.at }, wait];
}

const BY_ITSELF = {
  omitted: 'does not show it',
  wrong: 'was wrong about it',
  failing: "can't be read",
} as const;

function observedLine(checkedAt: Instant, observed: Observed | undefined): Line {
  const { list, every } = observed ?? {};
  if (list === undefined || list.state === 'unread' || list.at === undefined) return ['last checked ', { at: checkedAt }];
  if (list.state === 'shown')
    return [`seen in the ${listName(list.name)} `, { at: list.at }, ', confirmed by its own data ', { at: checkedAt }];
  const often = every === undefined || !Number.isFinite(every) ? '' : `, so it is checked by itself every ${duration(every)}`;
  return ['last checked ', { at: checkedAt }, `; the ${listName(list.name)} ${BY_ITSELF[list.state]}${often}`];
}

const TROUBLES: Readonly<Record<string, string>> = {
  unreachable: "the service isn't responding",
  timeout: 'the service took too long',
  limited: 'the service is rate limiting the bot',
  forbidden: 'your plan does not include it',
  'key-refused': 'the service rejected the API key',
  rejected: 'the service rejected the request',
  malformed: 'the data could not be read',
  'budget-spent': "this month's API budget is used up",
  internal: 'an internal error; see the log',
};

const troubleWords = (problem: string | undefined): string => TROUBLES[problem ?? ''] ?? problem ?? 'unknown reason';

export function currentRule(entry: Entry | undefined, feed: string): string | undefined {
  const words = entry === undefined ? '' : filterText(rulesFor(entry, feed).filters);
  return words === '' ? undefined : words;
}
