/** The content of an alert about one event, before a chat's message is composed of it, and how a correction changes it. */
import type { Action, Line, Tone } from '../chat/reply.js';
import type { Crossing } from '../domain/crossing.js';
import { correctionLine, type Correction } from '../domain/event.js';
import type { LinkTarget } from '../domain/links.js';
import type { Instant } from '../domain/scalars.js';

/** What a chat adds: `called` is its name for the subject. */
export interface AlertContext {
  readonly called?: string | undefined;
  readonly crossings?: readonly Crossing[] | undefined;
  /** Default: when detected. */
  readonly now?: Instant | undefined;
}

export interface EventContent {
  readonly tone: Tone;
  /** For the heading of a group. */
  readonly about: string;
  readonly headline: Line;
  readonly details: readonly Line[];
  /** Without mute and why. */
  readonly actions: readonly Pick<Action, 'label' | 'line'>[];
  /** Of a message about this event alone. */
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
