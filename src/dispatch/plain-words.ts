/** Reads plain words in a chat, using the labels of the chat and the last question of the asker. */
import type { Directory } from '../analytics/directory.js';
import { AnalyticsError } from '../analytics/errors.js';
import { removalsNamed } from './watchlists/rules-named.js';
import { walletsOf } from './watchlists/targets.js';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
import { RecentMap, memoize } from '../base/bounded-cache.js';
import { MINUTE, later, type Clock, type Instant } from '../base/clock.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Address } from '../chat/address.js';
import type { Catalogue } from '../chat/catalogue.js';
import type { Inbound } from '../chat/inbound.js';
import type { Reply, Line } from '../chat/reply.js';
import type { Project } from '../domain/project.js';
import { combined, decide, type Decision } from '../reading/decide.js';
import { afterCard } from '../reading/corrections.js';
import { followUp, MORE, type LastQuestion } from '../reading/follow-ups.js';
import { isWhole, namesIn, numbersIn, type ChatWorld } from '../reading/heard.js';
import { readLearned } from '../reading/learned.js';
import { projectNames, projectsIn } from '../reading/projects.js';
import { tokensOf } from '../reading/tokens.js';
import { partsOf } from '../reading/several.js';
import { createReader, type PhraseReader, type ReaderDeps, type Reading } from '../reading/reader.js';
import { commandLine } from '../reply/index.js';
import { changesBy, isCostly, nameOf, parse, typedLine, type ParsedCommand } from './parse.js';
import type { Registry } from './registry.js';

const REMEMBERED_FOR = 10 * MINUTE;
const MAX_REMEMBERED = 5_000;

export interface PlainWordsDeps {
  readonly registry: Registry;
  readonly directory: Directory;
  readonly watchlists: Pick<Watchlists, 'read'>;
  readonly clock: Clock;
}

interface Asker {
  readonly chat: Address;
  readonly from: Pick<Inbound['from'], 'id'>;
}

/** An asker without a last question. */
const NOBODY = { id: '' };

export interface Understood {
  readonly decision: Decision;
  /** The text was read as a follow-up of the person's last question. */
  readonly follows?: true;
  /** Every word was understood, and none names an option. */
  readonly isWhole: boolean;
  /** The projects, wallets and keys that were named. */
  readonly names: readonly string[];
  /** The words for a past time. */
  readonly time?: string | undefined;
  /** Numbers that are not times. A line that leaves one out does not answer the text. */
  readonly numbers: readonly string[];
}

const NAMED_OPTION = /(?:^|\s)[a-z]+:(?!\/\/)\S/iu;

const UNDO =
  /^\s*(?:(?:please|pls|oops|no|wait)\W+)*(?:undo|revert|(redo))(?:\s+(?:that|it|this|(?:the |my )?last (?:one|change)))?(?:\s+(?:please|pls))?\s*[.!]*\s*$/iu;

export class PlainWords {
  readonly #deps: PlainWordsDeps;
  /** Kept in memory only, because questions are private. */
  readonly #last = new RecentMap<string, { readonly question: LastQuestion; readonly at: Instant }>(MAX_REMEMBERED);
  /** The lines of the last proposed change, until the person says something else. */
  readonly #cards = new RecentMap<string, { readonly lines: readonly [string, ...string[]]; readonly at: Instant }>(MAX_REMEMBERED);
  readonly #undo = new RecentMap<string, { readonly line: string; readonly redoes: boolean; readonly at: Instant }>(MAX_REMEMBERED);
  #names: { readonly of: unknown; readonly names: ChatWorld['names']; readonly projects: readonly Project[] } | undefined;

  constructor(deps: PlainWordsDeps) {
    this.#deps = deps;
  }

