/** Answers questions: parses the line, checks the permission, runs the command, and turns errors into replies. */
import { AnalyticsError } from '../analytics/errors.js';
import { UnknownProjectError } from '../analytics/directory.js';
import type { Clock } from '../base/clock.js';
import { unlessAborted } from '../base/deadline.js';
import type { Log } from '../base/log.js';
import type { Address } from '../chat/address.js';
import { ActiveOnlyError } from '../chat/forwarding.js';
import type { Probe } from '../chat/notifier.js';
import { MAX_LINE, UnreadableFile, isOverheard, lengthOf, type Answerer, type Inbound } from '../chat/inbound.js';
import { lineText } from '../chat/plain-text.js';
import { aged, inZone, type Action, type Reply } from '../chat/reply.js';
import { metered, meteredRefreshes, type Allowance } from './allowance.js';
import { createAdmission, isOnPage, isOperator, mayAsk, type Access, type Admission } from './access.js';
import {
  ASK_ELSEWHERE,
  NOT_LISTED,
  NO_DIRECT,
  accessHint,
  managersOnly,
  misfit,
  noToken,
  pickIt,
  serviceErrorText,
  storeErrorText,
  tooLongText,
  unexpectedErrorText,
  unknownProject,
  userErrorReply,
  warning,
} from './error-sentences.js';
import type { Context } from './context.js';
import { ManagersOnlyError, UserError, commandLine, requireManager } from '../reply/index.js';
import { changesBy, isDirect, nameOf, parse, typedLine, type ParsedCommand } from './parse.js';
import { aboutChannel, answerAbout, typedThere, type AboutDeps } from './other-channel.js';
import { PlainWords } from './plain-words.js';
import { namesScreen } from './words.js';
import { asksNextPage, sparesRequests, SpokenAnswers } from './spoken-answers.js';
import { silence } from './spoken-replies.js';
import { openRecorder, type Recorder } from '../sources/recorder.js';
import type { Sources } from '../sources/kept-sources.js';
import { entryNamed } from './watchlists/targets.js';
import type { Registry } from './registry.js';
import type { Explanation, Why } from '../alerts/explanation/explain.js';
import { omitUndefined } from '../base/omit-undefined.js';

export interface BaseContext extends Omit<
  Context,
  | 'chat'
  | 'asker'
  | 'operator'
  | 'progress'
  | 'endTurn'
  | 'files'
  | 'now'
  | 'zone'
  | 'signal'
  | 'probe'
  | 'catalogue'
  | 'sources'
  | 'place'
  | 'isElsewhere'
  | 'otherChat'
> {
  readonly sources: Pick<Sources, 'keep' | 'read'>;
  readonly probe: (chat: Address) => Promise<Probe>;
}

export interface DispatcherDeps {
  readonly registry: Registry;
  readonly context: BaseContext;
  readonly access: Access;
  /** Returns earlier ids of a circle, because a permission under an earlier id remains valid. */
  readonly formerNames?: (circle: string) => readonly string[];
  /** Called for every chat with a question. Resolves once the activity is stored. */
  readonly onActivity: (chat: Address) => Promise<void>;
  /** The limits of people and chats; operators have none. By default nobody is limited. */
  readonly allowance?: Allowance;
  /** Reads plain words; shared with other users of it. By default the dispatcher makes its own. */
  readonly words?: PlainWords;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborts every question that is being answered. */
  readonly givingUp?: AbortSignal;
  /** Called after every command, for metrics. `ms` is in milliseconds. */
  readonly ran?: ((run: { readonly command: string; readonly ms: number; readonly ok: boolean }) => void) | undefined;
}

/** Creates the dispatcher. It turns every failure into a reply, except `ActiveOnlyError`, with which it rejects. */
export function createDispatcher(deps: DispatcherDeps): Answerer {
  const dispatcher = new Dispatcher(deps);
  return async (inbound) => dispatcher.answer(inbound);
}

