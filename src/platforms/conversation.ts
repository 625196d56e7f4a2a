/** Shows one reply step by step: acknowledgement, interim texts, text, picture. After an error it retries or takes a simpler form. Edits of one message keep their order. */
import { RecentMap } from '../base/bounded-cache.js';
import { later, type Clock, type Instant } from '../base/clock.js';
import { within, unlessAborted } from '../base/deadline.js';
import { lanes } from '../base/lanes.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Address } from '../chat/address.js';
import type { Picture } from '../chat/chart.js';
import type { Outcome } from '../chat/notifier.js';
import type { Reply } from '../chat/reply.js';
import type { Attached, Prepared } from './attachments.js';

/** The forms of an answer, in the order in which they are tried. `words` has no attachments. */
export type Form = 'whole' | 'words' | 'simple' | 'plain';

/** What an error says about the form that was tried. */
export type Failure =
  /** The attachments may be the cause. */
  | 'attachments'
  /** The platform refuses this form, or we could not build it. */
  | 'form'
  /** The server failed, so the same form may work a moment later. */
  | 'server'
  /** No other form would work. */
  | 'final';

const SIMPLER = { whole: 'simple', words: 'simple', simple: 'plain', plain: undefined } as const satisfies Record<Form, Form | undefined>;

/** An answer and its attachments. If `isDrawing`, the picture is attached later. */
export interface AnswerContent extends Attached {
  readonly isDrawing: boolean;
}

/** Shows one reply on a platform. Every step rejects with the platform's error. */
export interface ReplySurface {
  /** Shows that an answer will come, unless something is shown already. Absent if the platform has no such sign. */
  acknowledge?(): Promise<void>;
  /** Shows an interim text. Resolves with false if it did not fit, such as into a picture's caption. */
  interim(reply: Reply): Promise<boolean>;
  /** Shows the answer. Resolves with the key of the message to which the picture must still be attached. */
  show(form: Form, answer: AnswerContent): Promise<string | undefined>;
  /** Adds the picture, if it could be drawn. Must edit only inside `turn`. */
  attach(answer: Attached, turn: EditTicket['run']): Promise<void>;
  /** Logs why a form was not shown, and classifies the error. */
  failureOf(error: unknown, form: Form, answer: AnswerContent): Failure;
  /** Tells whether the answer needs a separate message although a message was to be edited. */
  isApart?(reply: Reply): boolean;
}

export interface ConversationOptions {
  /** The key of the message to edit. */
  readonly key?: string | undefined;
  readonly signal: AbortSignal;
  /** The value is in milliseconds. An interim text that follows the last one sooner is left out. */
  readonly interimEvery?: number;
}

/** The value is in milliseconds. A picture that is drawn within this time is sent with its text. */
export const TOGETHER_WITHIN = 250;
/** The wait before an answer is tried once more, in milliseconds. */
const RETRY_AFTER = 1_000;

const PENDING: unique symbol = Symbol('still being drawn');

/** Creates a platform's conversations and waits for their pictures. */
export class Conversations {
  readonly clock: Clock;
  readonly order = new MessageOrder();
  readonly #onFailure: (error: unknown) => void;
  readonly #pending = new Set<Promise<void>>();

  /** `onFailure` is called if a picture could not be attached. */
  constructor({ clock, onFailure }: { clock: Clock; onFailure: (error: unknown) => void }) {
    this.clock = clock;
    this.#onFailure = onFailure;
  }

  /** Lets work continue after its question counts as answered. */
  follow(work: Promise<void>): void {
    const followed = work.catch(this.#onFailure).finally(() => this.#pending.delete(followed));
    this.#pending.add(followed);
  }

  /** Resolves once every picture is attached. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }
}

export class Conversation {
  readonly #all: Conversations;
  readonly #surface: ReplySurface;
  readonly #options: ConversationOptions;
  readonly #ticket: EditTicket;
  /** The last step of this reply. Steps run one after another. */
  #last: Promise<unknown> = Promise.resolve();
  #announcement: { readonly over: AbortController; readonly done: Promise<void> } | undefined;
  #lastInterim: Instant | undefined;
  #hasInterim = false;

  constructor(all: Conversations, surface: ReplySurface, options: ConversationOptions) {
    this.#all = all;
    this.#surface = surface;
    this.#options = options;
    this.#ticket = all.order.take(options.key);
  }

  /** Tells whether an interim text was shown. */
  get hasInterim(): boolean {
    return this.#hasInterim;
  }

  /** Acknowledges after this time, unless something was shown before. */
  acknowledgeAfter(milliseconds: number, onFailure: (error: unknown) => void): void {
    const over = new AbortController();
    const done = this.#all.clock.sleep(milliseconds, over.signal).then(
      async () => this.#acknowledge().catch(onFailure),
      () => undefined,
    );
    this.#announcement = { over, done };
  }

  async acknowledge(): Promise<void> {
    await this.#endAnnouncement();
    await this.#acknowledge();
  }

