/** /compare <projects>: the figures of several projects side by side, from the one list that shows every project. */
import { z } from 'zod';
import { both } from '../src/base/sentence-lists.js';
import { reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import { UserError, ages, brokenRows, commandLine, line, projectRows, rowAge, fieldOf, type FieldName } from '../src/reply/index.js';

import { MAX_NAME_WORDS, type Project } from '../src/domain/project.js';

const FIELDS: readonly FieldName[] = ['price', 'nav', 'premium', 'treasury', 'runway', 'cap', 'fdv', 'change24h', 'change7d'];
/** More columns would not be readable on a phone. */
const MAX_PROJECTS = 5;
const MAX_WORDS = 12;

export default defineCommand({
  name: 'compare',
  summary: 'Projects side by side: price, NAV, runway and more',
  args: z.object({
    projects: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe('two to five projects, with spaces or commas between them')
      .meta({ complete: 'project', rest: true }),
  }),
  examples: ['/compare tide alder', '/compare tide, alder, heron'],
  phrases: {
    '/compare {projects}': `compare {project} and {project} | {project} vs {project} | {project} or {project} | which one is cheaper {project} or {project}
      | difference between {project} and {project} | {project} versus {project} | who has more money {project} or {project} |
      {project} and {project} side by side | is {project} at a deeper discount than {project} | put {project} and {project} next to
      each other | does {project} last longer than {project} | which has the longer runway {project} or {project} | what is the better
      discount {project} or {project} | compare {project} {project} {project} | {project} against {project} | is {project} richer than
      {project} | who has the bigger treasury {project} or {project} | {project} runway vs {project} | which spends more {project} or
      {project} | has {project} more holders than {project} | {project} {project} comparison | {project} compared to {project} |
      better buy on nav {project} or {project} | {project} {project} treasury side by side | how does {project} stack up against
      {project}`,
  },

  async run({ projects: text }, { analytics, directory, signal, now }) {
    const projects = await projectsNamed(
      text ?? '',
      async (name) => (await directory.named(name))[0],
      async (name) => directory.find(name, signal),
    );
    const found = await projectRows(analytics, { activity: false, signal });
    const rows = projects.map((project) => ({ project, row: found.rows.find(({ slug }) => slug === project.slug) }));
    const listed = rows.flatMap(({ row }) => (row === undefined ? [] : [row]));
    const missing = rows.filter(({ row }) => row === undefined).map(({ project }) => project.name);
    const cheapest = listed
      .flatMap((row) => {
        const premium = fieldOf('premium').of(row);
        return premium === undefined ? [] : [{ row, premium: Number(premium) }];
      })
      .toSorted((a, b) => a.premium - b.premium)[0]?.row;
    return reply({
      finding: [
        { strong: both(projects.map(nameOf)) },
        cheapest === undefined || listed.length < 2
          ? ' side by side'
          : `: ${cheapest.symbol ?? cheapest.name ?? cheapest.slug ?? ''} is ${listed.length === 2 ? 'cheaper' : 'cheapest'} against NAV (${fieldOf('premium').show(fieldOf('premium').of(cheapest))})`,
      ],
      blocks: [
        {
          kind: 'table',
          columns: [
            { title: '' },
            ...rows.map(({ project, row }) => ({
              title: `${nameOf(project)}${row === undefined ? '' : rowAge(row, now)}`,
              align: 'right' as const,
            })),
          ],
          rows: FIELDS.map((name) => [
            fieldOf(name).title,
            ...rows.map(({ row }) => (row === undefined ? 'n/a' : fieldOf(name).show(fieldOf(name).of(row)))),
          ]),
        },
        ...(missing.length === 0 ? [] : [line(`${both(missing)} ${missing.length === 1 ? 'is' : 'are'} not in the list of projects.`)]),
        ...brokenRows(found.broken),
      ],
      actions: projects.map(({ slug, symbol, name }) => ({ label: symbol ?? name, line: commandLine('premium', slug) })),
      ...ages(found),
    });
  },
});

const nameOf = ({ symbol, name }: Project): string => symbol ?? name;

/** Finds the projects, trying the longest names first. Rejects with an `UnknownProjectError` or a `UserError`. */
async function projectsNamed(
  text: string,
  known: (name: string) => Promise<Project | undefined>,
  find: (name: string) => Promise<Project>,
): Promise<readonly Project[]> {
  const words = text.split(/[\s,]+|\bvs\.?\b|\band\b|\bor\b/iu).filter((word) => word !== '');
  const found = new Map<string, Project>();
  for (let at = 0; at < words.length && at < MAX_WORDS;) {
    let length = Math.min(MAX_NAME_WORDS, words.length - at);
    let project = await known(words.slice(at, at + length).join(' '));
    while (project === undefined && length > 1) project = await known(words.slice(at, at + (length -= 1)).join(' '));
    const one = project ?? (await find(words[at] ?? ''));
    found.set(one.slug, one);
    at += project === undefined ? 1 : length;
  }
  const all = [...found.values()];
  if (all.length >= 2 && all.length <= MAX_PROJECTS) return all;
  const [only] = all;
  throw new UserError(all.length > MAX_PROJECTS ? `Compare at most ${MAX_PROJECTS} projects.` : 'Name two projects or more.', {
    usage: 'compare',
    actions:
      only === undefined ? [{ label: 'All projects', line: '/screen' }] : [{ label: only.name, line: commandLine('project', only.slug) }],
  });
}
