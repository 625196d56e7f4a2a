/** Answers questions: parse, permission, run, errors as replies. */
import type { z } from 'zod';
import { AnalyticsError } from '../analytics/errors.js';
import { UnknownProjectError } from '../analytics/directory.js';
import type { Clock } from '../base/clock.js';
import { unlessAborted } from '../base/deadline.js';
import type { Log } from '../base/log.js';
import { either } from '../base/sentence-lists.js';
import { brief } from '../base/one-line.js';
import type { Address } from '../chat/address.js';
import { ActiveOnlyError } from '../chat/forwarding.js';
import type { Probe } from '../chat/notifier.js';
import { lengthOf, MAX_LINE, UnreadableFile, type Answerer, type Inbound } from '../chat/inbound.js';
import { aged, inZone, reply, type Action, type BlockDraft, type Line, type Reply } from '../chat/reply.js';
import { metered, meteredRefreshes, type Allowance } from './allowance.js';
import { isOnPage, isOperator, mayAsk, type Access } from './access.js';
import { createAdmission } from './private-chat-access.js';
import {
  serviceErrorText,
  ASK_ELSEWHERE,
  accessHint,
  managersOnlyText,
  NO_DIRECT,
  NOT_LISTED,
  OUTSIDE,
  storeErrorText,
  tooLongText,
  unexpectedErrorText,
} from './error-sentences.js';
import type { Context } from './context.js';
import { commandLine, UserError, ManagersOnlyError, requireManager, line, type Remedy } from '../reply/index.js';
import { usage } from './command-options.js';
import { isNameSized } from '../domain/project.js';
import { isDirect, parse, takes, type RegisteredCommand, type ParsedCommand } from './parse.js';
import { namedLine, typedLine } from './repeat-line.js';
import { openRecorder } from '../sources/recorder.js';
import type { Sources } from '../sources/kept-sources.js';
import { entryNamed } from './watchlists/targets.js';
import { recordedWhy } from './recorded-why.js';
import type { Registry } from './registry.js';

export interface BaseContext extends Omit<
  Context,
  'chat' | 'asker' | 'operator' | 'progress' | 'endTurn' | 'files' | 'now' | 'zone' | 'signal' | 'probe' | 'catalogue' | 'sources'
> {
  readonly sources: Pick<Sources, 'keep' | 'read'>;
  readonly probe: (chat: Address) => Promise<Probe>;
}

export interface DispatcherDeps {
  readonly registry: Registry;
  readonly context: BaseContext;
  readonly access: Access;
  /** A permission under an earlier id remains valid. */
  readonly formerNames?: (circle: string) => readonly string[];
  /** For every chat with a question. Resolves when durable. */
  readonly onActivity: (chat: Address) => Promise<void>;
  /** Operators have no limits. Default: none. */
  readonly allowance?: Allowance;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends every question under way. Default: never. */
  readonly givingUp?: AbortSignal;
  /** After every command, for metrics; in ms. */
  readonly ran?: ((run: { readonly command: string; readonly ms: number; readonly ok: boolean }) => void) | undefined;
}

