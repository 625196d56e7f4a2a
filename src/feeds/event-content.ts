/** The content of an alert about one event, before a chat's message is composed of it, and how a correction changes it. */
import type { Action, Line, Tone } from '../chat/reply.js';
import type { Crossing } from '../domain/crossing.js';
import { correctionLine, type Correction } from '../domain/event.js';
import type { LinkTarget } from '../domain/links.js';
import type { Instant } from '../domain/scalars.js';
import { crossingWords, type CrossingSubject } from '../domain/crossing-words.js';

/** What a chat adds: `called` is its name for the subject. */
export interface AlertContext {
  readonly called?: string | undefined;
  readonly crossings?: readonly Crossing[] | undefined;
  /** What durations in words are counted from. Default: when the event was detected. */
  readonly now?: Instant | undefined;
}

export interface EventContent {
  readonly tone: Tone;
  /** Who the event is about, as the heading of a group names it. */
  readonly about: string;
  readonly headline: Line;
  readonly details: readonly Line[];
  /** Buttons of this event. Mute and Why? are added to every alert. */
  readonly actions: readonly Pick<Action, 'label' | 'line'>[];
  /** Shown where the message is about this event alone. */
  readonly links?: readonly LinkTarget[];
}

/** The stage of a correction that keeps the words of the event it corrects. */
export const CORRECTED_STAGE = 'corrected';

export const correctedContent = (content: EventContent, correction: Correction): EventContent => ({
  ...content,
  tone: 'warning',
  headline: ['Correction · ', ...content.headline],
  details: [correctionLine(correction), ...content.details],
});

/** Lines about second and later crossings. */
export function alsoCrossed(crossings: readonly Crossing[], about: CrossingSubject): readonly Line[] {
  const [first, ...others] = crossings;
  return others.map((crossing): Line => {
    const { measure } = crossing.rule;
    const words = crossingWords(crossing, about);
    return [measure === first?.rule.measure ? `Also: ${words.finding}` : `Also: ${words.finding}: ${words.value} (${words.was})`];
  });
}
