import { expect, test } from 'vitest';
import { z } from 'zod';
import { address } from '../../../src/chat/address.js';
import type { DeliveredEvent, MessageAbout } from '../../../src/chat/notifier.js';
import { reply } from '../../../src/chat/reply.js';
import { instant } from '../../../src/base/clock.js';
import { drawSvg, outlinedSvg } from '../../../src/charts/svg.js';
import type { Chart, Theme } from '../../../src/chat/chart.js';
import { slug } from '../../../src/domain/scalars.js';
import { handClock } from '../../support/clock.js';
import { JSON_TYPE, openHarness, type ConsoleHarness } from './harness.js';

const alertsSchema = z.object({
  alerts: z.array(z.object({ id: z.int(), html: z.string() })),
  isMore: z.boolean(),
  projects: z.array(z.string()),
  kinds: z.array(z.string()),
});

const about = (...events: readonly (readonly [feed: string, project: string])[]): MessageAbout<'alert'> => ({
  kind: 'alert',
  at: instant(0),
  count: events.length,
  events: async () =>
    events.map(([feed, project]): DeliveredEvent => ({
      ...{
        id: `${feed}/${project}/1`,
        feed,
        stage: 'seen',
        topic: feed,
        project: slug(project),
        detectedAt: instant(0),
        facts: {},
      },
      ...{ headline: [], links: [], size: {} },
    })),
});

const deliver = async ({ console: page }: ConsoleHarness, id: string, of: MessageAbout<'alert' | 'sample'>, finding = id) =>
  page.notifier.deliver(address('console', 'main'), { id, reply: reply({ finding: [finding] }), about: of });

async function timeline({ get }: ConsoleHarness, query = ''): Promise<z.infer<typeof alertsSchema>> {
  return alertsSchema.parse((await get(`/api/chats/main/alerts${query}`)).body);
}

const view = async ({ url }: ConsoleHarness, line: string) => {
  const answer = await fetch(`${url}/api/chats/main/views`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ line }) });
  return {
    status: answer.status,
    body: z.looseObject({ html: z.string().optional(), error: z.string().optional() }).parse(await answer.json()),
  };
};

test('the timeline has the newest alerts first, and finds them by project, kind and time', async () => {
  const clock = handClock();
  await using harness = await openHarness({ clock });
  await deliver(harness, 'old', about(['supply', 'tide']));
  await clock.advance(2 * 86_400_000);
  await deliver(harness, 'both', about(['supply', 'moss'], ['premium', 'tide']));
  await deliver(harness, 'greeting', about());
  const idsOf = async (query?: string) => (await timeline(harness, query)).alerts.map(({ id }) => id);
  expect(await timeline(harness)).toMatchObject({ isMore: false, projects: ['moss', 'tide'], kinds: ['premium', 'supply'] });
  expect(await idsOf()).toEqual([3, 2, 1]);
  expect(await idsOf('?project=tide')).toEqual([2, 1]);
  expect(await idsOf('?kind=supply&since=day')).toEqual([2]);
  expect(await idsOf('?before=3')).toEqual([2, 1]);
  // The supply of the summary is another project's.
  expect(await idsOf('?project=tide&kind=supply')).toEqual([1]);
});

test('a sample is marked in its row and in the alert that the row opens to, and other alerts are not', async () => {
  await using harness = await openHarness();
  await deliver(harness, 'real', about(['supply', 'tide']));
  await deliver(harness, 'invented', { ...about(['supply', 'sample']), kind: 'sample' });
  const marks = (await timeline(harness)).alerts.map(({ html }) => html.match(/<span class="tag sample">sample<\/span>/gu)?.length ?? 0);
  expect(marks).toEqual([2, 0]);
});

test('an alert whose events cannot be read is posted all the same', async () => {
  await using harness = await openHarness();
  const unreadable = { ...about(), events: async () => Promise.reject(new Error('disk')) };
  expect(await deliver(harness, 'd-1', unreadable)).toMatchObject({ kind: 'sent' });
});

test('a row of the timeline lets no markup of a title through', async () => {
  await using harness = await openHarness();
  await deliver(harness, 'd-1', about(['<b>', 'tide']), '<img src=x onerror=alert(1)>');
  const [row] = (await timeline(harness)).alerts;
  expect(row?.html).not.toMatch(/<img|<b>/u);
});

test('an unknown span is refused with a sentence', async () => {
  await using harness = await openHarness();
  expect(await harness.get('/api/chats/main/alerts?since=ever')).toMatchObject({ status: 400 });
});

test('a view of a project is answered and not kept in the conversation', async () => {
  await using harness = await openHarness();
  expect((await view(harness, '/premium tide 3M')).body.html).toContain('you said /premium tide 3M');
  expect((await harness.get('/api/chats/main/messages')).body.messages).toEqual([]);
});

test.each(['/watch tide', '/premium', 'premium tide', '/mute tide 3d', '/treasury-x tide'])('%j is no view', async (line) => {
  await using harness = await openHarness();
  expect(await view(harness, line)).toMatchObject({ status: 400 });
});

test('the values of a view’s chart stand where the picture draws them', async () => {
  const clock = handClock();
  // In this thread: a worker is started from the build alone.
  const pictures = { svg: async (of: Chart, theme: Theme) => outlinedSvg(drawSvg(of, theme)), png: async () => new Uint8Array() };
  const days = [0, 1, 2, 3].map((day) => [clock.now() - (3 - day) * 86_400_000, day === 2 ? null : day] as [number, number | null]);
  const chart = { kind: 'xy', title: 'Premium', series: [{ name: 'premium', draw: 'line', unit: 'percent', points: days }] } as const;
  await using harness = await openHarness({
    clock,
    pictures,
    answer: async () => reply({ finding: ['x'], chart: { ...chart, series: [...chart.series] } }),
  });
  const key = /data-picture="([^"]+)"/u.exec((await view(harness, '/premium tide')).body.html ?? '')?.[1] ?? '';
  const { places } = z
    .object({
      places: z.array(
        z.object({ x: z.number(), when: z.string(), values: z.array(z.object({ text: z.string(), y: z.number().optional() })) }),
      ),
    })
    .parse((await harness.get(`/api/views/${key}/values`)).body);
  expect(places.map(({ values }) => values[0]?.text)).toEqual(['0%', '+1.0%', 'n/a', '+3.0%']);
  expect(places.map(({ x }) => x)).toEqual(places.map(({ x }) => x).toSorted((a, b) => a - b));
  const [low, , gap, high] = places.map(({ values }) => values[0]?.y);
  expect([gap, (high ?? 0) < (low ?? 0)]).toEqual([undefined, true]);
  expect(await harness.get('/api/views/unknown/values')).toMatchObject({ status: 404 });
});
