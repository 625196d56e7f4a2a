/** Describes commands as data, for help, menus and completion. */
import type { Address } from './address.js';
import type { Field } from './reply.js';

export interface OptionEntry {
  readonly name: string;
  readonly summary: string;
  readonly required: boolean;
  readonly choices?: readonly string[];
  /** True if the value is a role or a person, written as a mention of the platform. */
  readonly mentions?: boolean;
  /** True if a sent file can replace the option's text. */
  readonly file?: boolean;
  readonly completes: boolean;
}

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** The heading in the help, by default `asking`. */
  readonly group?: 'asking' | 'watching' | 'bot';
  readonly options: readonly OptionEntry[];
  /** Who sees the answer, by default everyone. */
  readonly audience?: 'everyone' | 'asker';
  /** True if answers are hidden from others on platforms where that leaves no trace. */
  readonly personal?: boolean;
  /** True if the command can be asked about another channel, on platforms with channels. */
  readonly elsewhere?: boolean;
  /** True if only managers see the command, on platforms that can hide commands. */
  readonly managersOnly?: boolean;
  /** True if the command never changes a chat, whatever its options are. */
  readonly reads?: boolean;
  /** With only this option the command opens a form for the field, on platforms whose forms take files. */
  readonly upload?: { readonly option: string; readonly value: string; readonly field: Extract<Field, { kind: 'text' }> };
  readonly examples: readonly string[];
  /**
   * The plain words that people use for the command: phrases separated by bars, keyed by the command line that they mean.
   * A slot such as {project} is filled with the matched words; one with a question mark may stay empty.
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
  /** Returns the command lines that a sentence may mean, the likeliest first; all of them only read. Never rejects. Absent if sentences are not understood. */
  readonly readings?: (sentence: string, chat: Address, limit: number) => Promise<readonly string[]>;
  /** Completes a line, the best suggestion first. Never rejects. */
  complete(line: string, chat: Address, limit: number): Promise<readonly Suggestion[]>;
  /** Completes one option, the best first. `value` is the text for the option. Never rejects. */
  completeOption(
    ask: {
      readonly command: string;
      readonly option: string;
      readonly partial: string;
      readonly chat: Address;
      /** True if another channel is chosen in the same form. */
      readonly elsewhere?: boolean;
    },
    limit: number,
  ): Promise<readonly { readonly value: string; readonly label: string }[]>;
}
