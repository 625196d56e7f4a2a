/** A real Prometheus scrapes the running bot with the rules and the dashboard of docs/monitoring. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startApp } from '../../src/app.js';
import { silentLog } from '../../src/base/log.js';
import { readConfig } from '../../src/config.js';
import { PROMTOOL, startPrometheus, withoutPrometheus, type RunningPrometheus } from '../support/prometheus.js';

const file = (name: string): string => fileURLToPath(new URL(`../../docs/monitoring/${name}`, import.meta.url));
const RULES = file('prometheus-rules.yml');
const rulesText = readFileSync(RULES, 'utf8');
const dashboard = z
  .object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })).min(10) })
  .parse(JSON.parse(readFileSync(file('grafana-dashboard.json'), 'utf8')));
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')));

const TOKEN = 'token-of-a-scraped-bot';
const authorization = `Bearer ${TOKEN}`;
const OURS = /\b(?:navwatch|process|nodejs)_[a-z_]+\b/gu;
const metricOf = (series: string): string => series.replace(/_(bucket|sum|count)$/u, '');

// The title says why.
describe.skipIf(withoutPrometheus !== undefined)(
  `with Prometheus${withoutPrometheus === undefined ? '' : ` (${withoutPrometheus})`}`,
  () => {
    let server: RunningPrometheus;
    let exposed: string;

    beforeAll(async () => {
      const app = await startApp(readConfig({ STORE_URL: 'memory://', HTTP_PORT: '0', CONSOLE_TOKEN: TOKEN }), { log: silentLog });
      const target = new URL(app.url).host;
      exposed = await (await fetch(new URL('/metrics', app.url), { headers: { authorization } })).text();
      const targets = z.object({ activeTargets: z.array(z.object({ health: z.string() })).length(1) });
      const evaluated = z.object({ groups: z.array(z.object({ rules: z.array(z.object({ health: z.string() })) })) });
      server = await startPrometheus({ target, rules: RULES, every: '250ms', authorization }, async (api) => {
        const isScraped = targets.parse(await api.get('targets')).activeTargets.every(({ health }) => health === 'up');
        const { groups } = evaluated.parse(await api.get('rules'));
        return isScraped && groups.every(({ rules }) => rules.every(({ health }) => health !== 'unknown'));
      });
      return async () => {
        await server.stop();
        await app.stop();
      };
    });

    test('the bot is a target that is up, and its own state is among the samples', async () => {
      const found = z.object({ result: z.array(z.object({ metric: z.record(z.string(), z.string()) })) });
      const { result } = found.parse(await server.get('query', { query: 'up == 1 and on (instance) navwatch_role{role="active"} == 1' }));
      expect(result).toHaveLength(1);
    });

    test('every metric of the dashboard and of the rules is one that the bot exposes', () => {
      const known = new Set([...exposed.matchAll(/^# TYPE (\S+)/gmu)].map(([, name]) => name));
      const used = [rulesText, ...queries].flatMap((text) => [...text.matchAll(OURS)].map(([name]) => metricOf(name)));
      expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
      expect(new Set(used).size).toBeGreaterThan(20);
    });

    test('every query of the dashboard is answered', async () => {
      for (const query of queries) await expect(server.get('query', { query }), query).resolves.toBeDefined();
    });

    test('the rules are loaded and evaluated without an error', async () => {
      const loaded = z.object({ groups: z.array(z.object({ rules: z.array(z.object({ name: z.string(), health: z.string() })) })) });
      const rules = loaded.parse(await server.get('rules')).groups.flatMap((group) => group.rules);
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
      expect(rules.map(({ name }) => name).toSorted()).toEqual(
        [...rulesText.matchAll(/alert: (\w+)/gu)].map(([, name = '']) => name).toSorted(),
      );
    });

    test('the rules alert when they should, and only then', () => {
      const { status, stdout, stderr } = spawnSync(PROMTOOL, ['test', 'rules', file('prometheus-rules.test.yml')], { encoding: 'utf8' });
      expect(status, stdout + stderr).toBe(0);
    });
  },
);

test('every metric of the dashboard stands in docs/operations.md', () => {
  const docs = readFileSync(fileURLToPath(new URL('../../docs/operations.md', import.meta.url)), 'utf8');
  const used = queries.flatMap((text) => [...text.matchAll(/\bnavwatch_[a-z_]+\b/gu)].map(([name]) => metricOf(name)));
  expect([...new Set(used)].filter((name) => !docs.includes(name))).toEqual([]);
});
