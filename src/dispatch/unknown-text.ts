/** Answers other text with the nearest command, or short help. */
import { either } from '../base/sentence-lists.js';
import { brief } from '../base/one-line.js';
import type { ActionDraft } from '../chat/reply.js';
import { keyFault } from '../domain/wallet.js';
import { UserError, commandLine, nearest } from '../reply/index.js';
import type { IsName } from './words.js';
import type { Option } from './command.js';

interface PlainTextDeps {
  readonly commands: ReadonlyMap<string, { readonly options: readonly Option[] }>;
  readonly isName: IsName;
}

const TOPICS: ReadonlyMap<string, string> = new Map([
  ['alert', 'watch'],
  ['burn', 'supply'],
  ['burns', 'supply'],
  ['discount', 'premium'],
  ['follow', 'watch'],
  ['holder', 'holders'],
  ['launch', 'launches'],
  ['market', 'overview'],
  ['mint', 'supply'],
  ['mints', 'supply'],
  ['movers', 'overview'],
  ['nav', 'treasury'],
  ['notify', 'watch'],
  ['price', 'project'],
  ['runway', 'treasury'],
  ['stop', 'unwatch'],
  ['subscribe', 'watch'],
  ['unfollow', 'unwatch'],
  ['unlock', 'vesting'],
  ['unlocks', 'vesting'],
  ['unsubscribe', 'unwatch'],
  ['vote', 'proposals'],
  ['votes', 'proposals'],
]);

const MAX_WORDS = 10;
const MAX_NAME = 3;
const GREETINGS: ReadonlySet<string> = new Set(['hello', 'hey', 'hi', 'thanks', 'yo']);

const HELP: ActionDraft = { label: 'Help', line: '/help' };

export function unknownCommand(name: string, words: readonly string[], commands: PlainTextDeps['commands']): UserError {
  if (name === '') return new UserError('Type a command, such as /watch. /help shows what you can do.', { actions: [HELP] });
  const topic = TOPICS.get(name);
  const near = topic !== undefined && commands.has(topic) ? [topic] : nearest(name, [...commands.keys()]);
  const says = `No command "${brief(name)}".`;
  return new UserError(
    near.length === 0 ? `${says} /help shows what you can do.` : `${says} Did you mean ${either(near.map((other) => `/${other}`))}?`,
    { actions: [...near.map((other) => ({ label: `/${other}`, line: lineOf(other, words, commands) })), HELP] },
  );
}

function lineOf(name: string, words: readonly string[], commands: PlainTextDeps['commands']): string {
  const isShort = words.length === 0 && commands.get(name)?.options.some(({ required }) => required) === true;
  return isShort ? commandLine('help', name) : commandLine(name, ...words);
}

export async function notACommand(typed: readonly string[], { commands, isName }: PlainTextDeps): Promise<UserError> {
  const words = typed
    .slice(0, MAX_WORDS)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '');
  const topics = words.flatMap((word) => {
    const name = TOPICS.get(word.toLowerCase()) ?? word.toLowerCase();
    return commands.has(name) ? [name] : [];
  });
  const lines = linesOf(topics, {
    commands,
    wallet: walletIn(words),
    project: await projectIn(words, { isName, topics: new Set(topics) }),
  });
  if (lines.length > 0)
    return new UserError(['I only understand commands. Did you mean ', { code: lines[0] ?? '' }, '?'], {
      actions: [...lines.map((line) => ({ label: line.length > MAX_LABEL ? (line.split(' ')[0] ?? line) : line, line })), HELP],
    });
  const [only = '', ...others] = words;
  const isTypo = others.length === 0 && !GREETINGS.has(only.toLowerCase()) && nearest(only, [...commands.keys()]).length > 0;
  return isTypo ? unknownCommand(only.toLowerCase(), [], commands) : shortHelp();
}

const MAX_LABEL = 30;

const walletIn = (words: readonly string[]): string | undefined => words.find((word) => keyFault(word) === undefined);

/** The longest project name. */
async function projectIn(
  words: readonly string[],
  { isName, topics }: { readonly isName: IsName; readonly topics: ReadonlySet<string> },
): Promise<string | undefined> {
  for (let length = Math.min(MAX_NAME, words.length); length > 0; length -= 1)
    for (let from = 0; from + length <= words.length; from += 1) {
      const name = words.slice(from, from + length).join(' ');
      if (name.length > 1 && !topics.has(name.toLowerCase()) && (await isName(name))) return name;
    }
  return undefined;
}

interface Subjects {
  readonly commands: PlainTextDeps['commands'];
  readonly wallet: string | undefined;
  readonly project: string | undefined;
}

function linesOf(topics: readonly string[], { commands, wallet, project }: Subjects): readonly string[] {
  const takes = (name: string, ...options: readonly string[]): boolean =>
    commands.get(name)?.options.some((option) => options.includes(option.name)) === true;
  if (wallet !== undefined) {
    const meant = topics.find((name) => takes(name, 'wallet', 'target'));
    return [...new Set([...(meant === undefined ? [] : [meant]), 'wallet', 'watch'])].map((name) => commandLine(name, wallet));
  }
  if (project !== undefined) {
    const meant = topics.find((name) => takes(name, 'project', 'target'));
    return [...new Set([...(meant === undefined ? [] : [meant]), 'project', 'watch'])].map((name) => commandLine(name, project));
  }
  const [first] = topics;
  return first === undefined ? [] : [lineOf(first, [], commands)];
}

const shortHelp = (): UserError =>
  new UserError('I only understand commands. Try one of these:', {
    lines: [
      [{ code: '/watch' }, ': choose what to get alerts about'],
      [{ code: '/overview' }, ': the whole market at a glance'],
      [{ code: '/help' }, ': what else you can do'],
    ],
    actions: [{ label: 'Watch', line: '/watch' }, { label: 'Overview', line: '/overview' }, HELP],
  });
