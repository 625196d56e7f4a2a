/** This feed reports projects that enter or leave a saved screen. It uses values that checks of the projects have read. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { HOUR, later, MINUTE } from '../base/clock.js';
import type { Line } from '../chat/reply.js';
import { decimal, decimalSchema, instantSchema, slugSchema, type Decimal, type Instant, type Slug } from '../domain/scalars.js';
import type { Measure } from '../domain/measures.js';
import type { FeedEvent } from '../domain/event.js';
import { isScreenField, membershipOf, screenTests, screenValueText, type ScreenTest } from '../domain/screen.js';
import { offered, type AlertKind } from './alert-kind.js';
import { defineFeed } from './feed.js';
import { SAMPLE } from '../domain/sample-project.js';

const ID = 'screens';

const watermarkSchema = z.object({
  /** The membership of each project, by slug. A project whose values are not known is absent. */
  projects: z.record(z.string(), z.enum(['in', 'out'])),
});
export type ScreenWatermark = z.infer<typeof watermarkSchema>;

const factsSchema = z.object({
  name: z.string(),
  symbol: z.string().optional(),
  screen: z.string(),
  values: z.array(z.object({ field: z.string(), value: decimalSchema, at: instantSchema })).readonly(),
});
type Facts = z.infer<typeof factsSchema>;

/** A project with the values that checks have read. */
export interface ScreenedProject {
  readonly slug: Slug;
  readonly name: string;
  readonly symbol?: string | undefined;
  readonly values: Readonly<Partial<Record<Measure, { readonly value: Decimal; readonly at: Instant }>>>;
}

const alerts: AlertKind<Facts> = {
  words: ['screen alert', 'screen alerts'],
  rank: 'moved',
  stages: {
    entered: offered('moved', 'project entered a screen', 'projects entered a screen'),
    left: offered('moved', 'project left a screen', 'projects left a screen'),
  },
  stageGroups: {},
  filters: ['stages'],
  measures: [],
  defaultRules: [],
  important: { says: 'projects that enter or leave it', filters: {}, thresholds: [] },
  most: { says: 'projects that enter or leave it', filters: {}, thresholds: [] },
  sound: 'rings',
  size: () => ({ noun: 'change' }),
  offers: { example: 'stages:entered', hint: 'stages entered', percents: [], thresholds: [], moves: [] },
};

export const screens = defineFeed<ScreenWatermark, readonly ScreenedProject[], Facts>({
  id: ID,
  summary: 'projects that enter or leave a saved screen',
  order: 95,
  alerts,
  scope: 'screen',
  every: 2,
  data: 'state',
  watermark: watermarkSchema,
  facts: factsSchema,

  // Screens are evaluated by their own job; the plan has no checks of this kind.
  async read() {
    return Promise.reject(new Error('A screen is evaluated by what checks of its projects have read.'));
  },

  history: { unavailable: 'The values of a screen have no common history, so who was in it is not known for the past.' },

  diff(subject, before, { data }) {
    const screen = typeof subject === 'object' && 'screen' in subject ? subject.screen : '';
    const tests = screenTests(screen);
    const projects = new Map(Object.entries(before?.projects ?? {}));
    const events = data.flatMap((project) => {
      const was = projects.get(project.slug);
      const is = membershipOf(tests, valuesOf(project), was);
      if (is !== undefined) projects.set(project.slug, is);
      // The first evaluation of a project only records its membership, and alerts nothing.
      return was === undefined || is === undefined || is === was ? [] : [eventOf(screen, tests, { project, is })];
    });
    return { watermark: { projects: Object.fromEntries(projects) }, events };
  },

  content({ facts, stage, project }) {
    const { name, screen, values } = facts;
    const verb = stage === 'left' ? 'left' : 'entered';
    const shown = values.flatMap(({ field, value }) => (isScreenField(field) ? [screenValueText(field, value)] : []));
    const oldest = values.toSorted((a, b) => a.at - b.at)[0];
    const newest = values.toSorted((a, b) => b.at - a.at)[0];
    const isOld = oldest !== undefined && newest !== undefined && newest.at - oldest.at > OLD && isScreenField(oldest.field);
    const age: readonly Line[] = isOld ? [[`${oldest.field} was read `, { at: oldest.at }]] : [];
    return {
      tone: verb === 'entered' ? 'up' : 'down',
      about: name,
      headline: [{ strong: `${name} ${verb} your screen ${screen}` }, shown.length === 0 ? '' : `: ${shown.join(', ')}`],
      details: age,
      actions: [
        { label: 'Screen', line: `/screen ${screen}` },
        { label: 'Project', line: `/project ${project}` },
      ],
      links: [],
    };
  },

  sample: (now) => ({
    id: 'screens/sample/1',
    topic: 'screens/sample/1',
    stage: 'entered',
    project: SAMPLE.slug,
    occurredAt: later(now, -MINUTE),
    facts: {
      name: SAMPLE.name,
      symbol: SAMPLE.symbol,
      screen: 'premium<-20 runway>12',
      values: [
        { field: 'premium', value: decimal('-21.3'), at: later(now, -MINUTE) },
        { field: 'runway', value: decimal('14'), at: later(now, -MINUTE) },
      ],
    },
  }),
});

/** A value read this much earlier than others in the alert is shown with its age. */
const OLD = HOUR;

export const valuesOf = ({ values }: Pick<ScreenedProject, 'values'>): Readonly<Partial<Record<Measure, Decimal>>> =>
  Object.fromEntries(Object.entries(values).map(([measure, { value }]) => [measure, value]));

/** Returns the key of a screen: a hash, because filters have characters that keys must not have. */
export const screenKey = (filter: string): string => hash('sha256', filter, 'base64url').slice(0, 16);

function eventOf(
  screen: string,
  tests: readonly ScreenTest[],
  { project: { slug, name, symbol, values }, is }: { readonly project: ScreenedProject; readonly is: 'in' | 'out' },
): Pick<FeedEvent, 'id' | 'topic' | 'stage' | 'project' | 'screen'> & { readonly facts: Facts } {
  const known = tests.flatMap(({ field, measure }) => {
    const found = values[measure];
    return found === undefined ? [] : [{ field, ...found }];
  });
  const topic = `${ID}/${screenKey(screen)}/${slug}`;
  const at = Math.max(0, ...known.map((one) => one.at));
  const stage = is === 'in' ? 'entered' : 'left';
  const facts: Facts = { name, ...(symbol === undefined ? {} : { symbol }), screen, values: known };
  return { id: `${topic}/${stage}/${at}`, topic, stage, project: slugSchema.parse(slug), screen, facts };
}
