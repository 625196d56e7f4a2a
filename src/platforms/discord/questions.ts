/** Answers interactions: commands, pressed buttons, picks of menus, filled-in forms, and what is offered while an option is typed. */
import { InteractionResponseType } from 'discord.js';
import { SECOND, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Catalogue } from '../../chat/catalogue.js';
import type { Answerer, Inbound } from '../../chat/inbound.js';
import { reply, type Reply } from '../../chat/reply.js';
import type { Actions } from '../actions.js';
import type { Prepared, Room } from '../attachments.js';
import { aborted, openTextFirst } from '../text-first.js';
import { acknowledge } from './acknowledge.js';
import { askedOf, type Asked, type PressedOn } from './asked.js';
import { offerChoices } from './choices.js';
import { formOf, isForm, lineOf, modalOf } from './form.js';
import { mayMention } from './mentions.js';
import { inWords } from './outcome.js';
import type { Call } from './rest.js';
import { sentFile } from './sent.js';
import { openStage } from './stage.js';
import { stepsOf } from './steps.js';

/** Discord waits 3 seconds for a first answer; half of it is left for the way there and a repeat. */
export const DEFER_AFTER = 1.2 * SECOND;
/** How long questions in hand may take once the bot is to stop. */
const STOP_PATIENCE = 10 * SECOND;
/** Of one message, https://docs.discord.com/developers/resources/message#create-message */
const MOST_FILES = 10;
/** The gateway repeats events after a reconnect; these many are recognised. */
const REMEMBERED = 1_000;

export interface Questions {
  /** Takes an interaction as the gateway tells it; answered in the background. Returns who asked where, or undefined where nothing is to be done. */
  hear(data: unknown): Asked | undefined;
  /** Takes no more, and finishes those in hand; after a while they are told that nobody waits any more. */
  stop(): Promise<void>;
}

export interface QuestionNeeds {
  readonly call: Call;
  readonly kept: Actions;
  readonly catalogue: Catalogue;
  readonly answer: Answerer;
  /** Measures what a reply carries beside its text, and begins to draw its picture. */
  readonly prepare: (reply: Reply, room: Room) => Prepared;
  readonly clock: Clock;
  readonly log: Log;
  readonly deferAfterMs: number;
}