/** A question whose command is known and may run. */
interface Permitted {
  readonly inbound: Inbound;
  readonly circles: readonly string[];
  readonly parsed: ParsedCommand;
  /** The line that is run instead of the typed one. */
  readonly instead: string | undefined;
  readonly isEntry: (text: string) => boolean;
}

class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #admission: Admission;
  readonly #words: PlainWords;
  readonly #spoken: SpokenAnswers;
  readonly #about: AboutDeps;
  #references = 0;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    const { directory, watchlists } = deps.context;
    this.#words = deps.words ?? new PlainWords({ registry: deps.registry, directory, watchlists, clock: deps.clock });
    this.#spoken = new SpokenAnswers({
      ...{ registry: deps.registry, watchlists, words: this.#words, isName: this.#isName, now: () => deps.clock.now() },
      titleOf: async (target) => ((await this.#isName(target)) ? (await directory.named(target))[0]?.name : undefined) ?? target,
      sparesRequests: () => sparesRequests(deps.context.analytics.state().budget),
      line: async (line, inbound, circles) => this.#line(line, inbound, circles),
    });
    this.#admission = createAdmission({ access: deps.access, watchlists: deps.context.watchlists });
    this.#about = {
      ...{ commands: deps.registry.commands, probe: deps.context.probe, placeWord: deps.context.placeWord },
      meant: async (sentence, inbound) => (await this.#words.read(sentence, inbound, { alone: true })).decision,
      admit: async (inbound) => this.#admit(inbound),
      answer: async (inbound, circles) => inZone(await this.#answer(inbound, circles), this.#zoneIn(inbound.chat)),
      failed: (error, inbound) => this.#errorReply(error, inbound),
    };
  }

  async answer(inbound: Inbound): Promise<Reply> {
    const { givingUp, clock, log } = this.#deps;
    if (isOverheard(inbound)) {
      const answer = await this.#overhear(inbound);
      if (answer.audience === 'nobody')
        log.debug('question.silent', { chat: inbound.chat, because: lineText(answer.finding, clock.now()) });
      return inZone(answer, this.#zoneIn(inbound.chat));
    }
    try {
      const answering = answerAbout(inbound, this.#about);
      return await (givingUp === undefined ? answering : unlessAborted(givingUp, answering));
    } catch (error) {
      if (error instanceof ActiveOnlyError) throw error;
      return inZone(this.#errorReply(error, inbound), this.#zoneIn(inbound.chat));
    }
  }

  /** Answers a message that is not addressed to the bot. One without an answer is not recorded and not charged. */
  async #overhear(inbound: Inbound): Promise<Reply> {
    const { access, givingUp } = this.#deps;
    const circles = this.#circlesOf(inbound);
    if (!('line' in inbound.ask) || lengthOf(inbound.ask) > MAX_LINE) return silence('no sentence');
    if (!mayAsk({ circles }, access)) return silence('this person may not ask');
    const answering = this.#spoken.overheard(inbound.ask.line, inbound, circles);
    return givingUp === undefined ? answering : unlessAborted(givingUp, answering).catch(() => silence('the bot is stopping'));
  }

  /** Returns the circles of the asker with their former names. Rejects for people who may not ask. */
  async #admit(inbound: Inbound): Promise<readonly string[]> {
    const circles = this.#circlesOf(inbound);
    if (!this.#isOpen(inbound) && !(await this.#admission.mayAsk({ ...inbound, circles }))) throw this.#notAllowed(inbound);
    // Outside and operator questions come from chats in which the bot cannot post, so no activity is recorded.
    if (inbound.outside === undefined && inbound.byOperator === undefined) await this.#deps.onActivity(inbound.chat);
    const length = lengthOf(inbound.ask);
    if (length > MAX_LINE) throw new UserError(tooLongText(length));
    return circles;
  }

  #circlesOf({ circles }: Inbound): readonly string[] {
    return circles.flatMap((circle) => [circle, ...(this.#deps.formerNames?.(circle) ?? [])]);
  }

  /** Tells whether people who are not listed may ask. A command about another chat checks the permission of that chat. */
  #isOpen({ ask, elsewhere }: Inbound): boolean {
    if (elsewhere !== undefined) return false;
    const name = 'line' in ask ? nameOf(ask.line) : ask.command;
    return this.#deps.registry.commands.get(name)?.command.open === true;
  }

  async #answer(inbound: Inbound, circles: readonly string[]): Promise<Reply> {
    const { ask } = inbound;
    const spoken = 'line' in ask && /^\s*[^\s/]/u.test(ask.line) ? ask.line : undefined;
    let permitted: Permitted;
    try {
      permitted = await this.#permitted(inbound, circles);
    } catch (error) {
      if (!(error instanceof UserError) || error.remedy.isRefused === true || !('line' in ask)) throw error;
      if (spoken === undefined && error.remedy.isUnread !== true) throw error;
      return spoken === undefined
        ? this.#spoken.reread(ask.line, { inbound, circles, error })
        : this.#spoken.answer(spoken, inbound, circles);
    }
    const { command, values } = permitted.parsed;
    const question = command.reads === undefined ? (asksNextPage(spoken) ? spoken : undefined) : values[command.reads];
    if (question !== undefined) return this.#spoken.answer(question, inbound, circles);
    // A line without its slash may be a sentence, and a sentence must not change anything before a press.
    if (spoken !== undefined && changesBy(permitted.parsed)) return this.#spoken.change(spoken, permitted);
    try {
      return await this.#run(permitted);
    } catch (error) {
      if (!('line' in ask) || !(error instanceof UserError) || error.remedy.isUnread !== true || permitted.instead !== undefined)
        throw error;
      return this.#spoken.reread(ask.line, { inbound, circles, error });
    }
  }

  async #line(line: string, inbound: Inbound, circles: readonly string[]): Promise<Reply> {
    return this.#run(await this.#permitted({ ...inbound, ask: { line } }, circles));
  }

  async #permitted(inbound: Inbound, circles: readonly string[]): Promise<Permitted> {
    const { registry, context: base } = this.#deps;
    const isEntry = (text: string): boolean => entryNamed(text, base.watchlists.read(inbound.chat)) !== undefined;
    const permit = async (asked: ParsedCommand): Promise<void> => this.#permit(asked, inbound);
    const parseDeps = { commands: registry.commands, isName: this.#isName, isEntry, permit };
    const requested = await parse(inbound.ask, parseDeps);
    const instead = await requested.command.instead?.(requested.values, base);
    const parsed = instead === undefined ? requested : await parse({ line: instead }, parseDeps);
    const fit = parsed.command.args.safeParse(parsed.values);
    if (!fit.success) throw misfit(fit.error, parsed);
    return { inbound, circles, parsed, instead, isEntry };
  }

  async #permit(asked: ParsedCommand, inbound: Inbound): Promise<void> {
    const { command, values } = asked;
    const manages = typeof command.manages === 'function' ? command.manages(values) : command.manages === true;
    if (!manages || isDirect(asked)) return;
    await requireManager(inbound.from).catch((error: unknown) => {
      throw error instanceof ManagersOnlyError ? managersOnly(inbound, this.#deps.context.placeWord(inbound.chat), command) : error;
    });
  }

  async #run({ inbound, circles, parsed, instead, isEntry }: Permitted): Promise<Reply> {
    const { registry, context: base, clock, ran } = this.#deps;
    const { command, values } = parsed;
    const { chat, from: asker } = isDirect(parsed) ? await this.#inDirect(inbound, circles) : inbound;
    const recorder = openRecorder();
    const context = this.#contextOf(inbound, { chat, asker, recorder });
    const begun = clock.now();
    let ok = false;
    try {
      const answered = aged(await recorder.run(async () => command.run(values, context)), clock.now());
      ok = true;
      // The zone is read after the run, because the command may have changed it.
      const local = inZone(answered, this.#zoneIn(chat));
      const addressed: Reply = command.audience === 'asker' || isDirect(parsed) ? { ...local, audience: 'asker' } : local;
      if (inbound.withoutButtons === true) return addressed;
      const parseDeps = { commands: registry.commands, isName: this.#isName, isEntry };
      const key = base.sources.keep({
        chat: inbound.elsewhere?.askedIn ?? chat,
        person: addressed.audience === 'asker' || inbound.elsewhere !== undefined ? asker.id : undefined,
        line: typedThere(await typedLine(instead === undefined ? inbound.ask : { line: instead }, parsed, parseDeps), inbound),
        reply: addressed,
        recorder,
      });
      // A follow-up concerns the chat in which it is said, so questions about other channels are not remembered.
      if (inbound.elsewhere === undefined && changesBy(parsed)) this.#words.rememberChange(answered, inbound);
      if (inbound.elsewhere === undefined) this.#words.remember(parsed, inbound, answered, key);
      return key === undefined ? addressed : { ...addressed, actions: [...addressed.actions, sourcesAction(key)] };
    } catch (error) {
      if (error instanceof UnknownProjectError) throw unknownProject(error, parsed);
      throw error instanceof AnalyticsError && error.trouble === 'unknown' ? ((await this.#withoutToken(parsed)) ?? error) : error;
    } finally {
      ran?.({ command: command.name, ms: clock.now() - begun, ok });
    }
  }

  /** Returns an error for a project that has only a launch: the service has no figures before its token exists. */
  async #withoutToken({ command, values: { project = '' } }: ParsedCommand): Promise<UserError | undefined> {
    const [found, another] = (await this.#isName(project)) ? await this.#deps.context.directory.named(project) : [];
    return found === undefined || another !== undefined || found.symbol !== undefined ? undefined : noToken(found, command.name);
  }

  #contextOf(
    inbound: Inbound,
    { chat, asker, recorder }: Pick<Context, 'chat' | 'asker'> & { readonly recorder: ReturnType<typeof openRecorder> },
  ): Context {
    const { registry, context: base, access, clock } = this.#deps;
    const { signal, endTurn = () => {}, files = [] } = inbound;
    const operator = isOperator(inbound, access);
    const paid = { ...base, ...(operator ? {} : this.#paidBy(inbound)) };
    return {
      ...paid,
      analytics: recorder.analytics(paid.analytics),
      why: recordedWhy(paid.why, recorder),
      digests: { state: (of: Address) => paid.digests.state(of), preview: async (of: Address) => paid.digests.preview(of, recorder.add) },
      chat,
      asker,
      operator,
      signal,
      progress: inbound.progress && (async (of: Reply) => inbound.progress?.(inZone(of, this.#zoneIn(chat)))),
      endTurn,
      place: inbound.elsewhere?.name ?? `this ${base.placeWord(chat)}`,
      isElsewhere: inbound.elsewhere !== undefined,
      otherChat: async (channel: string) => this.#otherChat(inbound, channel),
      probe: async () => base.probe(chat),
      files,
      now: clock.now(),
      zone: this.#zoneIn(chat),
      catalogue: registry.catalogue,
    };
  }

  #zoneIn(chat: Address): string | undefined {
    return this.#deps.context.watchlists.read(chat).timezone;
  }

  readonly #isName = async (text: string): Promise<boolean> => {
    const { directory } = this.#deps.context;
    if (namesScreen(text)) return true;
    try {
      await directory.all();
      return (await directory.named(text)).length > 0;
    } catch (error) {
      // Without the directory the first word is taken as the name, and the command reports the failure.
      if (error instanceof AnalyticsError) return false;
      throw error;
    }
  };

  #paidBy(inbound: Inbound): Partial<BaseContext> {
    const { allowance, context: base } = this.#deps;
    if (allowance === undefined || (isOnPage(inbound) && !allowance.includesPage)) return {};
    const meter = allowance.of({ person: inbound.from.id, chat: inbound.chat });
    return { analytics: metered(base.analytics, meter), refreshes: meteredRefreshes(base.refreshes, meter) };
  }

  async #otherChat(inbound: Inbound, channel: string): ReturnType<Context['otherChat']> {
    // Telegram limits how often names are looked up, so strangers may not cause it. The picker gives ids.
    if (channel.startsWith('@') && !(await this.#admission.mayAsk({ ...inbound, circles: this.#circlesOf(inbound) }))) throw pickIt();
    const there = await aboutChannel(inbound, channel);
    const circles = await this.#admit(there);
    await this.#admission.admit(inbound.chat, circles);
    return { chat: there.chat, ...there.elsewhere, probe: await this.#deps.context.probe(there.chat) };
  }

  async #inDirect({ chat: here, from }: Inbound, circles: readonly string[]): Promise<Pick<Inbound, 'chat' | 'from'>> {
    const chat = await from.direct?.();
    if (chat === undefined) throw new UserError(NO_DIRECT);
    await this.#deps.onActivity(chat);
    if (chat !== here) await this.#admission.admit(chat, circles);
    return { chat, from: { ...from, manages: async () => true } };
  }

  #notAllowed({ chat, circles, outside }: Inbound): UserError {
    const links = outside === undefined ? this.#deps.context.inviteLinks(chat) : [];
    return new UserError(NOT_LISTED, { lines: [ASK_ELSEWHERE, accessHint(circles)], links });
  }

  #errorReply(error: unknown, inbound: Inbound): Reply {
    const { registry, context: base, givingUp, log } = this.#deps;
    if (error instanceof UserError) return userErrorReply(error, registry.commands);
    if (error instanceof ManagersOnlyError) return userErrorReply(managersOnly(inbound, base.placeWord(inbound.chat)), registry.commands);
    if (error instanceof UnreadableFile) return warning(error.says);
    if (givingUp?.aborted) return warning('The bot was stopped before it could answer. Ask again in a minute.');
    if (inbound.signal?.aborted) return warning('Stopped, because it took too long. Ask again.');
    if (error instanceof UnknownProjectError) return userErrorReply(unknownProject(error), registry.commands);
    if (error instanceof AnalyticsError) {
      log.info('question.failed', { chat: inbound.chat, trouble: error.trouble, row: error.row, error });
      return warning(...serviceErrorText(error));
    }
    this.#references += 1;
    const known = `${this.#deps.clock.now().toString(36)}-${this.#references.toString(36)}`;
    log.error('question.broke', { chat: inbound.chat, reference: known, error });
    // dispatch does not import the store, so its errors are recognised by name.
    return warning(error instanceof Error && error.name === 'StoreError' ? storeErrorText(known) : unexpectedErrorText(known));
  }
}

const sourcesAction = (key: string): Action => ({ label: 'Sources', line: commandLine('sources', key), on: false });

/** Wraps `why` so that the events of its explanations become sources of the reply. */
const recordedWhy = (why: Why, recorder: Pick<Recorder, 'add'>): Why => ({
  lately: async (...asked) => why.lately(...asked),
  ofProposal: async (...asked) => why.ofProposal(...asked),
  ofSilence: async (...asked) => why.ofSilence(...asked),
  marketNamed: async (...asked) => why.marketNamed(...asked),
  clockDoubt: () => why.clockDoubt(),
  async ofDelivery(address, id) {
    const explanations = await why.ofDelivery(address, id);
    for (const { event, crossings } of explanations ?? [])
      recorder.add({
        record: omitUndefined({ what: `event ${event.id}`, at: event.detectedAt, dataAt: event.occurredAt }),
        data: { facts: givenIn(event.facts), crossings: crossings.map(earlierIn) },
      });
    return explanations;
  },
});

const COMPUTED: ReadonlySet<string> = new Set(['gap', 'zScore']);

const givenIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(givenIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, part]) => (COMPUTED.has(name) ? [] : [[name, givenIn(part)]])));
};

const earlierIn = ({ was, since, year }: Explanation['crossings'][number]) => ({ was, since, year });
