/** The menus of a reply as rows of buttons. Pure. */
import type { Field, Reply } from '../../chat/reply.js';

/** Undocumented: more are refused. https://core.telegram.org/bots/api#inlinekeyboardmarkup */
export const MAX_BUTTONS = 100;

export type ReplyControls = Pick<Reply, 'links' | 'actions' | 'fields'>;
type Menu = Extract<Field, { kind: 'menu' }>;

/** `left`: options dropped, from the end of the longest menu first. */
export function menusOf({ links, actions, fields }: ReplyControls): { readonly menus: readonly Menu[]; readonly left: number } {
  let menus: readonly Menu[] = fields.filter((field) => field.kind === 'menu');
  const all = countOf(menus);
  const room = Math.max(0, MAX_BUTTONS - links.length - actions.length - (fields.length - menus.length));
  while (countOf(menus) > room) {
    const longest = Math.max(...menus.map(({ options }) => options.length));
    const at = menus.findLastIndex(({ options }) => options.length === longest);
    menus = menus.map((menu, index) => (index === at ? { ...menu, options: menu.options.slice(0, -1) } : menu));
  }
  return { menus: menus.filter(({ options }) => options.length > 0), left: all - countOf(menus) };
}

const countOf = (menus: readonly Menu[]): number => menus.reduce((sum, { options }) => sum + options.length, 0);

export function withMenuNames(reply: Reply): Reply {
  const { menus, left } = menusOf(reply);
  const names = menus.flatMap(({ label }, index) => (index === 0 ? [{ strong: label }] : [' · ', { strong: label }]));
  const lines = [
    ...(menus.length < 2 ? [] : [['Buttons, from the top: ', ...names]]),
    ...(left === 0 ? [] : [[`${left} more choices have no room here; type the command for them.`]]),
  ];
  return { ...reply, blocks: [...reply.blocks, ...lines.map((line) => ({ kind: 'line' as const, line }))] };
}
