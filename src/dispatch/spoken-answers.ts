/** Answers plain words and almost correct lines: runs what is sure, proposes what changes something, offers what is unsure. */
import type { BudgetState } from '../analytics/analytics.js';
import { allIn, entryHere } from '../alerts/watchlist/exceptions.js';
import type { Chat, Watchlists } from '../alerts/watchlist/watchlists.js';
import type { Instant } from '../base/clock.js';
import { never } from '../base/never.js';
import type { Inbound } from '../chat/inbound.js';
import type { Reply } from '../chat/reply.js';
import type { Decision } from '../reading/decide.js';
import { leavesOutTime } from '../reading/several.js';
import { MORE } from '../reading/follow-ups.js';
import { UserError, commandLine, muteTime, zoneOf, type MuteClock } from '../reply/index.js';
import { changesBy, isCostly, nameOf, namedLine, parse, typedLine, type ParsedCommand } from './parse.js';
import type { PlainWords } from './plain-words.js';
import type { Registry } from './registry.js';
import {
  UNKNOWABLE,
  alreadySet,
  lineButton,
  notUnderstood,
  nothingWatched,
  notWatched,
  offered,
  isUndo,
  type ProposedChange,
  proposed,
  proposedRule,
  severalAsked,
  readAs,
  silence,
  talked,
  talkedShortly,
  withReason,
} from './spoken-replies.js';
import { alertKind, hasHistory, hasHistoryOf } from '../alerts/rules/kinds.js';
import { readRule } from '../alerts/rules/read-rule.js';
import type { KindRules } from '../alerts/rules/rule.js';
import { slug } from '../domain/scalars.js';
import { MEASURES } from '../domain/measures.js';
import { isDeepStrictEqual } from 'node:util';
import type { Entry } from '../alerts/watchlist/entry.js';
import { isOff, rulesFor } from '../alerts/rules/presets.js';
import type { ThresholdRule } from '../domain/threshold-rule.js';
import { ruleText } from './watchlists/rule-text.js';
import { entryNamed } from './watchlists/targets.js';
import type { IsName } from './words.js';

const canBacktest = ({ kind, thresholds }: KindRules): boolean => hasHistory(kind) && thresholds.every((one) => hasHistoryOf(kind, one));

/** Returns a rule on the same measure as it is typed. */
const exampleOf = ({ kind, thresholds: [first] }: KindRules): string =>
  (first && MEASURES[first.measure].threshold?.examples[0]) ?? `${kind} ${alertKind(kind)?.offers.example ?? 'usd>10000'}`;

/** Returns the entry that a name concerns; the entry for all projects for a project without its own. */
const entryIn = (chat: Chat, name: string): Entry | undefined =>
  entryNamed(name, chat) ?? entryHere(chat, { kind: 'project', slug: slug(name) });

/** Tells whether the entry alerts by all of the thresholds already. Their hysteresis may differ. */
function hasRules(entry: Entry, { kind, filters, thresholds }: KindRules): boolean {
  if (isOff(entry, kind) || thresholds.length === 0 || Object.keys(filters).length > 0) return false;
  const standing = rulesFor(entry, kind).thresholds.map(withoutHysteresis);
  return thresholds.every((asked) => standing.some((one) => isDeepStrictEqual(one, withoutHysteresis(asked))));
}

const withoutHysteresis = (rule: ThresholdRule): object => ({ ...rule, hysteresis: undefined });

export interface SpokenDeps {
  readonly registry: Registry;
  readonly watchlists: Pick<Watchlists, 'read'>;
  readonly words: PlainWords;
  readonly isName: IsName;
  /** Resolves with the display name of a target in a line. */
  readonly titleOf: (target: string) => Promise<string>;
  readonly now: () => Instant;
  /** Tells whether the plan's limits allow a backtest that nobody asked for. */
  readonly sparesRequests: () => boolean;
  /** Runs a line with the rights of the asker. */
  readonly line: (line: string, inbound: Inbound, circles: readonly string[]) => Promise<Reply>;
}

export interface Asking {
  readonly inbound: Inbound;
  readonly circles: readonly string[];
}

