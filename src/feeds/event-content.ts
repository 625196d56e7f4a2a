/** This is the content of an alert about one event, before a chat's message is composed of it, and how a correction changes it. */
import type { Action, Line, Tone } from '../chat/reply.js';
import type { Crossing } from '../domain/crossing.js';
import { correctionLine, type Correction } from '../domain/event.js';
import type { LinkTarget } from '../domain/links.js';
import type { Instant } from '../domain/scalars.js';
import { capitalised } from '../base/sentence-lists.js';
import { afterWords, crossingWords, type CrossingSubject } from '../domain/crossing-words.js';

/** A chat adds this. `name` is its own for the subject. */
export interface AlertContext {
  readonly name?: string | undefined;
  readonly crossings?: readonly Crossing[] | undefined;
  /** Durations in words count from this moment, by default when the event was detected. */
  readonly now?: Instant | undefined;
  /** A reminder is sent at this moment, and says the time that is left then; by default it is when it was detected. */
  readonly sentAt?: Instant | undefined;
}

export interface EventContent {
  readonly tone: Tone;
  /** It says who the event is about, as the heading of a group names it. */
  readonly about: string;
  readonly headline: Line;
  readonly details: readonly Line[];
  /** These buttons belong to the event. Mute and Why? are added to every alert. */
  readonly actions: readonly Pick<Action, 'label' | 'line'>[];
  /** They are shown where the message is about this event alone. */
  readonly links?: readonly LinkTarget[];
}

/** A correction of this stage keeps the words of the event it corrects. */
export const CORRECTED_STAGE = 'corrected';

export const correctedContent = (content: EventContent, correction: Correction | undefined): EventContent =>
  correction === undefined
    ? content
    : {
        ...content,
        tone: 'warning',
        headline: ['Correction · ', ...content.headline],
        details: [correctionLine(correction), ...content.details],
      };

/** A return says how long its alert lasted, and how far it went. */
export function overContent(content: EventContent, { crossings = [] }: AlertContext): EventContent {
  const after = crossings.flatMap((one): readonly Line[] =>
    [afterWords(one)].flatMap((words) => (words === undefined ? [] : [[capitalised(words)]])),
  );
  return after.length === 0 ? content : { ...content, details: [...after, ...content.details] };
}

/** These lines are about second and later crossings. */
export function alsoCrossed(crossings: readonly Crossing[], about: CrossingSubject): readonly Line[] {
  const [first, ...others] = crossings;
  return others.map((crossing): Line => {
    const { measure } = crossing.rule;
    const words = crossingWords(crossing, about);
    return [measure === first?.rule.measure ? `Also: ${words.finding}` : `Also: ${words.finding}: ${words.value} (${words.was})`];
  });
}
