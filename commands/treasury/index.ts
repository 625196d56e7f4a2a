/** /treasury <project> [view] [at]: what backs a token. */
import { z } from 'zod';
import { defineCommand } from '../../src/dispatch/command.js';
import {
  UserError,
  choiceActions,
  commandLine,
  projectOption,
  earlierSnapshot,
  isoText,
  pastMoment,
  pastOption,
} from '../../src/reply/index.js';
import { allocation } from './allocation.js';
import { history } from './history.js';
import { holdings } from './holdings.js';
import { native } from './native.js';
import { nav } from './nav.js';
import { runway } from './runway.js';
import { summary } from './summary.js';
import type { TreasuryView } from './view.js';
import { reply } from '../../src/chat/reply.js';

const VIEWS = { summary, holdings, allocation, history, nav, runway, native } satisfies Record<string, TreasuryView>;
const NAMES = [
  'summary',
  'holdings',
  'allocation',
  'history',
  'nav',
  'runway',
  'native',
] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'treasury',
  summary: 'Treasury, NAV and runway of a project',
  args: z.object({
    project: projectOption,
    view: z.enum(NAMES).optional().describe('what to show'),
    at: pastOption,
  }),
  examples: [
    '/treasury tide',
    '/treasury tide holdings',
    '/treasury project:"Heron Flats" view:runway',
    '/treasury tide nav at:2026-11-01',
  ],

  async run({ project: text, view: requested, at }, { analytics, directory, signal, now, zone }) {
    const project = await directory.find(text, signal);
    const past = pastMoment(at, { now, zone });
    const timestamp = past === undefined ? undefined : isoText(past);
    const to = (view: string): string =>
      commandLine('treasury', project.slug, view, ...(timestamp === undefined || !PAST.has(view) ? [] : [`at:${timestamp}`]));
    const view = requested ?? (past === undefined ? 'summary' : 'nav');
    if (past !== undefined && !PAST.has(view)) throw presentOnly(view, to);
    const { snapshotAt, ...shown } = await VIEWS[view]({ analytics, project, timestamp, now, signal });
    return reply({
      ...shown,
      finding: past === undefined ? shown.finding : [{ at: past, exact: true }, ': ', ...shown.finding],
      blocks: [...shown.blocks, ...(past === undefined ? [] : earlierSnapshot(snapshotAt, past))],
      actions: [
        ...choiceActions(NAMES, view, to),
        { label: 'Accounts', line: commandLine('accounts', project.slug, 'active') },
        { label: 'Premium', line: commandLine('premium', project.slug, '3M') },
        { label: 'Watch', line: commandLine('watch', project.slug) },
      ],
    });
  },
});

const PAST: ReadonlySet<string> = new Set<(typeof NAMES)[number]>(['nav', 'runway']);

const presentOnly = (view: string, to: (view: string) => string): UserError =>
  new UserError(`Past dates work for NAV and runway only, not for "${view}".`, {
    actions: [...PAST].map((other) => ({ label: other === 'nav' ? 'NAV' : 'Runway', line: to(other) })),
  });
