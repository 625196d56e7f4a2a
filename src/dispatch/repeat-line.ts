/** A command as people type it. */
import type { Inbound } from '../chat/inbound.js';
import { commandLine } from '../reply/index.js';
import { parse, type ParsedCommand, type ParseDeps } from './parse.js';

/** With the name of each option. */
export const namedLine = ({ command, options, values }: ParsedCommand, replaced: Readonly<Record<string, string>> = {}): string => {
  const all = { ...values, ...replaced };
  return commandLine(command.name, ...options.flatMap(({ name }) => (all[name] === undefined ? [] : [`${name}:${all[name]}`])));
};

/** A typed line unchanged; a form without names if parsed alike. */
export async function typedLine(ask: Inbound['ask'], parsed: ParsedCommand, deps: Omit<ParseDeps, 'permit'>): Promise<string> {
  const { command, options, values } = parsed;
  if ('line' in ask && !/[\r\n]/u.test(ask.line)) return ask.line.trim().replace(/^\S+/u, `/${command.name}`);
  const named = namedLine(parsed);
  const words = options.flatMap(({ name, rest }) => {
    const value = values[name];
    if (value === undefined) return [];
    return rest ? value.split(' ') : [value];
  });
  const line = commandLine(command.name, ...words);
  const again = await parse({ line }, deps).catch(() => undefined);
  return again?.command === command && options.every(({ name }) => again.values[name] === values[name]) ? line : named;
}