  /** Reads a text. Makes at most two requests, and only if no list of projects is known; their failure does not reject. */
  async read(text: string, asking: Asker, { alone: isAlone = false }: { readonly alone?: boolean } = {}): Promise<Understood> {
    const { commands } = this.#deps.registry;
    const said = plainOf(text);
    if (!/[\p{L}\p{N}]/u.test(said)) return { decision: { kind: 'offer', lines: [] }, isWhole: false, names: [], numbers: [] };
    const reader = await readerOf(this.#deps.registry.catalogue.commands);
    const world = await this.#world(asking);
    const reading = reader.read(said, world);
    const decided = async (of: Reading): Promise<Decision> => decide(of, await this.#waiting(of));
    const parts = (partsOf(reading.heard) ?? []).map(async (part) => ({ text: part, decision: await decided(reader.read(part, world)) }));
    const alone: Understood = {
      decision: this.#ofRules(combined(await decided(reading), await Promise.all(parts), reading.heard), reading.heard, asking),
      isWhole: !NAMED_OPTION.test(text) && isWhole(reading.heard),
      numbers: numbersIn(reading.heard),
      names: namesIn(reading.heard),
      time: (reading.heard.times.range ?? reading.heard.times.past)?.text,
    };
    const card = isAlone ? undefined : this.#takeCard(asking);
    const after = card && afterCard(reading.heard, card);
    if (card !== undefined && after?.kind === 'again') return { ...alone, decision: { kind: 'propose', lines: card, isAgain: true } };
    if (after?.kind === 'dropped') return { ...alone, decision: { kind: 'run', line: '/cancel', others: [] } };
    if (after?.kind === 'corrected' && !isOther(alone.decision, after.lines[0]))
      return { ...alone, decision: { kind: 'propose', lines: after.lines } };
    const undoing = isAlone ? null : UNDO.exec(said);
    if (undoing !== null) {
      const undo = this.#undoOf(asking, undoing[1] !== undefined);
      return {
        ...alone,
        decision: undo === undefined ? { kind: 'offer', lines: ['/watchlist', '/alerts'] } : { kind: 'propose', lines: [undo] },
      };
    }
    const last = isAlone ? undefined : this.#lastOf(asking);
    const follows = last && followUp(reading.heard, last);
    if (follows === undefined && MORE.test(said) && alone.decision.kind !== 'run')
      return { ...alone, decision: { kind: 'offer', lines: [], unread: [{ text: said, is: 'page' }] } };
    if (follows === undefined) return alone;
    if (follows.kind === 'next') return { ...alone, follows: true, decision: { kind: 'run', line: follows.line, others: [] } };
    if (follows.kind === 'about') {
      // "The runway?" after a question about a project concerns that project; "top discounts" does not.
      if ((alone.decision.kind === 'run' && !follows.refers) || reading.unknown.length > 0) return alone;
      const about = await decided(reader.read(follows.text, world));
      const isAnswer =
        about.kind === 'run' ||
        (about.kind === 'propose' && /\b(?:it|them|its|their)\b|^\s*and\b/iu.test(text)) ||
        (about.kind === 'talk' && follows.refers && about.lines.length > 0);
      // "ok" and "lol that" are not questions.
      return isAnswer ? { ...alone, decision: about, ...(alone.decision.kind === 'talk' ? {} : { follows: true as const }) } : alone;
    }
    const options = commands.get(follows.command)?.options ?? [];
    const words = options.flatMap(({ name }) => (follows.values[name] === undefined ? [] : [`${name}:${follows.values[name]}`]));
    const line = await this.#short(commandLine(follows.command, ...words));
    const isChange = await this.#changes(line);
    return { ...alone, follows: true, decision: isChange ? { kind: 'propose', lines: [line] } : { kind: 'run', line, others: [] } };
  }

  /** "Remove the -10 rule" is the rule of this chat that it fits, or a choice of them. */
  #ofRules(decision: Decision, heard: Reading['heard'], { chat }: Asker): Decision {
    if (decision.kind !== 'offer' || decision.unread?.[0]?.is !== 'whose') return decision;
    const [line, ...others] = removalsNamed(this.#deps.watchlists.read(chat), heard, this.#deps.clock.now());
    if (line === undefined) return decision;
    return others.length === 0 ? { kind: 'propose', lines: [line] } : { ...decision, lines: [line, ...others].slice(0, MAX_RULES) };
  }

  /** Returns the lines that the text may ask for, without those that change something. A failing service does not reject. */
  async questions(text: string, chat: Address): Promise<readonly string[]> {
    const { decision } = await this.read(text, { chat, from: NOBODY }, { alone: true });
    const lines =
      decision.kind === 'run'
        ? [decision.line, ...decision.others]
        : decision.kind === 'propose' || decision.kind === 'stranger'
          ? []
          : decision.lines;
    const isChange = await Promise.all(lines.map(async (line) => this.#changes(line)));
    return lines.filter((_, at) => isChange[at] !== true);
  }

  /** Remembers a question for ten minutes, so that follow-ups can refer to it. */
  remember({ command, options, values }: ParsedCommand, asking: Asker, answer: Pick<Reply, 'blocks' | 'actions'>, sources?: string): void {
    if (command.group === 'bot') return;
    const choices = Object.fromEntries(options.map(({ name, choices: own }) => [name, own]));
    // After an answer without a list, "the second one" still refers to the list before it.
    const own = this.#rowsOf(answer);
    const rows = own.length > 0 ? own : (this.#lastOf(asking)?.rows ?? []);
    const next = answer.actions.find(({ label }) => label === 'Next page')?.line;
    this.#last.set(keyOf(asking), {
      question: { command: command.name, values, choices, rows, next, sources },
      at: this.#deps.clock.now(),
    });
  }

  /** Remembers a change that waits for a press, because the next text may be about it. */
  rememberCard(lines: readonly [string, ...string[]], asking: Asker): void {
    this.#cards.set(keyOf(asking), { lines, at: this.#deps.clock.now() });
  }

  /** Remembers the line that undoes the change a person just made in a chat, or redoes what they undid, if its answer offers one. */
  rememberChange({ actions }: Pick<Reply, 'actions'>, asking: Asker): void {
    const undo = actions.find(({ label }) => label === 'Undo' || label === 'Redo');
    if (undo === undefined) this.#undo.delete(keyOf(asking));
    else this.#undo.set(keyOf(asking), { line: undo.line, redoes: undo.label === 'Redo', at: this.#deps.clock.now() });
  }

  /** "Undo" takes an Undo back as well; "redo" does nothing else. */
  #undoOf(asking: Asker, isRedo: boolean): string | undefined {
    const kept = this.#undo.get(keyOf(asking));
    if (kept === undefined || later(kept.at, REMEMBERED_FOR) < this.#deps.clock.now() || (isRedo && !kept.redoes)) return undefined;
    return kept.line;
  }

  #takeCard(asking: Asker): readonly [string, ...string[]] | undefined {
    const card = this.#cards.get(keyOf(asking));
    this.#cards.delete(keyOf(asking));
    return card === undefined || later(card.at, REMEMBERED_FOR) < this.#deps.clock.now() ? undefined : card.lines;
  }

  /** Returns the project of each row of the answer's first list; undefined if no row names one. */
  #rowsOf({ blocks }: Pick<Reply, 'blocks'>): readonly (string | undefined)[] {
    const names = this.#names?.names;
    const list = blocks.find(({ kind }) => kind === 'table' || kind === 'list');
    if (names === undefined || list === undefined) return [];
    const texts =
      list.kind === 'table'
        ? list.rows.map(([first = '']) => first)
        : list.kind === 'list'
          ? list.items.map(({ line }) => textOf(line))
          : [];
    const rows = texts
      .slice(0, MAX_ROWS)
      .map((text) => projectsIn(tokensOf(text), names, () => false).find(({ how, from }) => how === 'exact' && from <= 1)?.project.slug);
    return rows.some((row) => row !== undefined) ? rows : [];
  }

  #lastOf(asking: Asker): LastQuestion | undefined {
    const kept = this.#last.get(keyOf(asking));
    return kept === undefined || later(kept.at, REMEMBERED_FOR) < this.#deps.clock.now() ? undefined : kept.question;
  }

