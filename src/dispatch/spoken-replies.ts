/** Builds the replies to plain words: answers, proposed changes, offered lines and talk. */
import { reply, type ActionDraft, type Line, type Reply } from '../chat/reply.js';
import type { CommandEntry } from '../chat/catalogue.js';
import { brief } from '../base/one-line.js';
import { both } from '../base/sentence-lists.js';
import type { Decision } from '../reading/decide.js';
import type { Unread } from '../reading/several.js';
import type { Talk } from '../reading/talk.js';
import type { Entry } from '../alerts/watchlist/entry.js';
import { follows } from '../alerts/watchlist/exceptions.js';
import { PRESET_TITLES } from '../alerts/rules/presets.js';
import type { KindRules } from '../alerts/rules/rule.js';
import { ruleText } from './watchlists/rule-text.js';
import { line as text } from '../reply/index.js';

const HELP: ActionDraft = { label: 'Help', line: '/help' };
const CANCEL: ActionDraft = { label: 'Cancel', line: '/cancel' };
const MAX_LABEL = 40;

/** Makes a button of a line: without its slash, and shortened. */
export function lineButton(line: string): ActionDraft {
  const label = line.slice(1).replaceAll(/\b(?:target|project|kind|view|range|topic|wallet):/gu, '');
  return { label: label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label, line };
}

/** Adds a small line to an answer that shows how the text was read. */
export const readAs = (
  answer: Reply,
  line: string,
  others: readonly string[],
  { unused }: { /** The words for a time that the line leaves out. */ readonly unused?: string | undefined } = {},
): Reply => ({
  ...answer,
  blocks: [...answer.blocks, readLine(line, unused)],
  actions: [...answer.actions, ...others.map((other) => ({ on: false, ...lineButton(other), label: `Or: ${lineButton(other).label}` }))],
});

/** The value is in characters. A longer line would stand out more than the answer. */
const MAX_READ = 120;

const readLine = (line: string, unused: string | undefined) => ({
  kind: 'line' as const,
  line: [
    'Read as ',
    { code: line.length > MAX_READ ? `${line.slice(0, MAX_READ - 1)}…` : line },
    unused === undefined ? '.' : `, without "${brief(unused)}": this list has all times, the latest first.`,
  ],
});

const codes = (lines: readonly string[]) => ({ kind: 'list' as const, items: lines.map((one) => ({ line: [{ code: one }] })) });

/** Offers at most three readings, and states what none of them covers. */
export function offered(lines: readonly string[], unread: readonly Unread[] = []): Reply {
  if (lines.length === 0) return notUnderstood(unread);
  return reply({
    finding: unread.length > 0 ? unreadLine(unread) : [{ strong: lines.length === 1 ? 'Do you mean this?' : 'What do you mean?' }],
    blocks: [...(unread.length > 0 ? [text(restOf(unread, lines.length))] : []), codes(lines)],
    actions: [...lines.map(lineButton), HELP],
    audience: 'asker',
    isError: true,
  });
}

const quoted = (unread: readonly Unread[]): string => both(unread.map(({ text: words }) => `"${brief(words)}"`));

function unreadLine(unread: readonly Unread[]): Line {
  const [first] = unread;
  if (first?.is === 'time') return [{ strong: `"${brief(first.text)}" isn't a date or time` }];
  if (first?.is === 'condition') return [{ strong: "One alert can't wait for all of these together" }];
  if (first?.is === 'exception') return [{ strong: `I can't leave one out: "${brief(first.text)}"` }];
  if (first?.is === 'reminder') return [{ strong: 'Reminders come before a vote, launch or cliff ends' }, ', not at a time of your choice'];
  if (first?.is === 'ahead') return [{ strong: 'Reminders come 5 minutes to 30 days before an end' }, `, not ${brief(first.text)} before`];
  if (first?.is === 'vote-reminder') return [{ strong: 'A reminder of one vote needs its public key' }];
  if (first?.is === 'vote') return [{ strong: 'To give one vote a rule, I need its public key' }];
  if (first?.is === 'page') return [{ strong: 'There is no more to show' }];
  if (first?.is === 'whose') return [{ strong: 'Whose rule should be removed?' }];
  if (first?.is === 'count') return [{ strong: 'No alert counts trades' }];
  return [{ strong: `I don't understand ${quoted(unread)} here` }];
}

function restOf([first]: readonly Unread[], count: number): string {
  if (first?.is === 'condition') return 'Each can be an alert of its own:';
  if (first?.is === 'reminder' || first?.is === 'ahead')
    return 'Say how long before, such as "remind me 1h before the TIDE vote ends", or see what is set and what ends next:';
  if (first?.is === 'vote-reminder')
    return 'Follow the vote, then write "/remind <public key> 1h". The list leads to each vote and its key:';
  if (first?.is === 'vote') return 'Such as "/alerts <public key> proposals margin<2". The list leads to each vote and its key:';
  if (first?.is === 'whose') return 'Name the project too, such as "remove the -10 rule of TIDE", or choose here:';
  if (first?.is === 'count') return "A rule can be on a market's traders, on its volume in USD, or on the size of each trade in USD:";
  return count === 1 ? 'Without it, I read:' : 'Without it, I read one of these:';
}

