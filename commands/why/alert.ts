/** Says why an alert was sent. */
import { z } from 'zod';
import { calledHere, targetName, type Entry } from '../../src/alerts/watchlist/entry.js';
import { editedAs } from '../../src/alerts/watchlist/exceptions.js';
import type { FeedEvent } from '../../src/domain/event.js';
import { contentOf } from '../../src/alerts/delivery/event-content.js';
import { dispositionLine, listName, type Disposition, type Explanation } from '../../src/alerts/explanation/explain.js';
import { reply, type ActionDraft, type Block, type Line, type Reply } from '../../src/chat/reply.js';
import { yearSpreadSchema, type Crossing } from '../../src/domain/crossing.js';
import { crossingWords } from '../../src/domain/crossing-words.js';
import { MEASURES } from '../../src/domain/measures.js';
import { duration, pointsText } from '../../src/domain/format.js';
import type { Instant } from '../../src/domain/scalars.js';
import { thresholdRuleLine } from '../../src/dispatch/watchlists/rule-text.js';
import type { Context } from '../../src/dispatch/context.js';
import { commandLine, counted, dotted, line } from '../../src/reply/index.js';
import { titleOf } from '../../src/dispatch/watchlists/targets.js';

const BECAUSE = 'You got this because this chat watches ';

const REMOVED = 'You got this because of an entry that has been removed from the watchlist';

const MAX_EVENTS = 10;

export async function alertPage(id: string, explanations: readonly Explanation[], context: Context): Promise<Reply> {
  const [first, ...others] = explanations;
  const all = { label: others.length < MAX_EVENTS ? 'History' : `Show all (${explanations.length})`, line: commandLine('history', id) };
  if (first === undefined) return reply({ finding: ['This alert is too old to explain: its events were deleted'], actions: [all] });
  const blocks = others.length === 0 ? alone(first, context.now) : several(explanations, context.now);
  const actions = [...edits(explanations), all];
  if (first.sample)
    return reply({
      finding: ['Sample requested with ', { code: '/alerts test' }, '; the data is invented'],
      blocks,
      actions,
    });
  const subjects = new Map(explanations.map((explanation) => [throughKey(explanation), explanation]));
  const [only = [], ...more] = await Promise.all([...subjects.values()].map(async (explanation) => throughOf(explanation, context)));
  if (more.length === 0) return reply({ finding: first.entry === undefined ? [REMOVED] : [BECAUSE, ...only], blocks, actions });
  const items = [only, ...more].slice(0, MAX_EVENTS).map((one) => ({ line: one }));
  return reply({
    finding: await watchedOf(explanations, context),
    blocks: [{ kind: 'list', items, more: subjects.size - items.length }, ...blocks],
    actions,
  });
}

const throughKey = ({ entry, event, rule }: Explanation): string => JSON.stringify([entry && targetName(entry.target), event.feed, rule]);

async function watchedOf(explanations: readonly Explanation[], context: Context): Promise<Line> {
  const entries = new Map(explanations.flatMap(({ entry }) => (entry === undefined ? [] : [[targetName(entry.target), entry] as const])));
  const [entry, ...others] = entries.values();
  const gone = explanations.some((explanation) => explanation.entry === undefined);
  if (entry === undefined) return [REMOVED];
  if (others.length === 0 && !gone) return [BECAUSE, { strong: calledHere(entry.target) ?? (await titleOf(entry.target, context)) }];
  return [
    `You got this because of ${counted(entries.size, 'watchlist entry', 'watchlist entries')}${gone ? ' and one that has been removed' : ''}`,
  ];
}

async function throughOf({ entry, event, rule }: Explanation, context: Context): Promise<Line> {
  if (entry === undefined) return [`Removed entry → ${event.feed}`];
  const exception = entry.exception?.rules?.[event.feed] === undefined ? '' : `, exception for ${entry.exception.project}`;
  const title = `${calledHere(entry.target) ?? (await titleOf(entry.target, context))}${exception}`;
  return [
    { strong: `${title} → ${event.feed}${rule === undefined ? '' : `, ${rule}`}` },
    ` (set by ${entry.by}, `,
    { at: entry.since },
    ')',
  ];
}

function alone(explanation: Explanation, now: Instant): readonly Block[] {
  const { tone, headline, details } = contentOf(explanation.event, { ...explanation, now });
  return reply({
    finding: [],
    blocks: [
      { kind: 'list', items: [{ tone, line: headline, ...(details.length === 0 ? {} : { detail: dotted(...details) }) }] },
      ...(explanation.corrected === undefined ? [] : [line(...explanation.corrected)]),
      ...spreadLines(explanation).map((one) => line(...one)),
      ...explanation.crossings.flatMap((crossing) => [line(...valuesOf(explanation.event.feed, crossing)), ...rearmLines(crossing)]),
      line(...whenOf(explanation)),
      ...listedLines(explanation).map((one) => line(...one)),
      line(...dispositionLine(explanation.disposition), ...togetherOf(explanation.disposition)),
      line('event ', { code: explanation.event.id }),
    ],
  }).blocks;
}

