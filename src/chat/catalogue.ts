/** Commands are data here, for help, menus and completion. */
import type { Address } from './address.js';
import type { Field } from './reply.js';

export interface OptionEntry {
  readonly name: string;
  readonly summary: string;
  readonly required: boolean;
  readonly choices?: readonly string[];
  /** It is a role or a person, as the platform writes a mention. */
  readonly mentions?: boolean;
  /** A sent file can replace the option's text. */
  readonly file?: boolean;
  readonly completes: boolean;
}

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** It is the heading in the help, by default `asking`. */
  readonly group?: 'asking' | 'watching' | 'bot';
  readonly options: readonly OptionEntry[];
  /** By default everyone sees the answer. */
  readonly audience?: 'everyone' | 'asker';
  /** Its answers are hidden from others where that leaves no trace, as on Discord. */
  readonly personal?: boolean;
  /** It can be asked about another channel, where the platform has channels. */
  readonly elsewhere?: boolean;
  /** The command is hidden from others where platforms can hide commands. */
  readonly managersOnly?: boolean;
  /** It never changes a chat, whatever its options are. */
  readonly reads?: boolean;
  /** Asked with this option alone it opens a form for the field, where the platform has forms that take files. */
  readonly upload?: { readonly option: string; readonly value: string; readonly field: Extract<Field, { kind: 'text' }> };
  readonly examples: readonly string[];
  /**
   * What people say for it in plain words: phrases separated by bars, by the line that they mean.
   * A slot such as {project} is filled with what was heard; one with a question mark may stay empty.
   */
  readonly phrases?: Readonly<Record<string, string>>;
}

/** `insert` replaces the input line; `label` and `hint` are shown. */
export interface Suggestion {
  readonly insert: string;
  readonly label: string;
  readonly hint: string;
}

export interface Catalogue {
  readonly commands: readonly CommandEntry[];
  /** It gives the lines that a sentence may ask for, the likeliest first; none of them changes anything. Sentences are not read if it is absent. It never rejects. */
  readonly readings?: (sentence: string, chat: Address, limit: number) => Promise<readonly string[]>;
  /** The best suggestion comes first. It never rejects. */
  complete(line: string, chat: Address, limit: number): Promise<readonly Suggestion[]>;
  /** It completes one option, best first. `value` is what the option takes. It never rejects. */
  completeOption(
    ask: {
      readonly command: string;
      readonly option: string;
      readonly partial: string;
      readonly chat: Address;
      /** Another channel is chosen in the same form. */
      readonly elsewhere?: boolean;
    },
    limit: number,
  ): Promise<readonly { readonly value: string; readonly label: string }[]>;
}