/** Shows a button for each request of a sentence. */
export const severalAsked = (lines: readonly string[]): Reply =>
  reply({
    finding: [{ strong: `You asked for ${lines.length} things` }, '. Press one at a time:'],
    blocks: [codes(lines)],
    actions: [...lines.map(lineButton), CANCEL],
    audience: 'asker',
  });

/** The reply to a text that was not understood. */
export const notUnderstood = (unread: readonly Unread[] = []): Reply =>
  reply({
    finding: unread.length === 0 ? ["I don't understand that yet"] : unreadLine(unread),
    blocks: [
      ...(unread[0]?.is === 'exception'
        ? [text('Name the ones that you mean instead, such as ', { code: 'mute heron and alder for 2h' }, '.')]
        : []),
      text(
        'Ask about a project in plain words, such as ',
        { code: 'is TIDE cheap?' },
        ' or ',
        { code: 'top discounts' },
        ', or use a command:',
      ),
      {
        kind: 'list',
        items: [
          { line: [{ code: '/watch' }, ': choose what to get alerts about'] },
          { line: [{ code: '/overview' }, ': the whole market at a glance'] },
          { line: [{ code: '/help' }, ': what else you can do'] },
        ],
      },
    ],
    actions: [{ label: 'Watch', line: '/watch' }, { label: 'Overview', line: '/overview' }, HELP],
    audience: 'asker',
  });

/** The question before the button that applies the change, by command. */
const DOES: Readonly<Record<string, string>> = {
  watch: 'Watch this?',
  unwatch: 'Stop these alerts?',
  mute: 'Pause these alerts?',
  unmute: 'End this mute?',
  alerts: 'Change these alerts?',
  digest: 'Change the digest?',
  settings: 'Change the settings?',
  refresh: 'Refresh this wallet?',
  privacy: 'Delete this data?',
  watchlist: 'Change the watchlist?',
};
const DO: Readonly<Record<string, string>> = {
  watch: 'Watch',
  unwatch: 'Unwatch',
  mute: 'Mute',
  unmute: 'Unmute',
  alerts: 'Set',
  digest: 'Set',
  settings: 'Set',
  refresh: 'Refresh',
  privacy: 'Delete…',
};

/** Tells whether a line takes a change back: `/watch tide undo`, `/mute undo 3`. */
export const isUndo = (line: string): boolean => /\sundo(?:\s[\da-f]+)?$/u.test(line);

const WAITS = 'Nothing changes until you press.';
const PRESS = "It isn't done yet: press the button to do it.";

export type ProposedChange = Omit<Extract<Decision, { kind: 'propose' }>, 'kind'>;

/** Shows a change that waits for a press. If several lines are asked for, each has a button. */
export function proposed(
  { lines: [line, ...others], isEach, isAgain }: ProposedChange,
  { name, summary }: Pick<CommandEntry, 'name' | 'summary'>,
): Reply {
  const takesBack = isUndo(line);
  const does = takesBack ? 'Undo the last change?' : (DOES[name] ?? 'Do this?');
  const press = takesBack ? 'Undo' : /\boff\b/u.test(line) ? 'Do it' : (DO[name] ?? 'Do it');
  return reply({
    finding: isEach === true ? [{ strong: does }, ' Each has its button'] : [{ strong: does }, ' ', { code: line }],
    blocks: [
      ...(isEach === true ? [{ kind: 'list' as const, items: [line, ...others].map((one) => ({ line: [{ code: one }] })) }] : []),
      text(isAgain === true ? PRESS : takesBack ? WAITS : `${summary}. ${WAITS}`),
    ],
    actions: [
      isEach === true ? lineButton(line) : { label: press, line, emphasis: name === 'privacy' ? 'danger' : 'primary' },
      ...others.map(lineButton),
      CANCEL,
    ],
    fields: takesBack ? [] : [{ kind: 'text', label: 'Change…', hint: line.slice(name.length + 2), line: `/${name} {}` }],
  });
}

export interface ProposedRule {
  /** The line that sets the rule. */
  readonly line: string;
  /** The line that watches a project with the rule alone, without what the preset adds. */
  readonly alone: string | undefined;
  readonly others: readonly string[];
  /** The target and the rule in words. */
  readonly rules: string;
  /** The line that shows what the rule would have alerted; undefined for a kind without a history. */
  readonly backtest: string | undefined;
  /** The answer to the `backtest` line, if the plan's limits allow to run it unasked. */
  readonly past: Reply | undefined;
  /** A rule of the same kind, as it is typed. */
  readonly example: string;
  /** The target as it is typed in a line. */
  readonly target: string;
  readonly isWatched: boolean;
  readonly isAgain: boolean | undefined;
}

