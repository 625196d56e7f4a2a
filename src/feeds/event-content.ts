/** This module defines the content of an alert about one event, and changes it for corrections and returns. */
import type { ChartDraft } from '../chat/chart.js';
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
  /** The time from which durations count; by default when the event was detected. */
  readonly now?: Instant | undefined;
  /** When a reminder is sent, which says the time left; by default when it was detected. */
  readonly sentAt?: Instant | undefined;
}

export interface EventContent {
  readonly tone: Tone;
  /** Who the event is about, as in the heading of a group. */
  readonly about: string;
  readonly headline: Line;
  readonly details: readonly Line[];
  /** Buttons of the event. Mute and Why? are added to every alert. */
  readonly actions: readonly Pick<Action, 'label' | 'line'>[];
  /** Shown if the message is about this event alone. */
  readonly links?: readonly LinkTarget[];
  /** The chart of a live message. */
  readonly chart?: ChartDraft | undefined;
}

/** The stage of corrections. Their alerts keep the words of the corrected event. */
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

/** Adds to the content of a return how long its alert lasted and how far the value went. */
export function overContent(content: EventContent, { crossings = [] }: AlertContext): EventContent {
  const after = crossings.flatMap((one): readonly Line[] =>
    [afterWords(one)].flatMap((words) => (words === undefined ? [] : [[capitalised(words)]])),
  );
  return after.length === 0 ? content : { ...content, details: [...after, ...content.details] };
}

/** Returns lines about all crossings after the first. */
export function alsoCrossed(crossings: readonly Crossing[], about: CrossingSubject): readonly Line[] {
  const [first, ...others] = crossings;
  return others.map((crossing): Line => {
    const { measure } = crossing.rule;
    const words = crossingWords(crossing, about);
    return [measure === first?.rule.measure ? `Also: ${words.finding}` : `Also: ${words.finding}: ${words.value} (${words.was})`];
  });
}
