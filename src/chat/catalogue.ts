/** The commands as data: platforms derive help, slash commands, menus and completion from it. Filled by dispatch. */
import type { Address } from './address.js';

export interface OptionEntry {
  readonly name: string;
  readonly summary: string;
  readonly required: boolean;
  readonly choices?: readonly string[];
  /** Whether a sent file can replace the option's text. */
  readonly file?: boolean;
  readonly completes: boolean;
}

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** The help heading; `asking` where absent. */
  readonly group?: 'asking' | 'watching' | 'bot';
  readonly options: readonly OptionEntry[];
  /** Who sees its answers, if known in advance; everyone where absent. */
  readonly audience?: 'everyone' | 'asker';
  /** Offered to managers of a chat alone, where a platform can choose. */
  readonly managersOnly?: boolean;
  /** Complete command lines. */
  readonly examples: readonly string[];
}

/** `insert` replaces the input line; `label` and `hint` are shown. */
export interface Suggestion {
  readonly insert: string;
  readonly label: string;
  readonly hint: string;
}

export interface Catalogue {
  readonly commands: readonly CommandEntry[];
  /** Completions of a partial line, best first. Never rejects. */
  complete(line: string, chat: Address, limit: number): Promise<readonly Suggestion[]>;
  /** Values for one option, best first; `value` is what the option takes. Never rejects. */
  completeOption(
    ask: { readonly command: string; readonly option: string; readonly partial: string; readonly chat: Address },
    limit: number,
  ): Promise<readonly { readonly value: string; readonly label: string }[]>;
}
