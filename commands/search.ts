/** /search <text>: projects and proposals whose names contain it. */
import { z } from 'zod';
import { capitalised } from '../src/base/sentence-lists.js';
import { brief } from '../src/base/one-line.js';
import { search } from '../src/analytics/endpoints/dashboard.js';
import { reply, type ActionDraft, type BlockDraft } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import { ages, commandLine, counted, dotted, line } from '../src/reply/index.js';

/** The most results in a group. */
const MAX_LISTED = 10;
const MAX_BUTTONS = 3;
/** The value is in characters. */
const MAX_LABEL_LENGTH = 32;

export default defineCommand({
  name: 'search',
  summary: 'Find projects and proposals by name',
  args: z.object({ text: z.string().trim().min(1).describe('text to find').meta({ rest: true }) }),
  examples: ['/search tide', '/search second audit'],
  phrases: {
    '/search {named}': `is there a project with garden in its name | anything filed under pier | which project has brine in the name |
      search a project that is called something with yard`,
    '/search {words}': `search for audits | find anything called swap | look up grants | search audit | look for anything named second audit`,
  },

  async run({ text }, { analytics, directory, signal }) {
    const answer = await analytics.call(search, { search: text }, { signal });
    const { projects, proposals } = answer.data;
    const none = projects.length === 0 && proposals.length === 0;
    // Uses only known names, so that a search takes a single request.
    const nameOf = async (slug: string | undefined): Promise<string | undefined> =>
      slug === undefined ? undefined : (await directory.named(slug)).find((one) => one.slug === slug)?.name;
    const named = await Promise.all(proposals.map(async (one) => ({ ...one, name: one.name ?? (await nameOf(one.slug)) })));
    const near = none ? await directory.complete(text, MAX_BUTTONS) : [];
    return reply({
      finding: none
        ? [{ strong: `Nothing found for "${brief(text)}"` }, near.length === 0 ? '' : '. Did you mean one of these?']
        : [
            { strong: capitalised(`${found(projects.length, 'project')} and ${found(proposals.length, 'proposal')}`) },
            ` for "${brief(text)}"`,
          ],
      blocks: [
        list(projects.map(({ name, slug, symbol }) => dotted([{ strong: name ?? slug ?? 'unnamed' }], symbol, slug))),
        list(near.map(({ name, slug, symbol }) => dotted([{ strong: name }], symbol, slug))),
        list(named.map(({ title, name, slug }) => dotted([{ strong: title ?? 'untitled' }], name ?? slug))),
        ...(none && near.length === 0 ? [line('Try fewer letters or part of the name.')] : []),
      ],
      actions: [
        ...[...projects, ...near]
          .slice(0, MAX_BUTTONS)
          .flatMap(({ slug, name }) => button(name ?? slug, slug === undefined ? undefined : commandLine('project', slug))),
        ...proposals
          .slice(0, MAX_BUTTONS)
          .flatMap(({ title, proposalKey }) => button(title, proposalKey === undefined ? undefined : commandLine('proposal', proposalKey))),
        ...(none ? [{ label: 'All projects', line: '/screen' }] : []),
      ],
      ...ages(answer),
    });
  },
});

/** The most results of each type that the service returns. It gives no total. */
const SERVICE_LIMIT = 20;

const found = (count: number, one: string): string =>
  count === 0 ? `no ${one}s` : `${count === SERVICE_LIMIT ? 'the first ' : ''}${counted(count, one)}`;

const list = (lines: readonly ReturnType<typeof dotted>[]): BlockDraft => ({
  kind: 'list',
  items: lines.slice(0, MAX_LISTED).map((one) => ({ line: one })),
  more: Math.max(0, lines.length - MAX_LISTED),
});

const button = (label: string | undefined, to: string | undefined): readonly ActionDraft[] =>
  to === undefined ? [] : [{ label: (label ?? 'Open').slice(0, MAX_LABEL_LENGTH), line: to }];
