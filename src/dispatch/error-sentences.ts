/** Turns errors into replies: a sentence with a next step. Their causes go to the log only. */
import type { z } from 'zod';
import type { UnknownProjectError } from '../analytics/directory.js';
import { SAMPLE } from '../domain/sample-project.js';
import { brief } from '../base/one-line.js';
import { capitalised, either } from '../base/sentence-lists.js';
import { isNameSized, type Project } from '../domain/project.js';
import { UserError, unread, commandLine, line, type Remedy } from '../reply/index.js';
import { usage } from './command.js';
import { namedLine, takes, type ParsedCommand, type RegisteredCommand } from './parse.js';
import { MAX_TEXT_BYTES } from '../analytics/endpoint-row.js';
import type { AnalyticsError, Trouble } from '../analytics/errors.js';
import { MAX_LINE, type Inbound } from '../chat/inbound.js';
import { reply, type BlockDraft, type Line, type Reply } from '../chat/reply.js';
import type { Instant } from '../domain/scalars.js';

/** `at` is when the same request may succeed; `requested` says that the service stated it. */
const sentences = {
  unreachable: () => ["The analytics service isn't responding, and there is no saved data for this. Try again in a minute."],
  timeout: () => ['The analytics service took too long to answer. Try again in a minute.'],
  limited: (at, requested) =>
    at === undefined
      ? ['The analytics service is limiting requests. Try again in a few minutes.']
      : requested
        ? ['The analytics service asked us to wait. The next try is possible at ', { at, exact: true }, '.']
        : ['The analytics service is limiting requests. Next try: ', { at, exact: true }, '.'],
  forbidden: () => ["This bot's analytics plan doesn't include this. The operator can change the plan."],
  'key-refused': () => ["The analytics service rejected this bot's API key. The operator has to renew it."],
  unknown: () => ['Not found. Check the name or number.'],
  rejected: () => ['The analytics service rejected this request. See /help for examples.'],
  malformed: () => ['The analytics service sent data that could not be read. Try again later.'],
  'budget-spent': (at) => [
    "This month's API budget is used up ",
    ...(at === undefined ? ['for now'] : ['until ', { at, exact: true }]),
    ', and there is no saved data for this. /status has the details.',
  ],
  'allowance-spent': (at) => [
    'You or this chat reached the request limit. Saved data is still shown; new requests are possible ',
    ...(at === undefined ? ['later'] : ['from ', { at, exact: true }]),
    '.',
  ],
} satisfies Record<Trouble, (at: Instant | undefined, requested: boolean) => Line>;

const TOO_LARGE = 'The analytics service sent too much data to show. Try again later.';

const bytes = (count: number): string => `${count.toLocaleString('en-US')} bytes`;

const textTooLong = (count: number): string =>
  `That text is too long to search for: it takes ${bytes(count)}, the limit is ${bytes(MAX_TEXT_BYTES)} (a plain letter takes 1, an accented one 6). Shorten it.`;

export const serviceErrorText = ({ textBytes, tooLarge, trouble, until: at, requested }: AnalyticsError): Line =>
  textBytes !== undefined ? [textTooLong(textBytes)] : tooLarge ? [TOO_LARGE] : sentences[trouble](at, requested);

export const unexpectedErrorText = (reference: string): string =>
  `Something went wrong (log reference ${reference}). Try again; if it keeps failing, contact the bot's operator.`;

export const storeErrorText = (reference: string): string =>
  `The database could not be read or written, so nothing was changed (log reference ${reference}). Try again in a minute.`;

/** Words the error for a line that is too long. `length` is in characters. */
export const tooLongText = (length: number): string =>
  `That message has ${length.toLocaleString('en-US')} characters; the limit is ${MAX_LINE.toLocaleString('en-US')}. Shorten it, or send a long list as a file with /watchlist import.`;

export const NOT_LISTED = 'This bot only answers chats and people its operator has allowed.';

/** Advises the picker: it gives ids, which need no lookup. */
export const pickIt = (): UserError =>
  new UserError(`${NOT_LISTED} If you administer a chat that it answers, pick that chat from the list instead of typing its name.`, {
    actions: [{ label: 'Pick', line: '/manage' }],
  });

export const ASK_ELSEWHERE: Line = ['If one of your servers or groups is allowed, use the bot there.'];

/** Tells an operator what to list. Shows only the ids of this chat and person. */
export const accessHint = (circles: readonly string[]): Line => [
  'The operator can add one of these to ACCESS: ',
  { code: circles.join(', ') },
];

const OUTSIDE = "I'm not in this server or chat, so I can't post alerts here. You can have them in a DM with me.";

export const NO_DIRECT = "I can't open a private chat with you from here. Write to me there, and use the command again.";

