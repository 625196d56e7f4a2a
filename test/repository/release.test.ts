/** The files that only a forge or an editor runs, held against what they call: they cannot be tried here. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { files, read } from './repository.js';

const manifest = z
  .looseObject({ scripts: z.record(z.string(), z.string()), engines: z.object({ node: z.string() }), name: z.string() })
  .parse(JSON.parse(read('package.json')));

const permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));
const step = z.strictObject({
  name: z.string().optional(),
  id: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const job = z.strictObject({
  'runs-on': z.string(),
  needs: z.string().optional(),
  permissions: permissions.optional(),
  steps: z.array(step).min(1),
});
const workflows = files
  .filter((file) => /^[.]github\/workflows\/[^/]+[.]ya?ml$/u.test(file))
  .map((file) => ({
    file,
    text: read(file),
    ...z.looseObject({ name: z.string(), on: z.looseObject({}), permissions, jobs: z.record(z.string(), job) }).parse(parse(read(file))),
  }));
const steps = workflows.flatMap(({ jobs }) => Object.values(jobs).flatMap((one) => one.steps));

test('a release is made of a tag that is the version, for both architectures, with its components and its origin', () => {
  const release = workflows.find(({ name }) => name === 'Release');
  expect(release?.on).toEqual({ push: { tags: ['v*.*.*'] } });
  for (const part of ['platforms: linux/amd64,linux/arm64', 'provenance: mode=max', 'sbom: true', 'npm run check', 'npm pack'])
    expect(release?.text).toContain(part);
});

test('a workflow calls only scripts, files and steps that exist', () => {
  const runs = steps.flatMap(({ run }) => run ?? []).join('\n');
  const scripts = [...runs.matchAll(/npm run (?:--\S+ )*([\w:-]+)/gu)].map(([, name = '']) => name);
  expect(scripts).toEqual(expect.arrayContaining(['check', 'sbom']));
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
  const called = [...runs.matchAll(/node ([\w./-]+[.]m?js)/gu)].map(([, file = '']) => file);
  expect(called.length).toBeGreaterThan(0);
  expect(called.filter((file) => !files.includes(file))).toEqual([]);
  // What npm pack writes.
  expect(runs).toContain(`${manifest.name}-*.tgz`);
  for (const { file, text, jobs } of workflows) {
    const needs = Object.values(jobs).flatMap(({ needs: before }) => before ?? []);
    expect([file, needs.filter((name) => !(name in jobs))]).toEqual([file, []]);
    const ids = Object.values(jobs).flatMap((one) => one.steps.flatMap(({ id }) => id ?? []));
    const used = [...text.matchAll(/steps[.]([\w-]+)[.]/gu)].map(([, id = '']) => id);
    expect([file, used.filter((id) => !ids.includes(id))]).toEqual([file, []]);
  }
});

test('every action of a workflow is pinned to a commit, with its version beside it', () => {
  const used = workflows.flatMap(({ text }) => [...text.matchAll(/uses: (.+)$/gmu)].map(([, one = '']) => one));
  expect(used).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length);
  expect(used.filter((one) => !/^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+[.]\d+[.]\d+$/u.test(one))).toEqual([]);
  // One action is one commit everywhere.
  expect(new Set(used).size).toBe(new Set(used.map((one) => one.split('@')[0])).size);
});

test('a workflow reads unless one of its jobs says what it writes, and a job that only checks writes nothing', () => {
  for (const { jobs, ...workflow } of workflows) {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const writes = Object.entries(jobs).map(([name, one]) => [
      name,
      Object.entries(one.permissions ?? {}).flatMap(([scope, right]) => (right === 'write' ? [scope] : [])),
    ]);
    expect(Object.fromEntries(writes)).toEqual({ check: [], image: ['packages', 'id-token', 'attestations'], package: ['contents'] });
  }
});

test('workflows, image and container of the editor run one version of Node, which package.json allows', () => {
  const [, image = ''] = /^FROM node:(\d+)[.]/mu.exec(read('Dockerfile')) ?? [];
  const {
    image: container,
    postCreateCommand,
    forwardPorts,
  } = z
    .looseObject({ image: z.string(), postCreateCommand: z.string(), forwardPorts: z.array(z.int()) })
    .parse(JSON.parse(read('.devcontainer/devcontainer.json')));
  const versions = steps.flatMap(({ with: given }) => given?.['node-version'] ?? []).map(String);
  expect(new Set([...versions, /:(\d+)-/u.exec(container)?.[1]])).toEqual(new Set([image]));
  const [, least = ''] = /^>=(\d+)[.]/u.exec(manifest.engines.node) ?? [];
  expect(Number(image)).toBeGreaterThanOrEqual(Number(least));
  expect(postCreateCommand).toBe('npm ci');
  expect(read('Dockerfile')).toContain(`EXPOSE ${forwardPorts[0]}`);
  // The types are those of the oldest Node, so that nothing newer is called.
  const renovate = z
    .looseObject({
      packageRules: z.array(z.looseObject({ matchPackageNames: z.array(z.string()).optional(), allowedVersions: z.string().optional() })),
    })
    .parse(JSON.parse(read('.github/renovate.json')));
  const types = renovate.packageRules.find(({ matchPackageNames }) => matchPackageNames?.includes('@types/node') === true);
  expect(types?.allowedVersions).toBe(`${least}.x`);
});

test('templates of the forge are forms that it accepts: each field has a type, an id of its own and a label', () => {
  const field = z.looseObject({
    type: z.enum(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes']),
    id: z.string().optional(),
    attributes: z.looseObject({ label: z.string().optional() }),
  });
  const form = z.looseObject({ name: z.string(), description: z.string(), body: z.array(field).min(1) });
  const templates = files.filter((file) => /^[.]github\/ISSUE_TEMPLATE\/(?!config)[^/]+[.]ya?ml$/u.test(file));
  expect(templates.length).toBeGreaterThan(0);
  for (const file of templates) {
    const { body } = form.parse(parse(read(file)));
    const fields = body.filter(({ type }) => type !== 'markdown');
    expect([file, fields.filter(({ attributes }) => attributes.label === undefined)]).toEqual([file, []]);
    const ids = fields.map(({ id }) => id);
    expect([file, new Set(ids).size]).toEqual([file, ids.length]);
  }
});
