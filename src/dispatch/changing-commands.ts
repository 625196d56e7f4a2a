/** Which questions only the active process answers. */
import type { Directory } from '../analytics/directory.js';
import type { Inbound } from '../chat/inbound.js';
import { UserError } from '../reply/index.js';
import { isDirect, parse } from './parse.js';
import type { Registry } from './registry.js';

export interface ChangeDeps {
  readonly registry: Registry;
  readonly directory: Directory;
}

/** By what its command declares. What cannot be parsed changes nothing. */
export async function isChange(
  { ask, files = [] }: Pick<Inbound, 'ask' | 'files'>,
  { registry: { commands }, directory }: ChangeDeps,
): Promise<boolean> {
  if (files.length > 0) return true;
  const isName = async (text: string): Promise<boolean> => (await directory.named(text)).length > 0;
  try {
    const asked = await parse(ask, { commands, isName });
    const instead = await asked.command.instead?.(asked.values, { directory });
    const meant = instead === undefined ? asked : await parse({ line: instead }, { commands, isName });
    const { changes } = meant.command;
    return isDirect(meant) || (typeof changes === 'function' ? changes(meant.values) : changes === true);
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}
