/** The port that previews a reply as each platform would show it. */
import type { Emphasis, Line, Reply } from './reply.js';
import type { Instant } from '../domain/scalars.js';

export type PreviewBlock =
  { readonly kind: 'line'; readonly line: Line; readonly small?: boolean } | { readonly kind: 'code'; readonly text: string };

/** The preview of a message, read back from what would be sent. */
export interface MessagePreview {
  readonly blocks: readonly PreviewBlock[];
  /** The embed, framed below the blocks. `colour` is `#rrggbb`. */
  readonly embed?: {
    readonly colour: string;
    readonly title?: Line;
    readonly blocks: readonly PreviewBlock[];
    readonly fields: readonly { readonly name: string; readonly value: readonly PreviewBlock[]; readonly inline: boolean }[];
    readonly footer?: Line;
  };
  /** Set if the message has a picture. */
  readonly picture?: 'first' | 'last';
  readonly rows: readonly (readonly PreviewButton[])[];
}

export interface PreviewButton {
  readonly label: string;
  readonly kind: 'button' | 'link' | 'menu';
  readonly on?: boolean;
  readonly emphasis?: Emphasis;
}

export interface PreviewRequest {
  readonly reply: Reply;
  readonly now: Instant;
  /** True for an alert, which is one message; an answer may be several. */
  readonly isAlert: boolean;
}

export interface Rendering {
  readonly platform: string;
  /** The platform's name for people. */
  readonly title: string;
  readonly messages: readonly MessagePreview[];
}

/** Renders the previews and sends nothing. Rejects if the reply cannot be rendered. */
export type Renderings = (request: PreviewRequest) => Promise<readonly Rendering[]>;
