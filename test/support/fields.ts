/** The menus of a reply, as far as tests press them. */
import type { Reply } from '../../src/chat/reply.js';

/** The command lines that can be chosen in the menus of a reply. */
export const fieldLines = ({ fields }: Pick<Reply, 'fields'>): readonly string[] =>
  fields.flatMap((field) => (field.kind === 'menu' ? field.options.map(({ line }) => line) : []));
