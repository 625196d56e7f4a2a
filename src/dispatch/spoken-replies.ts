/** Replies to plain words: how they were read, what waits for a press, what is offered, and talk. */
import { reply, type ActionDraft, type Line, type Reply } from '../chat/reply.js';
import type { CommandEntry } from '../chat/catalogue.js';
import { brief } from '../base/one-line.js';
import { both } from '../base/sentence-lists.js';
import type { Decision } from '../reading/decide.js';
import type { Unread } from '../reading/several.js';
import type { Talk } from '../reading/talk.js';
import { line as text } from '../reply/index.js';

const HELP: ActionDraft = { label: 'Help', line: '/help' };
const CANCEL: ActionDraft = { label: 'Cancel', line: '/cancel' };
const MAX_LABEL = 40;

/** A line as a button: without its slash, short enough to be read. */
export function lineButton(line: string): ActionDraft {
  const label = line.slice(1).replaceAll(/\b(?:target|project|kind|view|range|topic|wallet):/gu, '');
  return { label: label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label, line };
}

/** The answer to a reading that is sure, with a quiet line that shows how the words were read. */
export const readAs = (answer: Reply, line: string, others: readonly string[]): Reply => ({
  ...answer,
  blocks: [...answer.blocks, readLine(line)],
  actions: [...answer.actions, ...others.map((other) => ({ on: false, ...lineButton(other), label: `Or: ${lineButton(other).label}` }))],
});

/** A longer one would be the longest line of the answer. */
const MAX_READ = 120;

const readLine = (line: string) => ({
  kind: 'line' as const,
  line: ['Read as ', { code: line.length > MAX_READ ? `${line.slice(0, MAX_READ - 1)}…` : line }, '.'],
});

const codes = (lines: readonly string[]) => ({ kind: 'list' as const, items: lines.map((one) => ({ line: [{ code: one }] })) });

/** It offers at most three readings, and says what none of them has. */
export function offered(lines: readonly string[], unread: readonly Unread[] = []): Reply {
  if (lines.length === 0) return notUnderstood(unread);
  return reply({
    finding: unread.length > 0 ? unreadLine(unread) : [{ strong: lines.length === 1 ? 'Do you mean this?' : 'What do you mean?' }],
    blocks: [...(unread.length > 0 ? [text(restOf(unread, lines.length))] : []), codes(lines)],
    actions: [...lines.map(lineButton), HELP],
    audience: 'asker',
  });
}

const quoted = (unread: readonly Unread[]): string => both(unread.map(({ text: words }) => `"${brief(words)}"`));

function unreadLine(unread: readonly Unread[]): Line {
  const [first] = unread;
  if (first?.is === 'time') return [{ strong: `"${brief(first.text)}" isn't a date or time` }];
  if (first?.is === 'condition') return [{ strong: "One alert can't wait for all of these together" }];
  if (first?.is === 'exception') return [{ strong: `I can't leave one out: "${brief(first.text)}"` }];
  if (first?.is === 'reminder') return [{ strong: 'Reminders come before a vote, launch or cliff ends' }, ', not at a time of your choice'];
  if (first?.is === 'vote') return [{ strong: 'To mute one vote, or to give it a rule, I need its public key' }];
  return [{ strong: `I don't understand ${quoted(unread)} here` }];
}

function restOf([first]: readonly Unread[], count: number): string {
  if (first?.is === 'condition') return 'Each can be an alert of its own:';
  if (first?.is === 'reminder')
    return 'Say how long before, such as "remind me 1h before the TIDE vote ends", or see what is set and what ends next:';
  if (first?.is === 'vote')
    return 'Such as "/mute tide on <public key> 1d" or "/alerts <public key> proposals margin<2". The list leads to each vote and its key:';
  return count === 1 ? 'Without it, I read:' : 'Without it, I read one of these:';
}

/** Each of the things that a sentence asks for has its button. */
export const severalAsked = (lines: readonly string[]): Reply =>
  reply({
    finding: [{ strong: `You asked for ${lines.length} things` }, '. Press one at a time:'],
    blocks: [codes(lines)],
    actions: [...lines.map(lineButton), CANCEL],
    audience: 'asker',
  });

/** The bot knows nothing of what was said. */
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

/** Each entry asks for what a press of the first button does. */
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

const WAITS = 'Nothing changes until you press.';
const PRESS = "It isn't done yet: press the button to do it.";

export type ProposedChange = Omit<Extract<Decision, { kind: 'propose' }>, 'kind'>;