  async #acknowledge(): Promise<void> {
    await this.#inOrder(async () => this.#surface.acknowledge?.());
  }

  async interim(reply: Reply): Promise<void> {
    const { interimEvery = 0 } = this.#options;
    const now = this.#all.clock.now();
    if (this.#lastInterim !== undefined && now < later(this.#lastInterim, interimEvery)) return;
    this.#lastInterim = now;
    await this.#ticket.run(async () => {
      await this.#inOrder(async () => {
        if (await this.#surface.interim(reply)) this.#hasInterim = true;
      });
    });
  }

  /**
   * Shows the best form of the answer that the platform accepts, or nothing if a later question was answered first.
   * A reply for nobody is not shown. The picture may follow. Rejects with the last error if no form was accepted.
   */
  async show(prepared: Prepared): Promise<void> {
    const { signal } = this.#options;
    if (prepared.reply.audience === 'nobody') return;
    await this.#last;
    const ticket = this.#surface.isApart?.(prepared.reply) === true ? this.#all.order.take() : this.#ticket;
    let isRepeated = false;
    for (let form: Form | undefined = 'whole'; ;) {
      const picture = form === 'whole' ? await this.#soon(prepared) : undefined;
      const answer = { ...prepared, picture: picture === PENDING ? undefined : picture, isDrawing: picture === PENDING };
      try {
        const key = await this.#showForm(form, answer, ticket);
        if (key !== undefined) this.#all.follow(this.#attach(prepared, ticket.on(key)));
        return;
      } catch (error) {
        const failure = this.#surface.failureOf(error, form, answer);
        if (signal.aborted || failure === 'final') throw error;
        if (failure === 'server' && !isRepeated) {
          isRepeated = true;
          await this.#all.clock.sleep(RETRY_AFTER, signal).catch(() => undefined);
          continue;
        }
        form = failure === 'attachments' ? 'words' : SIMPLER[form];
        if (form === undefined) throw error;
      }
    }
  }

  /** Shows one form. Resolves with the key of the message to which the picture must still be attached. */
  async #showForm(form: Form, answer: AnswerContent, ticket: EditTicket): Promise<string | undefined> {
    let key: string | undefined;
    const isShown = await ticket.run(async () => {
      await this.#endAnnouncement();
      key = await this.#inOrder(async () => this.#surface.show(form, answer));
    });
    // The answer to a later question is shown already; this question must still be acknowledged.
    if (!isShown) await this.acknowledge();
    return key;
  }

  async #attach(prepared: Prepared, ticket: EditTicket): Promise<void> {
    const picture = await unlessAborted(this.#options.signal, prepared.picture).catch(() => 'aborted' as const);
    if (picture !== 'aborted') await this.#surface.attach({ ...prepared, picture }, ticket.run);
  }

  async #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #endAnnouncement(): Promise<void> {
    this.#announcement?.over.abort(new Error('the answer is there'));
    await this.#announcement?.done;
  }

  async #soon({ picture, isCold }: Prepared): Promise<Picture | undefined | typeof PENDING> {
    // Even before the first drawing, a cached picture is there at once.
    if (isCold === true) return Promise.race([picture, yieldToEventLoop().then((): typeof PENDING => PENDING)]);
    return within(this.#all.clock, TOGETHER_WITHIN, picture, PENDING);
  }
}

export interface RepeatOptions {
  readonly tries: number;
  /** True if a repeat does no harm although the first request was executed. */
  readonly isHarmless: boolean;
  readonly outcomeOf: (error: unknown) => Outcome;
  /** Waits before the next try, or returns false if the wait would be too long. */
  readonly pause: (outcome: Outcome, tried: number) => Promise<boolean>;
  /** Called with the chat's new address, to which the next try goes. */
  readonly onMoved?: (to: Address) => void;
}

/** Retries a request that was not executed, or whose repeat does no harm. Rejects with the last error. */
export async function repeated<T>(work: () => Promise<T>, options: RepeatOptions): Promise<T> {
  const { tries, isHarmless, outcomeOf, pause, onMoved } = options;
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      const outcome = outcomeOf(error);
      if (tried >= tries) throw error;
      if (outcome.kind === 'moved' && onMoved !== undefined) onMoved(outcome.to);
      else if (outcome.kind !== 'later' && !(isHarmless && outcome.kind === 'unclear')) throw error;
      else if (!(await pause(outcome, tried))) throw error;
    }
  }
}

const MAX_REMEMBERED = 1_000;

export class MessageOrder {
  readonly #lane = lanes();
  readonly #shown = new RecentMap<string, number>(MAX_REMEMBERED);
  #taken = 0;

  /** Takes a ticket when a question arrives. `key` is the message to edit, if any. */
  take(key?: string): EditTicket {
    this.#taken += 1;
    return this.#ticket(this.#taken, key);
  }

  #ticket(number: number, key: string | undefined): EditTicket {
    let begun = false;
    const self: EditTicket = {
      on: (other) => (other === key ? self : this.#ticket(number, other)),
      run: async (work) => {
        if (key === undefined) return work().then(() => true);
        return this.#lane.run(key, async () => {
          const latest = this.#shown.get(key);
          // The message is no longer remembered, so many later edits happened since this question began.
          if (begun ? latest !== number : latest !== undefined && latest > number) return false;
          begun = true;
          this.#shown.set(key, number);
          await work();
          return true;
        });
      },
    };
    return self;
  }
}

export interface EditTicket {
  /** Runs an edit. Resolves with false, without running it, if the answer to a later question is shown. */
  run(work: () => Promise<void>): Promise<boolean>;
  /** Returns the same question's ticket for another message. */
  on(key: string): EditTicket;
}
