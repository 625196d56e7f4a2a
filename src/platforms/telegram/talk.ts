/** Answers questions: a typed line gets a message, a press changes the message it was under. An alert is never changed: its answer follows it. */
import { SECOND } from '../../base/clock.js';
import type { Answerer, Inbound, Person } from '../../chat/inbound.js';
import type { Reply } from '../../chat/reply.js';
import type { Attached } from '../attachments.js';
import { addressOf } from './address.js';
import { noticeOf, openBell } from './bell.js';
import type { Ask, Press } from './heard.js';
import { pressed } from './keyboard.js';
import { inWords } from './outcome.js';
import type { Rights } from './rights.js';
import { openStage, type Stage, type StageNeeds } from './stage.js';

export interface TalkNeeds extends StageNeeds {
  readonly rights: Rights;
  readonly answer: Answerer;
  /** Draws and measures what a reply carries beside its words; never rejects. */
  readonly attach: (reply: Reply) => Promise<Attached>;
}

export interface Talk {
  /** Whether it is done: false when `signal` aborted before there was an answer, and nothing was shown. */
  ask(heard: Ask, signal: AbortSignal): Promise<boolean>;
  press(heard: Press, signal: AbortSignal): Promise<boolean>;
}

/** A button that spins for longer seems broken, and soon after a press cannot be answered at all. */
const ANSWER_WITHIN = 5 * SECOND;
const UNKNOWN_BUTTON = 'This button is too old: I no longer know what it stood for. Type the command; /help lists them all.';

export function createTalk({ rights, answer, attach, ...needs }: TalkNeeds): Talk {
  const { api, actions, clock, log } = needs;

  const person = ({ place, scene, from }: Ask | Press): Person => ({
    id: `telegram/${from.id}`,
    name: from.name,
    manages: async () => rights.manages({ chat: place.chat, scene, from }),
  });

  const inbound = (heard: Ask | Press, more: Pick<Inbound, 'ask' | 'progress' | 'signal'>): Inbound => ({
    chat: addressOf(heard.place),
    from: person(heard),
    circles: [`telegram/chat/${heard.place.chat}`, ...(heard.from.as === 'person' ? [`telegram/user/${heard.from.id}`] : [])],
    ...more,
  });

  /** Where others read along, what is meant for one person answers that person's message. */
  async function show(stage: Stage, attached: Attached, heard: Ask | Press): Promise<void> {
    const isPersonal = attached.reply.audience === 'asker' && heard.scene !== 'private';
    try {
      await stage.final(attached, isPersonal || heard.kind === 'press' ? { replyTo: heard.message } : {});
    } catch (error) {
      log.warn('telegram.answer-not-sent', { chat: heard.place.chat, error: inWords(error) });
    }
  }

  return {
    async ask(heard, signal) {
      const stage = openStage(needs, { place: heard.place, signal });
      const progress = async (reply: Reply): Promise<void> => stage.interim(reply);
      const attached = await attach(await answer(inbound(heard, { ask: { line: heard.line }, progress, signal })));
      if (signal.aborted) return false;
      await show(stage, attached, heard);
      return true;
    },

    async press(heard, signal) {
      const bell = openBell({ api, query: heard.query, log });
      const { line, alert } = await pressed(heard.data, actions);
      if (line === undefined) {
        await bell.notice(UNKNOWN_BUTTON);
        return true;
      }
      // Everybody who reads a channel can press there; only who manages it changes what all of them see.
      const isShown = heard.scene !== 'channel' || (await rights.manages({ chat: heard.place.chat, scene: heard.scene, from: heard.from }));
      const answered = new AbortController();
      const patience = clock.sleep(ANSWER_WITHIN, answered.signal).then(bell.quiet, () => undefined);
      const { place, message, picture } = heard;
      const stage = openStage(needs, { place, signal, ...(alert ? {} : { standing: { message, picture } }) });
      const progress = async (reply: Reply): Promise<void> => {
        await bell.quiet();
        if (isShown) await stage.interim(reply);
      };
      const reply = await answer(inbound(heard, { ask: { line }, progress, signal }));
      // A notice has no room for a picture; all else waits for it, while the button spins no longer than it should.
      const attached = isShown ? await attach(reply) : { reply, files: [] };
      answered.abort(new Error('answered'));
      await patience;
      if (signal.aborted) return false;
      if (!isShown) await bell.notice(noticeOf(reply, clock.now()).text);
      else if (reply.audience === 'asker' && !stage.used) {
        const { text, whole } = noticeOf(reply, clock.now());
        // Alone with the bot nobody else is bothered by a message, which has room for all of it and for its buttons.
        if ((whole || heard.scene !== 'private') && (await bell.notice(text))) return true;
        await show(openStage(needs, { place, signal }), attached, heard);
      } else await show(stage, attached, heard);
      await bell.quiet();
      return true;
    },
  };
}
