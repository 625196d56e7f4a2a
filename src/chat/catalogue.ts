/** What can be asked, described for platforms: help, slash definitions, menus and completion are derived from it. Filled by dispatch. */
import type { Address } from './address.js';

export interface OptionEntry {
  readonly name: string;
  readonly summary: string;
  readonly required: boolean;
  /** The only values it takes, where they are few. */
  readonly choices?: readonly string[];
  /** Whether a file can be sent in its place, where the platform has a field for one. The words of the option are then not needed. */
  readonly file?: boolean;
  /** Whether values can be suggested while it is filled in. */
  readonly completes: boolean;
}

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** The heading it belongs under; asking where absent. */
  readonly group?: 'asking' | 'watching' | 'bot';
  readonly options: readonly OptionEntry[];
  /** Who sees its answers, where that is known before there is one: a platform may have to say so at once. Everyone where absent. */
  readonly audience?: 'everyone' | 'asker';
  /** Whole lines a person could type. */
  readonly examples: readonly string[];
}

/** `insert` replaces what stands in the input line; `label` and `hint` are for the eye. */
export interface Suggestion {
  readonly insert: string;
  readonly label: string;
  readonly hint: string;
}

export interface Catalogue {
  readonly commands: readonly CommandEntry[];
  /** What could stand next, for a half-typed line; best first, at most `limit`. Never rejects: without data it suggests less. */
  complete(line: string, chat: Address, limit: number): Promise<readonly Suggestion[]>;
  /** Values for one option, half typed; best first, at most `limit`. `value` is what the option takes. Never rejects. */
  completeOption(
    ask: { readonly command: string; readonly option: string; readonly partial: string; readonly chat: Address },
    limit: number,
  ): Promise<readonly { readonly value: string; readonly label: string }[]>;
}