/** Every failure is a reply; rejects only with an `ActiveOnlyError`. */
export function createDispatcher({
  registry,
  context: base,
  access,
  allowance,
  formerNames = () => [],
  onActivity,
  givingUp,
  clock,
  log,
  ran,
}: DispatcherDeps): Answerer {
  const admission = createAdmission({ access, watchlists: base.watchlists });
  let references = 0;
  const reference = (): string => `${clock.now().toString(36)}-${(references += 1).toString(36)}`;

  const zoneIn = (chat: Address): string | undefined => base.watchlists.read(chat).timezone;

  const isName = async (text: string): Promise<boolean> => {
    try {
      await base.directory.all();
      return (await base.directory.named(text)).length > 0;
    } catch (error) {
      // Without the directory the first word is the name; the command then reports the failure.
      if (error instanceof AnalyticsError) return false;
      throw error;
    }
  };

  const paidBy = (inbound: Inbound): Partial<BaseContext> => {
    if (allowance === undefined || (isOnPage(inbound) && !allowance.includesPage)) return {};
    const meter = allowance.of({ person: inbound.from.id, chat: inbound.chat });
    return { analytics: metered(base.analytics, meter), refreshes: meteredRefreshes(base.refreshes, meter) };
  };

  async function answer(inbound: Inbound): Promise<Reply> {
    const circles = inbound.circles.flatMap((circle) => [circle, ...formerNames(circle)]);
    if (!mayAsk({ circles }, access) && !(await admission.isAdmitted(inbound))) throw notAllowed(inbound);
    // The bot cannot post there, so there is nothing to remember.
    if (inbound.outside === undefined && inbound.byOperator === undefined) await onActivity(inbound.chat);
    const length = lengthOf(inbound.ask);
    if (length > MAX_LINE) throw new UserError(tooLongText(length));
    const permit = async (asked: ParsedCommand): Promise<void> => {
      const { command, values } = asked;
      const manages = typeof command.manages === 'function' ? command.manages(values) : command.manages === true;
      if (!manages || isDirect(asked)) return;
      await requireManager(inbound.from).catch((error: unknown) => {
        throw error instanceof ManagersOnlyError ? managersOnly(inbound, base.placeWord(inbound.chat), command) : error;
      });
    };
    const isEntry = (text: string): boolean => entryNamed(text, base.watchlists.read(inbound.chat)) !== undefined;
    const parseDeps = { commands: registry.commands, isName, isEntry, permit };
    const requested = await parse(inbound.ask, parseDeps);
    const instead = await requested.command.instead?.(requested.values, base);
    const parsed = instead === undefined ? requested : await parse({ line: instead }, parseDeps);
    const { command, values } = parsed;
    const fit = command.args.safeParse(values);
    if (!fit.success) throw misfit(fit.error, parsed);
    const { signal, endTurn = () => {}, files = [] } = inbound;
    const { chat, from: asker } = isDirect(parsed) ? await inDirect(inbound, circles) : inbound;
    const progress = inbound.progress && (async (of: Reply) => inbound.progress?.(inZone(of, zoneIn(chat))));
    const probe = async () => base.probe(chat);
    const operator = isOperator(inbound, access);
    const paid = { ...base, ...(operator ? {} : paidBy(inbound)) };
    const recorder = openRecorder();
    const context = {
      ...paid,
      analytics: recorder.analytics(paid.analytics),
      why: recordedWhy(paid.why, recorder),
      digests: { state: (of: Address) => paid.digests.state(of), preview: async (of: Address) => paid.digests.preview(of, recorder.add) },
      chat,
      asker,
      operator,
      signal,
      progress,
      endTurn,
      probe,
      files,
      now: clock.now(),
      zone: zoneIn(chat),
      catalogue: registry.catalogue,
    };
    const begun = clock.now();
    let ok = false;
    try {
      const answered = aged(await recorder.run(async () => command.run(values, context)), clock.now());
      ok = true;
      // The command may have changed the timezone.
      const local = inZone(answered, zoneIn(chat));
      const addressed: Reply = command.audience === 'asker' || isDirect(parsed) ? { ...local, audience: 'asker' } : local;
      if (inbound.withoutButtons === true) return addressed;
      const key = base.sources.keep({
        chat,
        person: addressed.audience === 'asker' ? asker.id : undefined,
        line: await typedLine(instead === undefined ? inbound.ask : { line: instead }, parsed, {
          commands: registry.commands,
          isName,
          isEntry,
        }),
        reply: addressed,
        recorder,
      });
      return key === undefined ? addressed : { ...addressed, actions: [...addressed.actions, sourcesAction(key)] };
    } catch (error) {
      throw error instanceof UnknownProjectError ? unknownProject(error, parsed) : error;
    } finally {
      ran?.({ command: command.name, ms: clock.now() - begun, ok });
    }
  }

  async function inDirect({ chat: here, from }: Inbound, circles: readonly string[]): Promise<Pick<Inbound, 'chat' | 'from'>> {
    const chat = await from.direct?.();
    if (chat === undefined) throw new UserError(NO_DIRECT);
    await onActivity(chat);
    if (chat !== here) await admission.admit(chat, circles);
    return { chat, from: { ...from, manages: async () => true } };
  }

  function notAllowed({ chat, circles, outside }: Inbound): UserError {
    const links = outside === undefined ? base.inviteLinks(chat) : [];
    return new UserError(NOT_LISTED, { lines: [ASK_ELSEWHERE, accessHint(circles)], links });
  }

  function errorReply(error: unknown, inbound: Inbound): Reply {
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
    const known = reference();
    log.error('question.broke', { chat: inbound.chat, reference: known, error });
    // dispatch does not import the store, so its errors are recognised by name.
    return warning(error instanceof Error && error.name === 'StoreError' ? storeErrorText(known) : unexpectedErrorText(known));
  }

  return async (inbound) => {
    try {
      const answering = answer(inbound);
      return await (givingUp === undefined ? answering : unlessAborted(givingUp, answering));
    } catch (error) {
      if (error instanceof ActiveOnlyError) throw error;
      return inZone(errorReply(error, inbound), zoneIn(inbound.chat));
    }
  };
}

