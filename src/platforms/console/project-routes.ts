/** Serves the list of watched projects, the views of a project's page and the timeline of alerts. */
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { RecentMap } from '../../base/bounded-cache.js';
import { DAY, later, type Clock } from '../../base/clock.js';
import type { OperatorLogin } from '../../base/http-callers.js';
import type { Log } from '../../base/log.js';
import { pictureKey } from '../../charts/pictures.js';
import { address } from '../../chat/address.js';
import type { Chart, Pictures } from '../../chat/chart.js';
import { MAX_LINE } from '../../chat/inbound.js';
import { plainText } from '../../chat/plain-text.js';
import type { WatchedProjects } from '../../chat/watched-projects.js';
import { isoText, type ConsoleMessage, type ConversationLog } from './conversation-log.js';
import { pictureOf, valuesOf } from './picture.js';
import type { ConsoleQuestions } from './questions.js';
import { renderMessage, renderRow } from './render.js';
import { bounded } from './size-limits.js';

const MAX_SEARCH = 100;
const MAX_BODY = 16 * 1024;
/** How many alerts one response has. "Show earlier" reads the next ones. */
const MAX_ALERTS = 100;
/** How many charts of views are kept. A page whose chart is no longer kept shows the text alone. */
const MAX_CHARTS = 200;

/** The commands that only read and whose first argument is a project. */
const VIEWS = ['project', 'premium', 'treasury', 'proposals', 'supply', 'holders', 'trading', 'movements', 'finances', 'vesting'] as const;
const VIEW_LINE = new RegExp(`^/(${VIEWS.join('|')}) +\\S`, 'u');

const SPANS = { day: DAY, week: 7 * DAY, month: 30 * DAY, all: Infinity } as const;

const searchSchema = z.object({ search: z.string().max(MAX_SEARCH).default('') });
const viewSchema = z.object({ line: z.string().trim().max(MAX_LINE).regex(VIEW_LINE) });
const alertsSchema = z.object({
  project: z.string().max(MAX_SEARCH).optional(),
  kind: z.string().max(MAX_SEARCH).optional(),
  since: z.enum(['day', 'week', 'month', 'all']).default('all'),
  before: z.coerce.number().int().min(1).optional(),
});

export interface ProjectRoutesDeps {
  readonly login: OperatorLogin;
  readonly conversations: ConversationLog;
  readonly asker: ConsoleQuestions;
  readonly watched: WatchedProjects;
  readonly pictures?: Pictures | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export function projectRoutes(app: Hono, { login, conversations, asker, watched, pictures, clock, log }: ProjectRoutesDeps): void {
  const charts = new RecentMap<string, Chart>(MAX_CHARTS);

  app.get('/chats/:chat/projects', async (c) => {
    const query = searchSchema.safeParse(c.req.query());
    if (!query.success) return complain(c, 400, `"search" has at most ${MAX_SEARCH} characters.`);
    return c.json({ now: isoText(clock.now()), ...(await watched.read(address('console', c.req.param('chat')), query.data.search)) });
  });

  app.get('/chats/:chat/alerts', async (c) => {
    const query = alertsSchema.safeParse(c.req.query());
    if (!query.success) return complain(c, 400, ALERTS_SAYS);
    const alerts = conversations.messages(c.req.param('chat')).filter(({ kind }) => kind === 'alert');
    const { project, kind, since, before = Infinity } = query.data;
    const from = later(clock.now(), -SPANS[since]);
    const matching = alerts.filter(
      ({ id, at, about = [] }) => id < before && at >= from && ((project ?? kind) === undefined || isAbout(about, { project, kind })),
    );
    const shown = matching.slice(-MAX_ALERTS).toReversed();
    return c.json({
      now: isoText(clock.now()),
      alerts: await Promise.all(shown.map(async (alert) => ({ id: alert.id, at: isoText(alert.at) ?? '', html: await renderRow(alert) }))),
      isMore: matching.length > shown.length,
      projects: distinct(alerts, 'project'),
      kinds: distinct(alerts, 'kind'),
    });
  });

  app.post('/chats/:chat/views', bodyLimit({ maxSize: MAX_BODY, onError: (c) => complain(c, 413, VIEW_SAYS) }), async (c) => {
    const order = viewSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!order.success) return complain(c, 400, VIEW_SAYS);
    const answer = await asker.view(c.req.param('chat'), { text: order.data.line, byOperator: login.isOperator(c) });
    const at = clock.now();
    // Files are served by message, and a view is not one.
    const reply = bounded({ ...answer, files: [] });
    if (reply.chart !== undefined) charts.set(pictureKey(reply.chart), reply.chart);
    return c.json({ html: await renderMessage({ id: 1, at, kind: 'reply', text: plainText(reply, at), reply }) });
  });
  app.get('/views/:key/picture', async (c) => {
    const drawn = pictures && (await pictureOf({ pictures, log, chart: charts.get(c.req.param('key')), theme: c.req.query('theme') }));
    return drawn ?? complain(c, 404, NO_PICTURE);
  });
  app.get('/views/:key/values', async (c) => {
    const values = pictures && (await valuesOf({ pictures, log, chart: charts.get(c.req.param('key')), now: clock.now() }));
    return values === undefined ? complain(c, 404, NO_PICTURE) : c.json(values);
  });
}

type About = NonNullable<ConsoleMessage['about']>[number];

/** Tells whether one event matches both kind and project. Otherwise a summary would be found by the kind of one project and the name of another. */
const isAbout = (all: readonly About[], wanted: Partial<Record<keyof About, string | undefined>>): boolean =>
  all.some(({ kind, project }) => (wanted.kind ?? kind) === kind && (wanted.project === undefined || wanted.project === project));

const distinct = (alerts: readonly ConsoleMessage[], by: keyof About): readonly string[] =>
  [...new Set(alerts.flatMap(({ about = [] }) => about.flatMap((one) => one[by] ?? [])))].toSorted((a, b) => a.localeCompare(b, 'en'));

export const NO_PICTURE = 'There is no picture for this message. Its text has the same figures.';
const ALERTS_SAYS = '"since" is day, week, month or all, "before" is a message id, "project" and "kind" are names.';
const VIEW_SAYS = `Send JSON with a line that shows a project, for example {"line": "/premium tide"}. The commands are ${VIEWS.join(', ')}.`;
const complain = (c: Context, status: 400 | 404 | 413, error: string) => c.json({ error }, status);
