/** Suggests completions of a line that is being typed. Never rejects. */
import type { Directory } from '../analytics/directory.js';
import type { ProposalRow } from '../analytics/endpoints/proposals.js';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
import { calledHere, shortName, targetName, type Target } from '../alerts/watchlist/entry.js';
import type { Address } from '../chat/address.js';
import { MAX_LINE } from '../chat/inbound.js';
import type { Catalogue, Suggestion } from '../chat/catalogue.js';
import { commandLine, nearest } from '../reply/index.js';
import { assignClosed, splitWords } from './words.js';
import { isClosed, type Option } from './command.js';
import type { RegisteredCommand } from './parse.js';
import type { Analytics } from '../analytics/analytics.js';
import { liveMarkets } from '../analytics/endpoints/dashboard.js';
import { MINUTE, type Clock } from '../base/clock.js';

export interface CompletionDeps {
  readonly commands: ReadonlyMap<string, RegisteredCommand>;
  readonly directory: Directory;
  readonly watchlists: Pick<Watchlists, 'read'>;
  readonly liveProposals: LiveProposals;
}

interface Value {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
}

export function createCompletion(deps: CompletionDeps): Pick<Catalogue, 'complete' | 'completeOption'> {
  const completeOption: Catalogue['completeOption'] = async ({ command, option: name, partial, chat, elsewhere = false }, limit) => {
    if (partial.length > MAX_LINE) return [];
    try {
      const option = deps.commands.get(command)?.options.find((one) => one.name === name);
      const found = option === undefined ? [] : await findValues({ option, typed: partial, chat, limit, elsewhere }, deps);
      return found.slice(0, limit).map(({ value, label }) => ({ value, label }));
    } catch {
      // Without the directory there are no suggestions; the typed text remains valid.
      return [];
    }
  };
  const complete: Catalogue['complete'] = async (line, chat, limit) => {
    if (line.length > MAX_LINE) return [];
    try {
      const [head = '', ...words] = splitWords(line.trimStart());
      // A trailing space begins the next word.
      const open = /\s$/u.test(line);
      if (words.length === 0 && !open) return commandsLike(head, deps).slice(0, limit);
      const known = deps.commands.get(head.replace(/^\//u, '').toLowerCase());
      if (known === undefined) return [];
      return (await valuesFor({ known, words: open ? [...words, ''] : words, chat, limit }, deps)).slice(0, limit);
    } catch {
      // An open quote or an unavailable directory leaves no suggestions.
      return [];
    }
  };
  return { complete, completeOption };
}

function commandsLike(head: string, { commands }: CompletionDeps): readonly Suggestion[] {
  const typed = head.replace(/^\//u, '').toLowerCase();
  const names = [...commands.keys()];
  const begins = names.filter((name) => name.startsWith(typed));
  return (begins.length > 0 ? begins : nearest(typed, names)).flatMap((name) => {
    const known = commands.get(name);
    return known === undefined
      ? []
      : [{ insert: `/${name}${known.options.length > 0 ? ' ' : ''}`, label: `/${name}`, hint: known.command.summary }];
  });
}

interface PartialLine {
  readonly known: RegisteredCommand;
  /** The words typed so far; the last one may be empty. */
  readonly words: readonly string[];
  readonly chat: Address;
  readonly limit: number;
}

async function valuesFor({ known, words, chat, limit }: PartialLine, deps: CompletionDeps): Promise<readonly Suggestion[]> {
  const { options, command } = known;
  const partial = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const [, name = '', typed = ''] = /^([\w-]+):(.*)$/su.exec(partial) ?? [];
  const named = options.find((option) => option.name === name.toLowerCase());
  const given = new Set(before.flatMap((word) => /^([\w-]+):/u.exec(word)?.[1] ?? []));
  const rest = options.filter((option) => !given.has(option.name));
  const placed = assignClosed(
    before.filter((word) => !given.has(word.split(':')[0] ?? '')),
    rest,
  );
  const unset = rest.filter((option) => placed.options[option.name] === undefined);
  // Earlier words may belong to the same name: "heron fl" is one unfinished name.
  const free = unset.find((option) => !isClosed(option));
  const left = new Set(placed.left);
  const line = (value: string, start: readonly string[]) => `${commandLine(command.name, ...start, value)} `;

  if (named !== undefined) {
    const found = await findValues({ option: named, typed, chat, limit }, deps);
    return found.map(({ value, ...rest }) => ({ insert: line(`${named.name}:${value}`, before), ...rest }));
  }
  const suggestions: Suggestion[] = [];
  for (const option of unset) {
    const joins = option === free && placed.left.length > 0;
    if (!isClosed(option) && option !== free) continue;
    const start = joins ? before.filter((word) => !left.has(word)) : before;
    const found = await findValues({ option, typed: joins ? [...placed.left, partial].join(' ').trim() : partial, chat, limit }, deps);
    suggestions.push(...found.map(({ value, ...rest }) => ({ insert: line(value, start), ...rest })));
  }
  // After "tide below -10" the line is a whole rule.
  const ends = placed.left.length > 1 ? unset.flatMap(({ ends: end }) => end ?? []) : [];
  const isEnd = ({ label }: Suggestion): boolean => ends.includes(label);
  return [...suggestions.filter(isEnd), ...suggestions.filter((one) => !isEnd(one))];
}

const liveProposal = ({ publicKey, title, projectName }: ProposalRow): readonly Value[] =>
  publicKey === undefined
    ? []
    : [
        {
          value: publicKey,
          label: [title ?? publicKey, projectName].filter((part) => part !== undefined).join(' · '),
          hint: 'live proposal',
        },
      ];

async function projectsLike(typed: string, limit: number, directory: Directory): Promise<readonly Value[]> {
  let found = await directory.complete(typed, limit);
  if (found.length === 0) {
    // Without the directory there are no suggestions; the typed text remains valid.
    await directory.all().catch(() => []);
    found = await directory.complete(typed, limit);
  }
  return found.map(({ slug, name, symbol }) => ({ value: slug, label: symbol === undefined ? name : `${name} (${symbol})`, hint: slug }));
}

const watchedHere = (target: Target): Value => ({
  value: targetName(target),
  label: target.kind === 'market' ? shortName(target) : (calledHere(target) ?? targetName(target)),
  hint: 'watched here',
});

const NOT_PROJECTS: readonly Value[] = [
  { value: 'all', label: 'all', hint: 'every project' },
  { value: 'launches', label: 'launches', hint: 'every launch' },
];

interface ValueRequest {
  readonly option: Option;
  readonly typed: string;
  readonly chat: Address;
  readonly limit: number;
  readonly elsewhere?: boolean;
}

async function findValues(
  { option, typed, chat, limit, elsewhere = false }: ValueRequest,
  { directory, watchlists, commands, liveProposals }: CompletionDeps,
): Promise<readonly Value[]> {
  const begins = ({ value, label }: Value) => [value, label].some((text) => text.toLowerCase().startsWith(typed.toLowerCase()));
  const contains = ({ value, label }: Value) => [value, label].some((text) => text.toLowerCase().includes(typed.toLowerCase()));
  const plain = (value: string): Value => ({ value, label: value, hint: option.name });
  if (option.choices !== undefined) return option.choices.map(plain).filter(begins);
  switch (option.complete) {
    case undefined:
      return (option.offers ?? []).map(plain).filter(contains);
    case 'command':
      return [...commands.values()]
        .map(({ command }) => ({ value: command.name, label: command.name, hint: command.summary }))
        .filter(begins);
    case 'entry':
      // The rights in the other channel are not checked yet, so its watchlist must not be shown.
      if (elsewhere) return [...NOT_PROJECTS.filter(begins), ...(await projectsLike(typed, limit, directory))];
      return watchlists
        .read(chat)
        .entries.map(({ target }) => watchedHere(target))
        .filter(contains);
    case 'wallet':
      return watchlists
        .read(chat)
        .entries.flatMap(({ target }) => (target.kind === 'wallet' ? [watchedHere(target)] : []))
        .filter(contains);
    case 'proposal':
      return [
        ...(await liveProposals())
          .flatMap(liveProposal)
          .filter(contains)
          .slice(0, Math.ceil(limit / 2)),
        ...(await projectsLike(typed, limit, directory)),
      ];
    case 'project':
      return projectsLike(typed, limit, directory);
    case 'target':
      return [...NOT_PROJECTS.filter(begins), ...(await projectsLike(typed, limit, directory))];
    default:
      return [];
  }
}

/** The value is in milliseconds. Under a monthly limit the list is kept longer to save requests. */
const MAX_AGE = { open: MINUTE, limited: 30 * MINUTE } as const;
/** The most proposals that are suggested. */
const LIMIT = 25;

/** Resolves with the cached list and refreshes an old one in the background. Never rejects. */
export type LiveProposals = () => Promise<readonly ProposalRow[]>;

/** Reads live proposals for completion. They are cached, because every typed letter causes a lookup. */
export function createLiveProposals({ analytics, clock }: { readonly analytics: Analytics; readonly clock: Clock }): LiveProposals {
  let known: readonly ProposalRow[] | undefined;
  let askedAt: number | undefined;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    askedAt = clock.now();
    try {
      const { data } = await analytics.call(liveMarkets, { limit: LIMIT, page: 1 });
      known = data.rows;
    } catch {
      // A failure is ignored: projects are still offered, and the first letter after `MAX_AGE` tries again.
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    const maxAge = analytics.state().budget.forChecks === undefined ? MAX_AGE.open : MAX_AGE.limited;
    if (asking === undefined && (askedAt === undefined || clock.now() - askedAt >= maxAge)) asking = ask();
    if (known === undefined) await asking;
    return known ?? [];
  };
}
