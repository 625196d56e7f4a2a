/** Answers interactions: commands, pressed buttons, and what is offered while an option is typed. */
import { InteractionResponseType } from 'discord.js';
import { SECOND, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Catalogue } from '../../chat/catalogue.js';
import type { Answerer, Inbound } from '../../chat/inbound.js';
import { reply, type Reply } from '../../chat/reply.js';
import type { Actions } from '../actions.js';
import { wordsOnly, type Attached, type Room } from '../attachments.js';
import { askedOf, type Asked } from './asked.js';
import { visible } from '../visible.js';
import { inWords, isCode, isForFiles } from './outcome.js';
import type { Call } from './rest.js';
import { openStage } from './stage.js';

/** Discord waits 3 seconds for a first answer; half of it is left for the way there and a repeat. */
export const DEFER_AFTER = 1.2 * SECOND;
const COMPLETE_WITHIN = 2 * SECOND;
/** How long questions in hand may take once the bot is to stop. */
const STOP_PATIENCE = 10 * SECOND;
/** https://docs.discord.com/developers/interactions/application-commands#autocomplete */
const MOST_CHOICES = 25;
const MOST_CHOICE = 100;
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
  /** Draws and measures what a reply carries beside its words; never rejects. */
  readonly attach: (reply: Reply, room: Room) => Promise<Attached>;
  readonly clock: Clock;
  readonly log: Log;
  readonly deferAfterMs: number;
}

export function createQuestions({ call, kept, catalogue, answer, attach, clock, log, deferAfterMs }: QuestionNeeds): Questions {
  const inHand = new Set<Promise<void>>();
  const heard = new Set<string>();
  const over = new AbortController();
  let stopped = false;

  async function respond(asked: Asked, ask: Inbound['ask'], place: 'beside' | 'in place' | 'in a hidden place'): Promise<void> {
    const name = 'command' in ask ? ask.command : nameOf(ask.line);
    const isPrivate = catalogue.commands.find((command) => command.name === name)?.audience === 'asker';
    // What takes the place of a hidden message is hidden with it.
    const stage = openStage({ call, kept, asked, inPlace: place !== 'beside', isPrivate: isPrivate && place !== 'in a hidden place' });
    const answered = new AbortController();
    const announced = clock.sleep(deferAfterMs, answered.signal).then(
      async () => stage.wait().catch((error: unknown) => log.warn('discord.not-deferred', { chat: asked.chat, because: inWords(error) })),
      () => undefined,
    );
    const said = await answer({
      chat: asked.chat,
      from: { id: `discord/${asked.person.id}`, name: asked.person.name, manages: async () => asked.manages },
      ask,
      circles: asked.circles,
      progress: async (interim) =>
        stage.interim(interim).catch((error: unknown) => log.debug('discord.no-progress', { chat: asked.chat, because: inWords(error) })),
      signal: over.signal,
    });
    // Before the announcement is called off: a picture may take longer than Discord waits.
    const attached = await attach(said, { picture: asked.mostBytes, together: asked.mostBytes, count: MOST_FILES });
    answered.abort();
    await announced;
    try {
      await stage.final(attached).catch(async (error: unknown) => {
        if (!isForFiles(error) || (attached.picture === undefined && attached.files.length === 0)) throw error;
        log.warn('discord.files-not-taken', { chat: asked.chat, command: name, because: inWords(error) });
        await stage.final(wordsOnly(attached));
      });
    } catch (error) {
      // Refused for how it looks, which is our mistake: the person shall not be left without a word.
      if (!isCode(error, 50_035, 50_006)) throw error;
      log.error('discord.answer-refused', { chat: asked.chat, command: name, because: inWords(error) });
      await stage.final({ reply: warning('The answer could not be shown here. The log says why.'), files: [] });
    }
  }

  async function press(asked: Asked, { payload, own, hidden, beside }: Extract<Asked['what'], { kind: 'press' }>): Promise<void> {
    const line = await kept.line(payload).catch((error: unknown) => {
      log.error('discord.button-unreadable', { chat: asked.chat, error });
      return undefined;
    });
    if (line?.startsWith('/') !== true) {
      const stage = openStage({ call, kept, asked, inPlace: false, isPrivate: true });
      await stage.final({ reply: warning('I no longer know what this button stands for. Ask again to get a fresh one.'), files: [] });
      return;
    }
    const isInPlace = own && staysOnView(line, beside, catalogue);
    await respond(asked, { line }, isInPlace ? (hidden ? 'in a hidden place' : 'in place') : 'beside');
  }

  async function complete(asked: Asked, what: Extract<Asked['what'], { kind: 'complete' }>): Promise<void> {
    const done = new AbortController();
    const found = await Promise.race([
      catalogue.completeOption({ ...what, chat: asked.chat }, MOST_CHOICES),
      clock.sleep(COMPLETE_WITHIN, done.signal).then(
        () => [],
        () => [],
      ),
    ]);
    done.abort();
    const choices = found
      .map(({ value, label }) => ({ name: visible(label, MOST_CHOICE).trim() || visible(value, MOST_CHOICE), value }))
      .filter(({ name, value }) => name !== '' && value.length <= MOST_CHOICE)
      .slice(0, MOST_CHOICES);
    await call({
      method: 'POST',
      path: `/interactions/${asked.id}/${asked.token}/callback`,
      body: { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data: { choices } },
      auth: false,
    });
  }

  async function handle(asked: Asked): Promise<void> {
    const { what } = asked;
    try {
      if (what.kind === 'complete') await complete(asked, what);
      else if (what.kind === 'press') await press(asked, what);
      else await respond(asked, { command: what.command, options: what.options }, 'beside');
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

const nameOf = (line: string): string => /^\/([\w-]+)/u.exec(line)?.[1]?.toLowerCase() ?? '';

const warning = (sentence: string): Reply => reply({ tone: 'warning', finding: [sentence], audience: 'asker' });