function several(explanations: readonly Explanation[], now: Instant): readonly Block[] {
  const items = explanations.slice(0, MAX_EVENTS).map((explanation) => ({
    line: explanation.headline,
    detail: dotted(
      ...(explanation.corrected === undefined ? [] : [explanation.corrected]),
      ...contentOf(explanation.event, { ...explanation, now }).details,
      ...spreadLines(explanation),
      ...explanation.crossings.map((crossing) => valuesOf(explanation.event.feed, crossing)),
      whenOf(explanation),
      ...listedLines(explanation),
    ),
  }));
  const disposition = explanations[0]?.disposition;
  return reply({
    finding: [],
    blocks: [
      { kind: 'list', items, more: explanations.length - items.length },
      ...(disposition === undefined ? [] : [line(...dispositionLine(disposition), ...togetherOf(disposition))]),
    ],
  }).blocks;
}

const ofYearSchema = z.object({ zScore: z.unknown(), year: yearSpreadSchema.optional() }).catch({ zScore: undefined });

/** Shows the mean and deviation with which the z-scores of an alert compare. */
function spreadLines({ event, crossings }: Explanation): readonly Line[] {
  const ofRules = crossings.flatMap(({ rule, zScore, year }) => (zScore === undefined ? [] : [{ measure: rule.measure, year }]));
  const { zScore, year: ofFacts } = ofYearSchema.parse(event.facts);
  const all = ofRules.length > 0 || zScore === undefined ? ofRules : [{ measure: 'premium' as const, year: ofFacts }];
  return all.flatMap(({ measure, year }) => {
    if (year === undefined) return [];
    const deviation = measure === 'premium' ? pointsText(year.deviation) : MEASURES[measure].value(year.deviation);
    return [[`1Y mean ${MEASURES[measure].value(year.mean)}, deviation ${deviation} (${counted(year.count, 'value')})`]];
  });
}

const valuesOf = (kind: string, { rule, was, now, since, heldSince }: Crossing): Line => {
  const from = rule.when === 'move' || rule.when === 'change' ? since : was;
  return [
    ...thresholdRuleLine(kind, rule),
    ...(heldSince === undefined ? [] : [', beyond it since ', { at: heldSince }]),
    `: ${MEASURES[rule.measure].value(from.value)} `,
    { at: from.at },
    ` → ${MEASURES[rule.measure].value(now.value)} `,
    { at: now.at },
  ];
};

/** Returns "Re-arms above −8% (at most hourly)". */
function rearmLines(crossing: Crossing): readonly ReturnType<typeof line>[] {
  const { rearms } = crossingWords(crossing, { who: '' });
  return rearms === undefined ? [] : [line(rearms)];
}

function whenOf({ event, copyAge, late }: Explanation): Line {
  const { occurredAt, detectedAt } = event;
  return dotted(
    occurredAt === undefined ? undefined : ['Happened ', { at: occurredAt }],
    [
      occurredAt === undefined ? 'Detected ' : 'detected ',
      { at: detectedAt },
      ...(occurredAt === undefined || detectedAt < occurredAt ? [] : [` (${duration(detectedAt - occurredAt)} later)`]),
    ],
    copyAge === undefined ? undefined : copyAge < 1_000 ? 'live data' : `cached data, ${duration(copyAge)} old`,
    late === undefined ? undefined : LATE[late.because],
  );
}

/** Names the list of the service that caused the check. */
function listedLines({ event: { listed, checkedAt } }: Explanation): readonly Line[] {
  if (listed === undefined || checkedAt === undefined) return [];
  return [[`The ${listName(listed.list)} showed a change `, { at: listed.at }, '; confirmed ', { at: checkedAt }]];
}

const LATE = {
  service: 'late: the analytics service was down',
  bot: 'late: the bot was down',
  absence: 'late: the bot was not in this chat',
} as const satisfies Record<NonNullable<Explanation['late']>['because'], string>;

function togetherOf(disposition: Disposition): Line {
  if (!('together' in disposition) || (disposition.together === 1 && disposition.summary === undefined)) return [];
  const others = disposition.together - 1;
  return [
    others === 0 ? '' : `, with ${others} ${others === 1 ? 'other' : 'others'}`,
    disposition.summary === undefined ? '' : `, in the summary "${disposition.summary}"`,
  ];
}

/** Returns the target that the Mute button names: the alert's project, even if it comes through the entry for all projects. */
const mutedAs = ({ target }: Entry, { project }: Pick<FeedEvent, 'project'>): string =>
  target.kind === 'all' && project !== undefined ? project : targetName(target);

function edits(explanations: readonly Explanation[]): readonly ActionDraft[] {
  const lines = explanations.flatMap(({ entry, event }) =>
    entry === undefined ? [] : [[editedAs(entry, event.feed), event.feed, mutedAs(entry, event)] as const],
  );
  const [first] = lines;
  if (first === undefined) return [];
  const one = lines.every(([name, feed]) => name === first[0] && feed === first[1]);
  const [name, feed, mutes] = first;
  const isOneProject = lines.every((line) => line[2] === mutes);
  return [
    { label: 'Edit the rule', line: one ? commandLine('alerts', name, feed) : '/alerts' },
    ...(one ? [{ label: `Mute ${feed} 24 h`, line: commandLine('mute', isOneProject ? mutes : name, feed, '24h') }] : []),
  ];
}
