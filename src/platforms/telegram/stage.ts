/** The life of one answer: what is shown while it is awaited, then its text and its picture, posted or in place of the message that was pressed. */
import { later, SECOND, type Clock, type Instant } from '../../base/clock.js';
import type { ChatEvent } from '../../chat/platform.js';
import type { Reply } from '../../chat/reply.js';
import type { Prepared } from '../attachments.js';
import type { Steps, TextFirst } from '../text-first.js';
import { addressOf, type Place } from './address.js';
import { openAnswer, type Answer, type AnswerNeeds } from './answer.js';
import { insistent, type Insistent } from './insist.js';
import { inWords } from './outcome.js';
import type { Pictured, Standing } from './pictured.js';
import { placeholderOf } from './placeholder.js';
import { fitsCaption } from './render.js';

export interface StageNeeds extends Omit<AnswerNeeds, keyof Insistent> {
  readonly clock: Clock;
  readonly pictured: Pictured;
  readonly textFirst: TextFirst;
  readonly tell: (news: ChatEvent) => void;
}

export interface Stage {
  /** Whether something is shown that this stage has posted or changed. */
  readonly used: boolean;
  /** Shows its text for now. Never rejects; what comes too soon after the last one is left out. */
  interim(reply: Reply): Promise<void>;
  /** Shows it for good. Resolves when its text is out, its files behind it; a picture that takes longer follows. Rejects when the text could not be shown. */
  final(prepared: Prepared, how?: { readonly replyTo?: number }): Promise<void>;
}

/** Every change counts against the flood limits. */
const INTERIM_EVERY = 2 * SECOND;

/** `pressed`: the answer to be changed, where there is one, as the update told of it; then as few messages as possible are all there will be. */
export function openStage(
  needs: StageNeeds,
  { place, pressed, signal }: { readonly place: Place; readonly pressed?: Standing; readonly signal: AbortSignal },
): Stage {
  const { clock, log, pictured, textFirst } = needs;
  const { at, insist } = insistent(needs, { place, signal });
  const turn = textFirst.turn(pressed && `${place.chat}/${pressed.message}`);
  let used = false;
  /** Calls are repeated here; of what follows the text only a whole change is, so that a later answer need not wait for it. */
  let isFollowing = false;
  let moment: Instant | undefined;
  let lastShown: Instant | undefined;
  let showing: Promise<unknown> = Promise.resolve();
  let opening: Promise<Answer> | undefined;

  /** Opened in turn: what is shown now is what the change before left. */
  async function open(): Promise<Answer> {
    const begun = pressed && (await pictured.now(place.chat, pressed));
    const patiently: Insistent['insist'] = async (again, work) => (isFollowing ? work() : insist(again, work));
    return openAnswer({ ...needs, at, insist: patiently }, () => moment ?? clock.now(), begun);
  }
  const opened = async (): Promise<Answer> => (opening ??= open());

  async function noted({ standing }: Answer): Promise<void> {
    used = true;
    if (standing !== undefined) await pictured.note(at().chat, standing);
  }

  function stepsOf({ reply, files }: Prepared, { replyTo, now }: { replyTo: number | undefined; now: Instant }): Steps {
    const fits = fitsCaption(reply, now);
    const split = pressed === undefined;
    let isPlaceholder = false;

    const textIn = async (answer: Answer, show: () => Promise<void>): Promise<string> => {
      await show();
      await noted(answer);
      for (const file of files) await answer.file(file);
      return `${at().chat}/${answer.standing?.message}`;
    };

    return {
      async whole({ picture }) {
        const answer = await opened();
        let isFollowed = false;
        const key = await textIn(answer, async () => {
          const text = async (kept?: number) => answer.text(reply, { split, picture: kept, replyTo });
          if (picture === undefined) return text();
          if (fits) {
            const isShown = await answer.orTextAlone(async () => answer.captioned(reply, picture.bytes, { replyTo }));
            return isShown === true ? undefined : text();
          }
          isFollowed = (await answer.orTextAlone(async () => answer.besideAgain(picture.bytes))) !== true;
          return text(isFollowed ? undefined : answer.standing?.picture);
        });
        return isFollowed ? key : undefined;
      },

      async text() {
        const answer = await opened();
        return textIn(answer, async () => {
          const { standing } = answer;
          // The old picture goes with the old text, in one edit.
          if (fits && reply.chart !== undefined && standing !== undefined && standing.picture === standing.message) {
            const empty = placeholderOf(reply.chart);
            isPlaceholder = (await answer.orTextAlone(async () => answer.captioned(reply, empty, { here: true }))) === true;
          }
          if (!isPlaceholder) await answer.text(reply, { split, replyTo });
        });
      },

      async rest({ picture }, own) {
        if (picture === undefined && !isPlaceholder) return;
        const answer = await opened();
        const isPost = picture === undefined || !fits;
        isFollowing = true;
        await insist(!isPost, async () =>
          own.run(async () => {
            if (picture === undefined) await answer.text(reply, { split });
            else if (!fits) await answer.beside(picture.bytes);
            else if (!(await answer.captioned(reply, picture.bytes, { here: true })))
              log.debug('telegram.picture-late', { chat: at().chat });
            await noted(answer);
          }),
        );
      },
    };
  }

  /** A picture stays until the answer comes, so that it does not go and come again. */
  async function showInterim(reply: Reply): Promise<void> {
    const answer = await opened();
    const { message, picture } = answer.standing ?? {};
    if (message !== undefined && message === picture) {
      if (!(await answer.caption(reply))) return;
    } else await answer.text(reply, { split: false, picture });
    used = true;
  }

  return {
    get used() {
      return used;
    },
    async interim(reply) {
      const now = clock.now();
      if (lastShown !== undefined && now < later(lastShown, INTERIM_EVERY)) return;
      lastShown = now;
      const shown = showing.then(async () => turn.run(async () => showInterim(reply)));
      showing = shown.catch((error: unknown) => log.debug('telegram.interim-not-shown', { at: addressOf(at()), error: inWords(error) }));
      await showing;
    },
    async final(prepared, { replyTo } = {}) {
      await showing;
      const now = (moment = clock.now());
      await textFirst.show(prepared, stepsOf(prepared, { replyTo, now }), { turn, signal });
    },
  };
}
