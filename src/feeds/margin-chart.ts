/** This module draws the course of a market's margin, for its live message. */
import { capitalised } from '../base/sentence-lists.js';
import type { ChartDraft } from '../chat/chart.js';
import { marginOf, verdict } from '../domain/market-phase.js';
import type { Instant } from '../domain/scalars.js';
import { hoursOrDays, type ProposalFacts } from './proposal-content.js';

/** Two values are a straight line, which says no more than the text. */
const MIN_VALUES = 3;

/** Draws the past margins and the one at `at`, or at the end of a market that is over. Undefined for too few values. */
export function marginChart(stage: string, facts: ProposalFacts, at: Instant): ChartDraft | undefined {
  const { margins = [], endsAt } = facts;
  const margin = marginOf(facts);
  const until = endsAt !== undefined && endsAt < at ? endsAt : at;
  if (margin === undefined) return undefined;
  // A margin that did not change is not remembered again, so the line is drawn on to the time of the check.
  const course = [...margins.filter(([moment]) => moment < until), [until, margin] as const];
  const [first, end] = [course[0], course.at(-1)];
  if (first === undefined || end === undefined || course.length < MIN_VALUES) return undefined;
  const phase = stage === 'passed' || stage === 'failed' ? stage : 'live';
  return {
    kind: 'xy',
    isLow: true,
    title: `${capitalised(verdict(phase, margin))} · last ${hoursOrDays(end[0] - first[0])}`,
    series: [
      { name: 'margin', draw: 'line', unit: 'points', points: course.map(([moment, value]) => [moment, Number(value)]) },
      { name: 'pass threshold', draw: 'line', unit: 'points', tone: 'quiet', points: course.map(([moment]) => [moment, 0]) },
    ],
    gap: true,
    // The axis has the signs too, so the sides can be distinguished without their colours.
    gapNames: { up: 'passing (+)', down: 'failing (−)' },
  };
}