/** Shows a rule in words with its buttons, and how often it would have alerted if that is known. */
export function proposedRule({ line, alone, others, rules, backtest, past, example, target, isWatched, isAgain }: ProposedRule): Reply {
  const figures = past?.blocks.filter(({ kind }) => kind === 'figures').slice(0, 1) ?? [];
  // Without a history the backtest only states the reason, so it is left out.
  const report = past === undefined || past.tone === 'warning' || figures.length === 0 ? undefined : past;
  return reply({
    finding: [{ strong: 'Set this alert?' }, ` ${rules}`],
    blocks: [...(report === undefined ? [] : [text(...report.finding, '.'), ...figures]), text(isAgain === true ? PRESS : WAITS)],
    chart: report?.chart,
    actions: [
      { label: isWatched ? 'Set' : 'Watch with this rule', line, emphasis: 'primary' },
      ...(alone === undefined ? [] : [{ label: 'Only this rule', line: alone }]),
      ...(backtest === undefined ? [] : [{ label: 'Backtest', line: backtest }]),
      ...others.map(lineButton),
      CANCEL,
    ],
    fields: [
      {
        kind: 'text',
        label: 'Change…',
        hint: `such as ${example}`,
        line: isWatched ? `/alerts ${target} {}` : `/alerts ${target} watch {}`,
      },
    ],
    ...(report?.asOf === undefined ? {} : { asOf: report.asOf }),
    ...(report?.stale === undefined ? {} : { stale: report.stale }),
  });
}

interface StandingRules {
  readonly title: string;
  readonly entry: Entry;
  readonly rules: KindRules;
  /** The target as it is typed in a line. */
  readonly target: string;
}

/** The reply to a rule by which the chat is alerted already. */
export const alreadySet = ({ title, entry, rules: { kind, ...rules }, target }: StandingRules): Reply =>
  reply({
    tone: 'live',
    finding: [{ strong: 'Already set' }, `: ${title}, ${kind}: ${ruleText(kind, rules)}`],
    blocks: [
      text(
        entry.rules?.[kind] === undefined
          ? `This chat is alerted of it by the preset ${PRESET_TITLES[entry.preset]}`
          : `This chat is alerted of it by its own rules of ${kind}`,
        ...(follows(entry) ? [' of ', { code: '/watch all' }] : []),
        '.',
      ),
    ],
    actions: [{ label: 'Alerts', line: `/alerts ${target} ${kind}` }, HELP],
  });

/** The reply to a mute of a target that is not watched, which would change nothing. */
export const notWatched = (target: string): Reply =>
  reply({
    tone: 'warning',
    finding: [{ strong: target }, " isn't watched here, so it sends no alerts to pause"],
    actions: [
      { label: 'Watchlist', line: '/watchlist' },
      { label: 'Watch', line: `/watch ${target}` },
    ],
    audience: 'asker',
    isError: true,
  });

/** The reply to a mute in a chat without a watchlist, where every button would fail. */
export const nothingWatched = (): Reply =>
  reply({
    tone: 'warning',
    finding: [{ strong: 'Nothing is watched here' }, ', so there are no alerts to pause'],
    actions: [{ label: 'Watch', line: '/watch' }],
    audience: 'asker',
  });

const ASK_ME: Line = ['Ask me about a project, such as: ', { code: 'is TIDE cheap?' }];

const TALK: Readonly<Record<Exclude<Talk, 'unknowable' | 'unknowable-vote' | 'unknowable-wallet'>, Line>> = {
  greeting: ['Hello! ', ...ASK_ME],
  thanks: ["You're welcome."],
  insult: ['Sorry that I was no help. Say it in other words, or press Help.'],
  smalltalk: ['I only know about ownership coins. ', ...ASK_ME],
  'unknowable-market': ["I can't know that: I only have the figures of ownership coins, no forecasts and no advice."],
};

/** In a group chatter gets one short line, because others read along. */
const SHORT_TALK: Readonly<Record<keyof typeof TALK, string>> = {
  greeting: 'Hello!',
  thanks: "You're welcome.",
  insult: 'Sorry that I was no help.',
  smalltalk: 'I only know about ownership coins.',
  'unknowable-market': "I can't know that.",
};

export const talkedShortly = (talk: keyof typeof TALK): Reply => reply({ finding: [SHORT_TALK[talk]] });

/** A reply that is not sent. The reason goes to the log. */
export const silence = (because: string): Reply => reply({ finding: [because], audience: 'nobody' });

export const talked = (talk: keyof typeof TALK, lines: readonly string[]): Reply =>
  reply({
    finding: TALK[talk],
    actions:
      talk === 'thanks'
        ? []
        : talk === 'unknowable-market'
          ? [{ label: 'Overview', line: '/overview' }, ...lines.map(lineButton)]
          : [...lines.map(lineButton), HELP],
  });

/** Why nobody can answer a question. What is known follows in the reply. */
export const UNKNOWABLE: Readonly<Record<'unknowable' | 'unknowable-vote' | 'unknowable-wallet', string>> = {
  unknowable: "I can't know that, and I give no advice. What I do know:",
  'unknowable-vote': "I can't know how it ends. What the market says now:",
  'unknowable-wallet': "I can't know who is behind a wallet or what they plan. What it holds and did:",
};

export const withReason = (answer: Reply, reason: string): Reply => ({
  ...answer,
  blocks: [{ kind: 'line', line: [reason] }, ...answer.blocks],
});
