import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../../src/base/clock.js';
import { benchService, type Lists } from './service.js';
import { drawMonth, figuresAt, START, supplyAt } from './truth.js';

const month = drawMonth(12);
const NOW = START + 5 * DAY;
const signal = new AbortController().signal;
const LIST = '/v1/global-dashboard/projects-launch';

function open(lists: Lists, plan = { rows: 100, pages: 50 }) {
  const told: string[] = [];
  const service = benchService({
    ...{ month, lists, plan, now: () => NOW },
    told: (fact, project, asOf) => void told.push(`${fact} ${project} ${(NOW - asOf) / HOUR}`),
  });
  const transport = service.connect({ baseUrl: '', apiKey: undefined, maxBytes: 1, connections: 1 });
  return {
    told,
    get: async (path: string) => {
      const answer = await transport.send({ path, signal });
      return answer.kind === 'body' ? JSON.parse(answer.text) : answer;
    },
  };
}

test.each<[Lists, number, number]>([
  ['honest', 0, 0],
  ['lagging', HOUR, HOUR],
  ['wrong', DAY, 0],
])('a list that is %s says what was true so long ago of the first and of the last project', async (lists, first, last) => {
  const { get } = open(lists);
  const { data } = await get(LIST);
  for (const [index, lag] of [
    [0, first],
    [11, last],
  ] as const) {
    const project = month.projects[index];
    if (project === undefined) throw new Error('a project is missing');
    expect(data[index]).toMatchObject({
      tokenUsdPrice: figuresAt(project, NOW - lag).price,
      tokenTotalSupply: String(supplyAt(project, NOW - lag)),
      updatedAt: new Date(NOW).toISOString(),
    });
    const own = (await get(`/v1/dao/treasury/overview?slug=${project.slug}`)).data;
    expect(own.spotPrice).toBe(figuresAt(project, NOW).price);
  }
});

test('without lists the projects still have their names, and nothing else', async () => {
  const { get } = open('none');
  expect((await get('/v1/global-dashboard/projects')).data[0]).toEqual({
    organizationSlug: 'project-1',
    organizationName: 'Project 1',
    tokenSymbol: 'P1',
    baseMint: 'P1Mint',
  });
  for (const list of [LIST, '/v1/global-dashboard/projects/decision-markets', '/v1/global-dashboard/decision-markets'])
    expect(await get(list)).toMatchObject({ status: 404 });
});

test('a page shows no more than the plan allows, and tells only of what it shows', async () => {
  const { get, told } = open('lagging', { rows: 10, pages: 1 });
  expect((await get(`${LIST}?limit=10`)).data).toHaveLength(10);
  expect(told.filter((line) => line.startsWith('supply'))).toHaveLength(10);
  expect(told[0]).toBe('supply project-1 1');
  expect(await get(`${LIST}?limit=11`)).toMatchObject({ status: 403 });
  expect(await get(`${LIST}?limit=10&page=2`)).toMatchObject({ status: 403 });
});

test('what a list says wrongly of a project is not known of it', async () => {
  const { get, told } = open('wrong');
  await get(LIST);
  expect(told).not.toContain('supply project-1 0');
  expect(told).toContain('supply project-4 0');
});