export function createQuestions({ call, kept, catalogue, answer, prepare, clock, log, deferAfterMs }: QuestionNeeds): Questions {
  const inHand = new Set<Promise<void>>();
  const heard = new Set<string>();
  const over = new AbortController();
  const textFirst = openTextFirst({ clock, onFailure: (error) => log.warn('discord.picture-not-added', { because: inWords(error) }) });
  let stopped = false;

  /** `origin`: the interaction that the message answered first whose place the answer takes. */
  async function respond(
    asked: Asked,
    ask: Inbound['ask'],
    { place, origin = asked.id }: { place: 'beside' | 'in place' | 'in a hidden place'; origin?: string | undefined },
  ): Promise<void> {
    const name = 'command' in ask ? ask.command : nameOf(ask.line);
    const isPrivate = catalogue.commands.find((command) => command.name === name)?.audience === 'asker';
    const inPlace = place !== 'beside';
    // What takes the place of a hidden message is hidden with it.
    const stage = openStage({ call, kept, asked, inPlace, isPrivate: isPrivate && place !== 'in a hidden place' });
    const turn = textFirst.turn(inPlace ? origin : asked.id);
    const answered = new AbortController();
    const announced = clock.sleep(deferAfterMs, answered.signal).then(
      async () => stage.wait().catch((error: unknown) => log.warn('discord.not-deferred', { chat: asked.chat, because: inWords(error) })),
      () => undefined,
    );
    const said = await answer({
      chat: asked.chat,
      from: {
        ...{ id: `discord/${asked.person.id}`, name: asked.person.name },
        manages: async () => asked.manages,
        mayMention: async (mention) => mayMention(call, asked, mention),
      },
      ask,
      ...(asked.what.kind === 'command' && asked.what.files.length > 0
        ? { files: asked.what.files.map((file) => sentFile(file, { clock })) }
        : {}),
      circles: asked.circles,
      progress: async (interim) =>
        turn
          .run(async () => stage.interim(interim))
          .then(
            () => undefined,
            (error: unknown) => log.debug('discord.no-progress', { chat: asked.chat, because: inWords(error) }),
          ),
      signal: over.signal,
    });
    const ready = async (): Promise<void> => {
      answered.abort();
      await announced;
    };
    const prepared = prepare(said, { picture: asked.mostBytes, together: asked.mostBytes, count: MOST_FILES });
    // In place, what is for the asker alone gets a message of its own.
    const own = inPlace && !stage.isPrivate && said.audience === 'asker';
    const steps = stepsOf(stage, { key: own || !inPlace ? asked.id : origin, ready, chat: asked.chat, command: name, log });
    if (await textFirst.show(prepared, steps, { turn: own ? textFirst.turn() : turn, signal: over.signal })) return;
    // A later press was answered first: this one must be acknowledged all the same.
    await ready();
    await stage.wait();
  }

  async function press(asked: Asked, { payload, label, on }: Extract<Asked['what'], { kind: 'press' }>): Promise<void> {
    if (isForm(payload)) return openForm(asked, { payload, label });
    const line = await behind(asked, async () => kept.line(payload));
    if (line?.startsWith('/') !== true) return hint(asked, FORGOTTEN);
    return respondTo(asked, line, on);
  }

  /** A form must be the first answer; nothing can be announced before it. */
  async function openForm(asked: Asked, button: { readonly payload: string; readonly label: string }): Promise<void> {
    const form = await behind(asked, async () => formOf(button.payload, kept));
    if (form === undefined) return hint(asked, FORGOTTEN);
    return acknowledge(call, asked, { type: InteractionResponseType.Modal, data: modalOf(form, button) });
  }

  async function submit(asked: Asked, { payload, typed, on }: Extract<Asked['what'], { kind: 'submit' }>): Promise<void> {
    const form = await behind(asked, async () => formOf(payload, kept));
    if (form === undefined) return hint(asked, FORGOTTEN);
    const line = lineOf(form, typed);
    return line === undefined ? hint(asked, 'Nothing was typed. Press the button again and type an answer.') : respondTo(asked, line, on);
  }

  /** What the store keeps behind a payload; undefined where it cannot be read. */
  async function behind<T>(asked: Asked, read: () => Promise<T | undefined>): Promise<T | undefined> {
    return read().catch((error: unknown) => {
      log.error('discord.button-unreadable', { chat: asked.chat, error });
      return undefined;
    });
  }

  const respondTo = async (asked: Asked, line: string, { own, origin, hidden, beside }: PressedOn): Promise<void> => {
    const isInPlace = own && staysOnView(line, beside, catalogue);
    return respond(asked, { line }, { place: isInPlace ? (hidden ? 'in a hidden place' : 'in place') : 'beside', origin });
  };

  async function hint(asked: Asked, sentence: string): Promise<void> {
    const stage = openStage({ call, kept, asked, inPlace: false, isPrivate: true });
    await stage.final({ reply: warning(sentence), files: [] });
  }

  async function handle(asked: Asked): Promise<void> {
    const { what } = asked;
    try {
      if (what.kind === 'complete') await offerChoices(asked, what, { call, catalogue, clock });
      else if (what.kind === 'press') await press(asked, what);
      else if (what.kind === 'submit') await submit(asked, what);
      else await respond(asked, { command: what.command, options: what.options }, { place: 'beside' });
    } catch (error) {
      // Nobody waits for choices any more as soon as the next letter is typed.
      if (what.kind === 'complete') log.debug('discord.no-choices', { chat: asked.chat, because: inWords(error) });
      else log.warn('discord.not-answered', { chat: asked.chat, because: inWords(error) });
    }
  }

  return {
    hear(data) {
      if (stopped) return undefined;
      let asked: Asked;
      try {
        asked = askedOf(data);
      } catch (error) {
        log.warn('discord.interaction-unknown', { error });
        return undefined;
      }
      if (heard.has(asked.id)) return undefined;
      heard.add(asked.id);
      const [oldest] = heard;
      if (heard.size > REMEMBERED && oldest !== undefined) heard.delete(oldest);
      const work = handle(asked).finally(() => inHand.delete(work));
      inHand.add(work);
      return asked;
    },
    async stop() {
      stopped = true;
      const finished = new AbortController();
      clock.sleep(STOP_PATIENCE, finished.signal).then(
        () => over.abort(new Error('The bot stops.')),
        () => undefined,
      );
      await Promise.all(inHand);
      await Promise.race([textFirst.idle(), aborted(over.signal)]);
      finished.abort();
    },
  };
}

/**
 * Whether the answer may take the place of the message: it does for what is only looked at, and where another button of the message
 * leads to the same command; what changes something is answered beside it.
 */
function staysOnView(line: string, beside: readonly string[], { commands }: Catalogue): boolean {
  const name = nameOf(line);
  const command = commands.find((one) => one.name === name);
  const isLook = command !== undefined && (command.group ?? 'asking') === 'asking';
  return isLook || beside.filter((other) => other !== line && nameOf(other) === name).length > 0;
}

const FORGOTTEN = 'I no longer know what this button stands for. Ask again to get a fresh one.';

const nameOf = (line: string): string => /^\/([\w-]+)/u.exec(line)?.[1]?.toLowerCase() ?? '';

const warning = (sentence: string): Reply => reply({ tone: 'warning', finding: [sentence], audience: 'asker' });
