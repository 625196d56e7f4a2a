/**
 * Answers questions: a typed line gets a message, a press changes the message it was under, and a press on something to fill in asks for it first.
 * An alert is never changed: its answer follows it.
 */
import { later, MINUTE, SECOND, type Instant } from '../../base/clock.js';
import { filled } from '../../chat/fill.js';
import type { Answerer, Inbound, Person } from '../../chat/inbound.js';
import { reply, type Reply } from '../../chat/reply.js';
import { textOnly, type Prepared } from '../attachments.js';
import { clip, visible } from '../visible.js';
import { addressOf } from './address.js';
import { MOST_NOTICE, noticeOf, openBell, type Bell } from './bell.js';
import { showSomehow } from './fallback.js';
import type { Files } from './files.js';
import type { Ask, Heard, Press } from './heard.js';
import { pressed } from './keyboard.js';
import { inWords } from './outcome.js';
import type { TextField } from './prompt-words.js';
import type { Prompting } from './prompting.js';
import type { Rights } from './rights.js';
import { openStage, type Stage, type StageNeeds } from './stage.js';

export interface TalkNeeds extends StageNeeds {
  readonly rights: Rights;
  readonly prompting: Prompting;
  readonly files: Files;
  readonly answer: Answerer;
  /** The commands that take a file, as they are typed. */
  readonly takesFiles: readonly string[];
  /** Measures what a reply carries beside its text, and begins to draw its picture. */
  readonly prepare: (reply: Reply) => Prepared;
}

export interface Talk {
  /** Whether it is done: false when `signal` aborted before there was an answer, and nothing was shown. */
  ask(heard: Ask, signal: AbortSignal): Promise<boolean>;
  press(heard: Press, signal: AbortSignal): Promise<boolean>;
  /** Says that a question will not be answered, because the bot ended twice while it was in hand. Never rejects. */
  giveUp(heard: Ask | Press, signal: AbortSignal): Promise<void>;
  /** Says what can be done with a document, once in a while. */
  file(heard: Extract<Heard, { kind: 'file' }>, signal: AbortSignal): Promise<void>;
}

/** A button that spins for longer seems broken, and soon after a press cannot be answered at all. */
const ANSWER_WITHIN = 5 * SECOND;
/** Nobody can reply there but whoever posts, and all of its readers would see the asking. */
const NO_ASKING = 'In a channel I cannot ask back. Post the command there yourself: ';
/** What to do with a document is said so often in a chat, and no more. */
const HINT_EVERY = 10 * MINUTE;
const MOST_HINTED = 1_000;
/** So much of a question is quoted. */
const MOST_QUOTED = 60;
const NOT_ASKED = 'I could not ask for it. Press again in a minute, or type the command; /help lists them all.';
const NOT_SHOWN = 'Telegram did not take the answer. Press again in a minute, or type the command.';
const UNKNOWN_BUTTON = 'This button is too old: I no longer know what it stood for. Type the command; /help lists them all.';

/** The answer to something filled in; where it was not taken, with how to go on. Pure. */
const withRemedy = (answer: Reply): Reply =>
  answer.tone === 'warning' && answer.audience === 'asker'
    ? { ...answer, blocks: [...answer.blocks, { kind: 'line', line: ['To correct it, reply to the same message again.'] }] }
    : answer;

/** What we say ourselves, to one person. */
const said = (says: string): Prepared => textOnly(reply({ tone: 'warning', finding: [says], audience: 'asker' }));

