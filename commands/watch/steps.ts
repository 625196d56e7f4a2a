/** Choices of `/watch`, as command lines. */
import { MAX_MENU_OPTIONS, commandLine, optional } from '../../src/reply/index.js';
import { targetName } from '../../src/alerts/watchlist/entry.js';
import { reply, type Reply } from '../../src/chat/reply.js';
import type { Project } from '../../src/domain/project.js';
import type { Context } from '../../src/dispatch/context.js';

const OUR_WORDS: ReadonlySet<string> = new Set(['all', 'launches']);

export async function firstStep(context: Context): Promise<Reply> {
  const watched = new Set(context.watchlists.read(context.chat).entries.map(({ target }) => targetName(target)));
  // Without the list of projects one can still be typed.
  const projects = ((await optional(context.directory.all())).answer ?? [])
    .filter(({ slug }) => !watched.has(slug) && !OUR_WORDS.has(slug.toLowerCase()))
    .toSorted((a, b) => knownOf(b) - knownOf(a))
    .slice(0, MAX_MENU_OPTIONS);
  const example = projects[0]?.slug ?? 'tide';
  return reply({
    finding: [{ strong: 'What do you want alerts about?' }],
    blocks: [
      {
        kind: 'list',
        items: [
          { line: [{ code: commandLine('watch', example) }, ': one project, by slug, symbol or name'] },
          { line: [{ code: '/watch <public key> fund-1' }, ': one wallet, with a label'] },
          { line: [{ code: '/watch all' }, ': every project'] },
          { line: [{ code: '/watch launches' }, ': all token launches'] },
        ],
      },
    ],
    fields: [
      ...(projects.length === 0 ? [] : [{ kind: 'menu' as const, label: 'A project', options: projects.map(optionOf) }]),
      { kind: 'text', label: 'Another project', hint: 'name, symbol or slug', line: '/watch {}' },
      { kind: 'text', label: 'A wallet', hint: 'public key, then a label', line: '/watch {}' },
    ],
    actions: [
      { label: 'Watch all', line: '/watch all' },
      { label: 'Watch launches', line: '/watch launches' },
      { label: 'Import a list', line: '/watchlist import' },
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });
}

const knownOf = ({ symbol, mint, name, slug }: Project): number =>
  [symbol, mint, name === slug ? undefined : name].filter((one) => one !== undefined).length;

const optionOf = ({ slug, symbol, name }: Project) => ({ label: name, hint: symbol ?? '', line: commandLine('watch', slug) });