  /** Writes the line without option names, if it still parses to the same values. */
  async #short(line: string): Promise<string> {
    const { registry, directory } = this.#deps;
    const deps = {
      commands: registry.commands,
      isName: async (name: string): Promise<boolean> => (await directory.named(name)).length > 0,
    };
    const parsed = await parse({ line }, deps).catch(() => undefined);
    return parsed === undefined ? line : typedLine({ command: parsed.command.name, options: parsed.values }, parsed, deps);
  }

  /** Returns the candidates that have to wait for a press. */
  async #waiting({ candidates }: Reading): Promise<ReadonlySet<string>> {
    const waiting = new Set<string>();
    for (const { line } of candidates) if (await this.#changes(line)) waiting.add(line);
    return waiting;
  }

  /** Tells whether a line changes something. A line that cannot be parsed does not. */
  async #changes(line: string): Promise<boolean> {
    const { registry, directory } = this.#deps;
    const isName = async (name: string): Promise<boolean> => (await directory.named(name)).length > 0;
    const parsed = await parse({ line }, { commands: registry.commands, isName }).catch(() => undefined);
    return parsed !== undefined && (changesBy(parsed) || isCostly(parsed));
  }

  async #world({ chat }: Asker): Promise<ChatWorld> {
    const { watchlists, clock } = this.#deps;
    const here = watchlists.read(chat);
    return { names: await this.#projectNames(), labels: labelsIn(walletsOf(here)), now: clock.now(), zone: here.timezone ?? 'UTC' };
  }

  async #projectNames(): Promise<ChatWorld['names']> {
    const { directory } = this.#deps;
    const projects = await directory.all().catch((error: unknown) => {
      if (error instanceof AnalyticsError) return this.#names?.projects ?? [];
      throw error;
    });
    const of = directory.revision();
    if (this.#names?.of !== of || this.#names?.projects.length !== projects.length)
      this.#names = { of, projects, names: projectNames(projects) };
    return this.#names.names;
  }
}

