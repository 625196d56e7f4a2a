/** A reply's menus, one at a time. */
import { ButtonStyle, ComponentType } from 'discord.js';
import { z } from 'zod';
import { replySchema, type Field, type Reply } from '../../chat/reply.js';
import type { Actions } from '../button-payloads.js';
import { truncateLine } from '../truncate.js';
import { MAX_CHOICE, MAX_LABEL } from './component-limits.js';

/** No line and no key begins with it. */
const MARK = 'step:';
/** So that stored text is no command line. */
const STORED = '/ ';

export type Controls = Pick<Reply, 'links' | 'actions' | 'fields'>;
export type Menu = Extract<Field, { kind: 'menu' }>;

const controlsSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('not JSON');
      return z.NEVER;
    }
  })
  .pipe(replySchema.pick({ links: true, actions: true, fields: true }));

export const isStep = (payload: string): boolean => payload.startsWith(MARK);
/** The message shows one of several menus. */
export const leadsBack = (payload: string): boolean => /^step:#[\w-]{20}$/u.test(payload);

/** Rejects with the store's error. */
export const stepPayload = async ({ links, actions, fields }: Controls, kept: Actions): Promise<string> =>
  MARK + (await kept.payload(STORED + JSON.stringify({ links, actions, fields }), 0));

export interface MenuStep {
  readonly controls: Controls;
  /** The first step. */
  readonly back: string;
  /** Undefined: the first step. */
  readonly menu: Menu | undefined;
}

/** Undefined if not kept, or forged. Rejects with the store's error. */
export async function stepOf(payload: string, kept: Actions): Promise<MenuStep | undefined> {
  const [, key, at] = /^step:(#[\w-]{20})(?:\.(\d))?$/u.exec(payload) ?? [];
  const text = key === undefined ? undefined : await kept.line(key);
  if (text?.startsWith(STORED) !== true) return undefined;
  const parsed = controlsSchema.safeParse(text.slice(STORED.length));
  if (!parsed.success) return undefined;
  const menu = at === undefined ? undefined : menusOf(parsed.data)[Number(at)];
  return at !== undefined && menu === undefined ? undefined : { controls: parsed.data, back: `${MARK}${key}`, menu };
}

export const menusOf = ({ fields }: Pick<Controls, 'fields'>): readonly Menu[] => fields.filter((field) => field.kind === 'menu');

/** Shows what is chosen in each. */
export const optionsOf = (menus: readonly Menu[], back: string) =>
  menus.map(({ label, options }, index) => {
    const chosen = options.filter(({ on }) => on).map((option) => option.label);
    const description = truncateLine(chosen.join(', '), MAX_CHOICE).trim();
    return {
      label: truncateLine(label, MAX_CHOICE).trim() || `Menu ${index + 1}`,
      value: `${back}.${index}`,
      ...(description === '' ? {} : { description }),
    };
  });

export const backButton = (back: string) => ({
  type: ComponentType.Button as const,
  style: ButtonStyle.Secondary as const,
  label: truncateLine('‹ Back', MAX_LABEL),
  custom_id: back,
});