/** The value is in requests. With fewer left, they are kept for checks and for questions. */
const ENOUGH_LEFT = 2_000;

export const sparesRequests = ({ limit, used }: Pick<BudgetState, 'limit' | 'used'>): boolean =>
  limit === undefined || limit - used >= ENOUGH_LEFT;

/** The most readings that become buttons of an error. */
const MAX_REREADINGS = 3;

/** "Next page" is no line of /next. */
export const asksNextPage = (text: string | undefined): text is string => text !== undefined && /\bpage\b/iu.test(text) && MORE.test(text);

const QUESTION =
  /\?|^\s*(?:who|what|whats|what's|when|where|why|which|how|is|are|was|were|does|do|did|has|have|can|could|show|list|compare|give|explain|top)\b/iu;

/** Matches a text that continues what somebody said before. */
const CONNECTS = /^\s*(?:and|but|so|then|also|ok(?:ay)?|what about|how about)\b/iu;

/** In a group only complete questions count: people also state things ("tide is cheap now") and ask each other "why?". */
const isQuestion = (text: string): boolean => QUESTION.test(text) && !CONNECTS.test(text) && /\S\s+\S/u.test(text);

/** The value is in characters. A longer line is no sentence, and would fill the chat. */
const MAX_LINE_SHOWN = 300;

/** Tells whether no words of a `/mute` line are a time, wherever they stand. */
function isTimelessMute(line: string, here: MuteClock): boolean {
  const [command, ...words] = line.split(' ');
  const isTime = (from: number, to: number): boolean => muteTime(words.slice(from, to).join(' '), here) !== undefined;
  return (
    command === '/mute' &&
    words.length <= MAX_WORDS &&
    !words.some((_, from) => words.some((__, behind) => behind >= from && isTime(from, behind + 1)))
  );
}

/** The value is in words. A longer line waits for a press without being checked for a time. */
const MAX_WORDS = 16;

export class SpokenAnswers {
  readonly #deps: SpokenDeps;

  constructor(deps: SpokenDeps) {
    this.#deps = deps;
  }

  /**
   * Rereads a typed line that failed. If every word is understood, answers what was meant;
   * else the nearest lines become buttons of the error. A known command is never replaced by another.
   */
  async reread(typed: string, { inbound, circles, error }: Asking & { readonly error: UserError }): Promise<Reply> {
    const { says, remedy } = error;
    const { decision, isWhole, numbers, names } = await this.#deps.words.read(typed, inbound, { alone: true });
    const name = nameOf(typed);
    const isMeant = (line: string): boolean =>
      line !== typed.trim() &&
      numbers.every((digits) => line.includes(digits)) &&
      (nameOf(line) === name || !this.#deps.registry.commands.has(name));
    if (decision.kind === 'run' && isWhole && isMeant(decision.line)) {
      const answered = await this.#deps.line(decision.line, inbound, circles).catch(() => undefined);
      if (answered !== undefined && answered.tone !== 'warning') return readAs(answered, decision.line, decision.others);
    }
    if (decision.kind === 'talk' || decision.kind === 'stranger') throw error;
    if (decision.kind === 'offer' && isWhole && decision.lines.length > 0 && !this.#deps.registry.commands.has(name)) {
      // If one project is named, another view of that project is also a likely answer.
      const [subject, ...more] = names;
      const [view = '', ...others] = decision.lines;
      const isOfOne = subject !== undefined && more.length === 0 && decision.lines.every((line) => line.includes(subject));
      if (isOfOne && isMeant(view) && (await this.#isView(view)))
        return readAs(await this.#deps.line(view, inbound, circles), view, others.slice(0, 1));
      return offered(decision.lines, decision.unread);
    }
    if (decision.kind === 'propose' && isWhole && !this.#deps.registry.commands.has(name))
      return this.#proposal(decision, { inbound, circles });
    const known = new Set((remedy.actions ?? []).map(({ line }) => line));
    const lines = (decision.kind === 'run' ? [decision.line] : decision.lines).filter(
      (line) => isMeant(line) && !known.has(line) && (isWhole || names.some((name) => line.includes(name))),
    );
    throw new UserError(says, { ...remedy, actions: [...lines.slice(0, MAX_REREADINGS).map(lineButton), ...(remedy.actions ?? [])] });
  }

  /** Tells whether a line changes nothing and takes few requests. */
  async #isView(line: string): Promise<boolean> {
    const parsed = await parse({ line }, { commands: this.#deps.registry.commands, isName: this.#deps.isName }).catch(() => undefined);
    return parsed !== undefined && !changesBy(parsed) && !isCostly(parsed);
  }

  /** Proposes a change typed without its slash: as its words are read, else as typed. */
  async change(spoken: string, { inbound, circles, parsed }: Asking & { readonly parsed: ParsedCommand }): Promise<Reply> {
    const { decision } = await this.#deps.words.read(spoken, inbound, { alone: true });
    if (decision.kind === 'offer') return offered(decision.lines, decision.unread);
    if (decision.kind === 'several') return severalAsked(decision.lines);
    // The `confirm` option is left out, because the press confirms the change.
    const { confirm: _confirm, ...values } = parsed.values;
    const proposal: ProposedChange = decision.kind === 'propose' ? decision : { lines: [await this.#typed({ ...parsed, values })] };
    if (proposal.lines[0].length > MAX_LINE_SHOWN) return notUnderstood();
    return this.#proposal(proposal, { inbound, circles });
  }

  /** Writes a line as people type it: without option names if that parses to the same values. */
  async #typed(parsed: ParsedCommand, more: Readonly<Record<string, string>> = {}): Promise<string> {
    const options = { ...parsed.values, ...more };
    return typedLine(
      { command: parsed.command.name, options },
      { ...parsed, values: options },
      { commands: this.#deps.registry.commands, isName: this.#deps.isName },
    );
  }

  /** Answers plain words by running, proposing or offering lines, or with talk. */
  async answer(text: string, inbound: Inbound, circles: readonly string[]): Promise<Reply> {
    const { decision, time } = await this.#deps.words.read(text, inbound);
    switch (decision.kind) {
      case 'run':
        return readAs(await this.#deps.line(decision.line, inbound, circles), decision.line, decision.others, {
          unused: leavesOutTime(decision.line) ? time : undefined,
        });
      case 'stranger':
        return this.#stranger(decision, inbound, circles);
      case 'propose':
        return this.#proposal(decision, { inbound, circles });
      case 'several':
        return severalAsked(decision.lines);
      case 'offer':
        return offered(decision.lines, decision.unread);
      case 'talk':
        return this.#talk(decision, inbound, circles);
      default:
        return never(decision);
    }
  }

  /** Answers with an error that names the unknown project and offers similar ones. */
  async #stranger({ name, line }: Extract<Decision, { kind: 'stranger' }>, inbound: Inbound, circles: readonly string[]): Promise<Reply> {
    const parsed = await parse({ line }, { commands: this.#deps.registry.commands, isName: async (text) => text === name }).catch(
      () => undefined,
    );
    const isQuestion = parsed !== undefined && !changesBy(parsed) && !isCostly(parsed) && parsed.values['project'] === name;
    return this.#deps.line(isQuestion ? line : commandLine('project', name), inbound, circles);
  }

  /**
   * Answers a reply to the bot's message in a group. Such a reply is usually meant for people, so only a sure question
   * or a follow-up of the person's own last question is answered. Never rejects.
   */
  async overheard(text: string, inbound: Inbound, circles: readonly string[]): Promise<Reply> {
    try {
      const { decision, isWhole, follows } = await this.#deps.words.read(text, inbound, {
        alone: inbound.addressing !== 'reply to answer',
      });
      if (decision.kind !== 'run') return silence(`these words are for people: ${decision.kind}`);
      if (follows !== true && !(isWhole && isQuestion(text))) return silence('these words are for people: no sure question');
      const answered = await this.#deps.line(decision.line, inbound, circles);
      return answered.tone === 'warning' ? silence('the answer would be an error') : readAs(answered, decision.line, decision.others);
    } catch (error) {
      return silence(`the question failed: ${error instanceof Error ? error.name : 'unknown'}`);
    }
  }

  /** Proposes a change. An alert rule is shown in words and with the alerts that it would have caused. */
  async #proposal(proposal: ProposedChange, { inbound, circles }: Asking): Promise<Reply> {
    const { registry, watchlists, words } = this.#deps;
    const { lines, isAgain } = proposal;
    words.rememberCard(lines, inbound);
    const [line, ...others] = lines;
    const parsed = await parse({ line }, { commands: registry.commands, isName: this.#deps.isName });
    const { target, rule, kind, action } = parsed.values;
    const chat = watchlists.read(inbound.chat);
    // The entry for all projects covers every project; the command reports an excluded one.
    const isCovered = target !== undefined && allIn(chat) !== undefined && (await this.#deps.isName(target));
    const isWatched = target !== undefined && (isCovered || entryNamed(target, chat) !== undefined);
    const isMute = ['mute', 'unmute'].includes(parsed.command.name);
    if (isMute && chat.entries.length === 0 && target !== undefined && (await this.#deps.isName(target.split(' ')[0] ?? '')))
      return nothingWatched();
    if (isMute && others.length === 0 && target !== undefined && !isWatched && (await this.#deps.isName(target))) return notWatched(target);
    // A mute without a time changes nothing: its page names what would be paused, and each time is one press.
    if (
      target !== undefined &&
      proposal.isEach !== true &&
      !isUndo(line) &&
      isTimelessMute(line, { now: this.#deps.now(), zone: zoneOf(chat) })
    )
      return this.#deps.line(line, inbound, circles);
    if (parsed.command.name !== 'alerts' || target === undefined || (rule === undefined && kind === undefined) || action !== undefined)
      return proposed(proposal, parsed.command);
    const read = readRule([kind, rule].filter((part) => part !== undefined).join(' '), this.#deps.now());
    if (!read.read) return proposed(proposal, parsed.command);
    // A rule without a project was read as the target, which cannot be watched.
    if (!isWatched && readRule([kind, target].filter((part) => part !== undefined).join(' '), this.#deps.now()).read)
      return proposed(proposal, parsed.command);
    const title = await this.#deps.titleOf(target);
    const standing = isWatched && isAgain !== true ? entryIn(chat, target) : undefined;
    if (standing !== undefined && others.length === 0 && hasRules(standing, read.rules))
      return alreadySet({ title, entry: standing, rules: read.rules, target });
    const set = isWatched ? line : await this.#typed(parsed, { action: 'watch' });
    const alone = isWatched || chat.preset === 'digest' ? undefined : await this.#typed(parsed, { action: 'watch-only' });
    const rules = ruleText(read.rules.kind, read.rules);
    const isTried = canBacktest(read.rules) && (await this.#deps.isName(target));
    const backtest = isTried ? namedLine(parsed, { action: 'backtest' }) : undefined;
    const tries = backtest !== undefined && isAgain !== true && this.#deps.sparesRequests();
    const past = tries ? await this.#deps.line(backtest, inbound, circles).catch(() => undefined) : undefined;
    return proposedRule({
      ...{ line: set, alone, others, rules: `${title}, ${read.rules.kind}: ${rules}`, backtest, past, target, isWatched, isAgain },
      example: exampleOf(read.rules),
    });
  }

  async #talk({ talk, lines }: Extract<Decision, { kind: 'talk' }>, inbound: Inbound, circles: readonly string[]): Promise<Reply> {
    if (talk !== 'unknowable' && talk !== 'unknowable-vote' && talk !== 'unknowable-wallet')
      return inbound.addressing === undefined ? talked(talk, lines) : talkedShortly(talk);
    const [line, ...others] = lines;
    const answer = line === undefined ? undefined : await this.#deps.line(line, inbound, circles).catch(() => undefined);
    return answer === undefined || line === undefined
      ? talked('unknowable-market', lines)
      : readAs(withReason(answer, UNKNOWABLE[talk]), line, others);
  }
}