const sourcesAction = (key: string): Action => ({ label: 'Sources', line: commandLine('sources', key), on: false });

function managersOnly({ from, outside, ask }: Inbound, place: string, command?: RegisteredCommand['command']): UserError {
  const says = outside === undefined ? managersOnlyText(place) : OUTSIDE;
  if (command?.direct === undefined || from.direct === undefined) return new UserError(says);
  const where = `${command.direct.option}:${command.direct.value}`;
  const again =
    'line' in ask
      ? `${ask.line.trim()} ${where}`
      : commandLine(command.name, ...Object.entries(ask.options).map(([name, value]) => `${name}:${value}`), where);
  return new UserError(says, { actions: again.startsWith('/') ? [{ label: 'Do it in a DM', line: again }] : [] });
}

const warning = (...finding: Line): Reply => reply({ tone: 'warning', finding, audience: 'asker' });

function userErrorReply({ says, remedy }: UserError, commands: ReadonlyMap<string, RegisteredCommand>): Reply {
  return reply({
    tone: 'warning',
    finding: says,
    blocks: [...(remedy.lines ?? []).map((one) => line(...one)), ...usageLines(remedy, commands)],
    links: remedy.links ?? [],
    actions: remedy.actions ?? [],
    audience: 'asker',
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

function misfit(error: z.ZodError, { command, options, values }: ParsedCommand): UserError {
  const name = String(error.issues[0]?.path[0] ?? '');
  const option = options.find((one) => one.name === name);
  if (option === undefined) return new UserError(`/${command.name} can't be used like that.`, { usage: command.name });
  const value = values[name];
  if (value === undefined) return new UserError(`Which ${name}? /${command.name} needs ${option.summary}.`, { usage: command.name });
  return new UserError(`Invalid ${name} "${brief(value)}". ${takes(option, value)}`, { usage: command.name });
}

const longName = (text: string): string => `No project called "${brief(text)}". Use its symbol or slug, such as tide.`;

function unknownProject(error: UnknownProjectError, parsed?: ParsedCommand): UserError {
  if (!isNameSized(error.text) && !error.several) return new UserError(longName(error.text));
  const names = error.nearest.map(({ slug, name }) => (name === slug ? slug : `${slug} (${name})`));
  const isLoading = error.loading && !error.several;
  const hint = isLoading
    ? 'The project list is still loading. Try again in a minute, or use its slug.'
    : 'Check the spelling, or use its symbol or full name.';
  const guess = names.length === 0 ? hint : `${isLoading ? `${hint} ` : ''}Did you mean ${either(names)}?`;
  const sentence = error.several
    ? `Several projects are called "${brief(error.text)}".`
    : isLoading
      ? `No project called "${brief(error.text)}" yet.`
      : `No project called "${brief(error.text)}".`;
  const requested = parsed?.options.find(({ name }) => parsed.values[name] === error.text);
  const again = (slug: string): string => (parsed === undefined ? '' : namedLine(parsed, { [requested?.name ?? '']: slug }));
  return new UserError(`${sentence} ${guess}`, {
    actions: [
      ...(requested === undefined ? [] : error.nearest.map(({ slug, name }) => ({ label: name, line: again(slug) }))),
      ...(names.length > 0
        ? []
        : [parsed?.command.name === 'watch' ? { label: 'Choose', line: '/watch' } : { label: 'All projects', line: '/screen' }]),
    ],
  });
}
