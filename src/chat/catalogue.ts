/** Commands as data, for help, menus and completion. */
import type { Address } from './address.js';

export interface OptionEntry {
  readonly name: string;
  readonly summary: string;
  readonly required: boolean;
  readonly choices?: readonly string[];
  /** A sent file can replace the option's text. */
  readonly file?: boolean;
  readonly completes: boolean;
}

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** The help heading. Default: `asking`. */
  readonly group?: 'asking' | 'watching' | 'bot';
  readonly options: readonly OptionEntry[];
  /** Default: everyone. */
  readonly audience?: 'everyone' | 'asker';
  /** Its answers are hidden from others where that leaves no trace (Discord). */
  readonly personal?: boolean;
  /** Where platforms can hide commands. */
  readonly managersOnly?: boolean;
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
  /** Best first. Never rejects. */
  complete(line: string, chat: Address, limit: number): Promise<readonly Suggestion[]>;
  /** For one option, best first; `value` is what it takes. Never rejects. */
  completeOption(
    ask: { readonly command: string; readonly option: string; readonly partial: string; readonly chat: Address },
    limit: number,
  ): Promise<readonly { readonly value: string; readonly label: string }[]>;
}
