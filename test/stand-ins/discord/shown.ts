/** What a person reads in a message, in the order in which a client shows it. */
import type { Seen, SeenEmbed } from './types.js';

const shownIn = ({ title, description, fields = [], footer }: SeenEmbed): readonly string[] =>
  [title, description, ...fields.map(({ name, value }) => `${name} ${value}`), footer?.text].filter((text) => text !== undefined);

/** With its markup. */
export const textOf = ({ content, embeds }: Pick<Seen, 'content' | 'embeds'>): string =>
  [content, ...embeds.flatMap(shownIn)]
    .filter((text) => text !== '')
    .join('\n')
    .trim();