/** Tells whether the text asks for another change: "no pings between 11pm and 7am" after a mute sets quiet hours. */
const isOther = (decision: Decision, line: string): boolean =>
  (decision.kind === 'propose' && nameOf(decision.lines[0]) !== nameOf(line)) ||
  (decision.kind === 'run' && nameOf(decision.line) !== nameOf(line));

const MAX_ROWS = 25;
const MAX_RULES = 3;

const textOf = (line: Line): string =>
  line
    .map((span) =>
      typeof span === 'string' ? span : 'strong' in span ? span.strong : 'code' in span ? span.code : 'link' in span ? span.link : '',
    )
    .join('');

/** Adds the reading of sentences to a catalogue. If reading fails, it offers nothing. */
export const withReadings = (catalogue: Catalogue, words: Pick<PlainWords, 'questions'>): Catalogue => ({
  ...catalogue,
  readings: async (sentence, chat, limit) =>
    words.questions(sentence, chat).then(
      (lines) => lines.slice(0, limit),
      () => [],
    ),
});

/** Returns every wallet by its label and by its key, in lower case. */
const labelsIn = (wallets: ReturnType<typeof walletsOf>): ChatWorld['labels'] =>
  new Map(
    wallets.flatMap(({ address, label }) => [
      [address.toLowerCase(), address] as const,
      ...(label === undefined ? [] : [[label.toLowerCase(), label] as const]),
    ]),
  );

/** Removes mentions, markup, and braces, because braces mark slots in phrases. */
const plainOf = (text: string): string => text.replaceAll(/<[@#:!&a-z/][^>]{0,80}>/giu, ' ').replaceAll(/[{}]/gu, ' ');

const keyOf = ({ chat, from }: Asker): string => `${from.id} ${chat}`;

/** Opens a reader for these commands: loads its model from the file, or fits it. */
export const openReader = async (commands: ReaderDeps['commands']): Promise<PhraseReader> =>
  createReader({ commands, learned: await readLearned(), pause: async () => yieldToEventLoop() });

/** Cached for the process, because commands do not change and tests start the bot several times. */
let own: { readonly phrases: string; readonly reader: Promise<PhraseReader> } | undefined;

/** Opens the reader at the first text, once for each list of commands. */
const readerOf = memoize(async (commands: Registry['catalogue']['commands']): Promise<PhraseReader> => {
  const phrases = JSON.stringify(commands.map(({ name, phrases: stated }) => [name, stated]));
  if (own?.phrases !== phrases) own = { phrases, reader: openReader(commands) };
  return own.reader;
});