/** It shows a change that waits for a press; lines that are all asked for are a button each. */
export function proposed(
  { lines: [line, ...others], isEach, isAgain }: ProposedChange,
  { name, summary }: Pick<CommandEntry, 'name' | 'summary'>,
): Reply {
  const does = DOES[name] ?? 'Do this?';
  const press = /\boff\b/u.test(line) ? 'Do it' : (DO[name] ?? 'Do it');
  return reply({
    finding: isEach === true ? [{ strong: does }, ' Each has its button'] : [{ strong: does }, ' ', { code: line }],
    blocks: [
      ...(isEach === true ? [{ kind: 'list' as const, items: [line, ...others].map((one) => ({ line: [{ code: one }] })) }] : []),
      text(isAgain === true ? PRESS : `${summary}. ${WAITS}`),
    ],
    actions: [
      isEach === true ? lineButton(line) : { label: press, line, emphasis: name === 'privacy' ? 'danger' : 'primary' },
      ...others.map(lineButton),
      CANCEL,
    ],
    fields: [{ kind: 'text', label: 'Change…', hint: line.slice(name.length + 2), line: `/${name} {}` }],
  });
}

export interface ProposedRule {
  /** Sets it. */
  readonly line: string;
  readonly others: readonly string[];
  /** What is watched, and the rule in words. */
  readonly rules: string;
  /** Shows what the rule would have alerted; undefined for a kind without a history. */
  readonly backtest: string | undefined;
  /** The answer to that line, where the plan of requests bears it unasked. */
  readonly past: Reply | undefined;
  /** What is watched, as it is typed. */
  readonly target: string;
  readonly isWatched: boolean;
  readonly isAgain: boolean | undefined;
}

/** It shows a rule in words, how often it would have alerted where that is known, and its buttons. */
export function proposedRule({ line, others, rules, backtest, past, target, isWatched, isAgain }: ProposedRule): Reply {
  const figures = past?.blocks.filter(({ kind }) => kind === 'figures').slice(0, 1) ?? [];
  // Without a history there is no report, only the reason.
  const report = past === undefined || past.tone === 'warning' || figures.length === 0 ? undefined : past;
  return reply({
    finding: [{ strong: 'Set this alert?' }, ` ${rules}`],
    blocks: [...(report === undefined ? [] : [text(...report.finding, '.'), ...figures]), text(isAgain === true ? PRESS : WAITS)],
    chart: report?.chart,
    actions: [
      { label: isWatched ? 'Set' : 'Watch with this rule', line, emphasis: 'primary' },
      ...(backtest === undefined ? [] : [{ label: 'Backtest', line: backtest }]),
      ...others.map(lineButton),
      CANCEL,
    ],
    fields: [
      {
        kind: 'text',
        label: 'Change…',
        hint: 'such as below -10',
        line: isWatched ? `/alerts ${target} {}` : `/alerts ${target} watch {}`,
      },
    ],
    ...(report?.asOf === undefined ? {} : { asOf: report.asOf }),
    ...(report?.stale === undefined ? {} : { stale: report.stale }),
  });
}

/** A mute of what is not watched would change nothing. */
export const notWatched = (target: string): Reply =>
  reply({
    tone: 'warning',
    finding: [{ strong: target }, " isn't watched here, so it sends no alerts to pause"],
    actions: [
      { label: 'Watchlist', line: '/watchlist' },
      { label: 'Watch', line: `/watch ${target}` },
    ],
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

/** Others read along in a group, so chatter gets one short line there. */
const SHORT_TALK: Readonly<Record<keyof typeof TALK, string>> = {
  greeting: 'Hello!',
  thanks: "You're welcome.",
  insult: 'Sorry that I was no help.',
  smalltalk: 'I only know about ownership coins.',
  'unknowable-market': "I can't know that.",
};

export const talkedShortly = (talk: keyof typeof TALK): Reply => reply({ finding: [SHORT_TALK[talk]] });

/** It is not sent; the reason is for the log. */
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

/** Why a question has no answer; what is known follows. */
export const UNKNOWABLE: Readonly<Record<'unknowable' | 'unknowable-vote' | 'unknowable-wallet', string>> = {
  unknowable: "I can't know that, and I give no advice. What I do know:",
  'unknowable-vote': "I can't know how it ends. What the market says now:",
  'unknowable-wallet': "I can't know who is behind a wallet or what they plan. What it holds and did:",
};

export const withReason = (answer: Reply, reason: string): Reply => ({
  ...answer,
  blocks: [{ kind: 'line', line: [reason] }, ...answer.blocks],
});