export function createTalk({ rights, prompting, files, answer, takesFiles, prepare, ...needs }: TalkNeeds): Talk {
  const { api, actions, clock, log } = needs;
  const hinted = new Map<number, Instant>();

  const person = ({ place, scene, from }: Ask | Press): Person => ({
    id: `telegram/${from.id}`,
    name: from.name,
    manages: async () => rights.manages({ chat: place.chat, scene, from }),
  });

  const inbound = (heard: Ask | Press, more: Pick<Inbound, 'ask' | 'progress' | 'files' | 'signal'>): Inbound => ({
    chat: addressOf(heard.place),
    from: person(heard),
    circles: [`telegram/chat/${heard.place.chat}`, ...(heard.from.as === 'person' ? [`telegram/user/${heard.from.id}`] : [])],
    ...more,
  });

  /** Where others read along, what is meant for one person answers that person's message. */
  async function show(stage: Stage, prepared: Prepared, heard: Ask | Press, signal: AbortSignal): Promise<boolean> {
    const isPersonal = prepared.reply.audience === 'asker' && heard.scene !== 'private';
    const replyTo = isPersonal || heard.kind === 'press' ? heard.message : undefined;
    return showSomehow(stage, prepared, { api, clock, log, place: heard.place, replyTo, signal });
  }

  /** The work's result; meanwhile the button spins no longer than it should. */
  async function patiently<T>(bell: Bell, work: () => Promise<T>): Promise<T> {
    const done = new AbortController();
    const patience = clock.sleep(ANSWER_WITHIN, done.signal).then(bell.quiet, () => undefined);
    try {
      return await work();
    } finally {
      done.abort(new Error('done'));
      await patience;
    }
  }

  /** Whether it is done, as for a press. */
  async function askFor(field: TextField, heard: Press, signal: AbortSignal): Promise<boolean> {
    const bell = openBell({ api, query: heard.query, log });
    if (heard.scene === 'channel') {
      await bell.notice(clip(NO_ASKING + filled(field.line, '…'), MOST_NOTICE));
      return true;
    }
    try {
      await patiently(bell, async () => prompting.ask(heard, field, signal));
      await bell.quiet();
    } catch (error) {
      if (signal.aborted) return false;
      log.warn('telegram.not-asked-back', { chat: heard.place.chat, error: inWords(error) });
      await bell.notice(NOT_ASKED);
    }
    return true;
  }

  return {
    async ask(heard, signal) {
      const stage = openStage(needs, { place: heard.place, signal });
      const what = heard.prompt === undefined ? { line: heard.line } : await prompting.fill(heard, heard.prompt);
      if (what === 'nothing') return true;
      if ('says' in what) {
        await show(stage, said(what.says), heard, signal);
        return true;
      }
      const progress = async (shown: Reply): Promise<void> => stage.interim(shown);
      const sent = (heard.files ?? []).map((file) => files(file, signal));
      const more = { progress, signal, ...(sent.length === 0 ? {} : { files: sent }) };
      const answered = await answer(inbound(heard, { ask: { line: what.line }, ...more }));
      if (signal.aborted) return false;
      await show(stage, prepare(heard.prompt === undefined ? answered : withRemedy(answered)), heard, signal);
      return true;
    },

    async press(heard, signal) {
      const what = await pressed(heard.data, actions);
      if (what.kind === 'field') return askFor(what.field, heard, signal);
      const bell = openBell({ api, query: heard.query, log });
      if (what.kind === 'unknown') {
        await bell.notice(UNKNOWN_BUTTON);
        return true;
      }
      // Everybody who reads a channel can press there; only who manages it changes what all of them see.
      const isShown = heard.scene !== 'channel' || (await rights.manages({ chat: heard.place.chat, scene: heard.scene, from: heard.from }));
      const { place, message, picture } = heard;
      const stage = openStage(needs, { place, signal, ...(what.alert ? {} : { pressed: { message, picture } }) });
      const progress = async (interim: Reply): Promise<void> => {
        await bell.quiet();
        if (isShown) await stage.interim(interim);
      };
      const answered = await patiently(bell, async () => answer(inbound(heard, { ask: { line: what.line }, progress, signal })));
      if (signal.aborted) return false;
      if (!isShown) await bell.notice(noticeOf(answered, clock.now()).text);
      else if (answered.audience === 'asker' && !stage.used) {
        const { text, whole } = noticeOf(answered, clock.now());
        // Alone with the bot nobody else is bothered by a message, which has room for all of it and for its buttons; a form needs one anywhere.
        const isNotice = whole || (heard.scene !== 'private' && answered.fields.length === 0);
        if (isNotice && (await bell.notice(text))) return true;
        if (!(await show(openStage(needs, { place, signal }), prepare(answered), heard, signal))) await bell.notice(NOT_SHOWN);
      } else if (!(await show(stage, prepare(answered), heard, signal))) await bell.notice(NOT_SHOWN);
      await bell.quiet();
      return true;
    },

    async giveUp(heard, signal) {
      const { place, message } = heard;
      // All readers of a channel would see the answer to one press.
      if (heard.kind === 'press' && heard.scene === 'channel') return;
      const what = heard.kind === 'ask' ? `“${visible(heard.line, MOST_QUOTED).trim()}”` : 'this button';
      try {
        const says = `I stopped twice while answering ${what}, so I gave it up. Ask again, or ask for less.`;
        await openStage(needs, { place, signal }).final(said(says), { replyTo: message });
      } catch (error) {
        log.warn('telegram.answer-not-sent', { chat: place.chat, error: inWords(error) });
      }
    },

    async file({ place, message }, signal) {
      if (takesFiles.length === 0) return;
      const now = clock.now();
      const before = hinted.get(place.chat);
      // Ten documents at once are one album.
      if (before !== undefined && later(before, HINT_EVERY) > now) return;
      if (hinted.size >= MOST_HINTED) hinted.clear();
      hinted.set(place.chat, now);
      const hint = `A file alone tells me nothing. Send it with a command as its caption, or reply to it with one. These take a file: ${takesFiles.join(', ')}.`;
      await openStage(needs, { place, signal })
        .final(said(hint), { replyTo: message })
        .catch((error: unknown) => log.warn('telegram.answer-not-sent', { chat: place.chat, error: inWords(error) }));
    },
  };
}