export const managersOnlyText = (place: string): string =>
  `Only people who can manage this ${place} can change its watchlist. You can have your own in a DM with me.`;

export function managersOnly({ from, outside, ask }: Inbound, place: string, command?: RegisteredCommand['command']): UserError {
  const says = outside === undefined ? managersOnlyText(place) : OUTSIDE;
  if (command?.direct === undefined || from.direct === undefined) return new UserError(says, { isRefused: true });
  const where = `${command.direct.option}:${command.direct.value}`;
  const again =
    'line' in ask
      ? `${ask.line.trim()} ${where}`
      : commandLine(command.name, ...Object.entries(ask.options).map(([name, value]) => `${name}:${value}`), where);
  return new UserError(says, { isRefused: true, actions: again.startsWith('/') ? [{ label: 'Do it in a DM', line: again }] : [] });
}

export const warning = (...finding: Line): Reply => reply({ tone: 'warning', finding, audience: 'asker', isError: true });

export function userErrorReply({ says, remedy }: UserError, commands: ReadonlyMap<string, RegisteredCommand>): Reply {
  return reply({
    tone: 'warning',
    finding: says,
    blocks: [...(remedy.lines ?? []).map((one) => line(...one)), ...usageLines(remedy, commands)],
    links: remedy.links ?? [],
    actions: remedy.actions ?? [],
    audience: 'asker',
    isError: true,
  });
}

function usageLines({ usage: name, example: nearer }: Remedy, commands: ReadonlyMap<string, RegisteredCommand>): readonly BlockDraft[] {
  const known = name === undefined ? undefined : commands.get(name);
  const example = nearer ?? known?.command.examples[0];
  if (known === undefined) return [];
  return [
    line('Usage: ', { code: usage({ name: known.command.name, options: known.options }) }),
    ...(example === undefined ? [] : [line('For example: ', { code: example })]),
  ];
}

export function misfit(error: z.ZodError, { command, options, values }: ParsedCommand): UserError {
  const name = String(error.issues[0]?.path[0] ?? '');
  const option = options.find((one) => one.name === name);
  if (option === undefined) return unread(`/${command.name} can't be used like that.`, { usage: command.name });
  const value = values[name];
  if (value === undefined) return unread(`Which ${name}? /${command.name} needs ${option.summary}.`, { usage: command.name });
  return unread(`Invalid ${name} "${brief(value)}". ${takes(option, value)}`, { usage: command.name });
}

/** The text begins in lower case, because it may follow other words. */
export const unknownNameWords = (text: string, several = false): string =>
  `${several ? 'several projects are' : 'no project'} called "${brief(text)}"`;

const longName = (text: string): string => `${capitalised(unknownNameWords(text))}. Use its symbol or slug, such as tide.`;

/** Makes the error for a project without a token, which the service lists without a symbol. */
export const noToken = ({ slug, name }: Pick<Project, 'slug' | 'name'>, command: string): UserError =>
  new UserError(`${name} has no token yet, so there is no ${command} data for it. Its launch is what is known.`, {
    actions: [
      { label: 'Launch', line: commandLine('launches', slug) },
      { label: 'Watch', line: commandLine('watch', slug) },
    ],
  });

export function unknownProject(error: UnknownProjectError, parsed?: ParsedCommand): UserError {
  if (!isNameSized(error.text) && !error.several) return unread(longName(error.text));
  if (error.text === SAMPLE.slug)
    return unread(`"${SAMPLE.name}" is the invented project of sample alerts, so there is nothing more about it.`);
  const names = error.nearest.map(({ slug, name }) => (name === slug ? slug : `${slug} (${name})`));
  const isLoading = error.loading && !error.several;
  const hint = isLoading
    ? 'The project list is still loading. Try again in a minute, or use its slug.'
    : 'Check the spelling, or use its symbol or full name.';
  const guess = names.length === 0 ? hint : `${isLoading ? `${hint} ` : ''}Did you mean ${either(names)}?`;
  const sentence = `${capitalised(unknownNameWords(error.text, error.several))}${isLoading ? ' yet' : ''}.`;
  const requested = parsed?.options.find(({ name }) => parsed.values[name] === error.text);
  const again = (slug: string): string => (parsed === undefined ? '' : namedLine(parsed, { [requested?.name ?? '']: slug }));
  return unread(`${sentence} ${guess}`, {
    actions: [
      ...(requested === undefined ? [] : error.nearest.map(({ slug, name }) => ({ label: name, line: again(slug) }))),
      ...(names.length > 0
        ? []
        : [parsed?.command.name === 'watch' ? { label: 'Choose', line: '/watch' } : { label: 'All projects', line: '/screen' }]),
    ],
  });
}
