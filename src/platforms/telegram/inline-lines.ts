/** The command lines that an inline query stands for. */
import type { Address } from '../../chat/address.js';
import type { Catalogue, CommandEntry } from '../../chat/catalogue.js';

export interface InlineLines {
  /** At most three. Never rejects. */
  of(query: string, chat: Address): Promise<readonly string[]>;
  /** At most three. Never rejects. */
  completed(query: string, chat: Address): Promise<readonly string[]>;
}

const MAX_LINES = 3;
/** For an empty query. */
const FIRST = 'overview';
/** For the name of a project alone. */
const VIEWS = ['premium', 'project', 'proposals'] as const;
/** Costs calls and takes minutes. */
const NOT_INLINE: ReadonlySet<string> = new Set(['refresh']);

/** A query is sent with every letter. */
const isInline = ({ name, group = 'asking' }: CommandEntry): boolean => group === 'asking' && !NOT_INLINE.has(name);

export function inlineLines(catalogue: Catalogue): InlineLines {
  const known = new Map(catalogue.commands.filter(isInline).map((command) => [command.name, command]));

  function commandIn(query: string) {
    const [head = '', ...rest] = query.trim().replace(/^\//u, '').split(/\s+/u);
    return { head, rest: rest.join(' '), command: known.get(head.toLowerCase()) };
  }

  const completed: InlineLines['completed'] = async (query, chat) => {
    const { rest, command } = commandIn(query);
    if (command === undefined) return [];
    return (await catalogue.complete(`/${command.name} ${rest}`, chat, MAX_LINES)).map(({ insert }) => insert.trim());
  };

  return {
    completed,
    async of(query, chat) {
      const { head, rest, command } = commandIn(query);
      if (head === '') return known.has(FIRST) ? [`/${FIRST}`] : [];
      if (command === undefined) return ofProject(query.trim(), chat);
      const isWhole = rest !== '' || !command.options.some(({ required }) => required);
      return isWhole ? [`/${command.name} ${rest}`.trim()] : completed(query, chat);
    },
  };

  async function ofProject(partial: string, chat: Address): Promise<readonly string[]> {
    const views = VIEWS.filter((name) => known.has(name));
    const [command] = views;
    const option = command && known.get(command)?.options.find(({ completes }) => completes)?.name;
    if (command === undefined || option === undefined) return [];
    const [project] = await catalogue.completeOption({ command, option, partial, chat }, 1);
    return project === undefined ? [] : views.map((name) => `/${name} ${project.value}`);
  }
}
