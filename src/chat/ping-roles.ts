/** The port for ping roles, which the bot creates so that members choose what they are pinged for. */
import type { Reply } from './reply.js';

export interface WantedPingRole {
  /** A word of the command, such as `proposals`. */
  readonly purpose: string;
  readonly name: string;
}

export type MadePingRoles =
  /** The ids are by purpose. `warning` says why one of them can be given to nobody as it is. */
  | {
      readonly kind: 'made';
      readonly roles: Readonly<Record<string, string>>;
      readonly replaced: ReplacedRoles;
      readonly warning?: string | undefined;
    }
  | { readonly kind: 'refused'; readonly says: string; readonly replaced: ReplacedRoles };

/** New roles by the ids of deleted ones, which other channels of the server may still mention. */
export type ReplacedRoles = ReadonlyMap<string, string>;

export type PingRoleChange =
  | { readonly kind: 'given'; readonly role: string }
  | { readonly kind: 'taken' }
  /** The role was deleted in the server, and its record was deleted too. */
  | { readonly kind: 'deleted'; readonly role: string }
  /** The bot created no role for this purpose here. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly says: string };

/** Ping roles for one person in one channel. No method rejects for errors of the platform. */
export interface PingRoles {
  /** Resolves with a sentence about what prevents the person or the bot from setting up roles here; undefined if nothing does. */
  blocked(): Promise<string | undefined>;
  /** Creates the missing roles. A repeat after a kill creates none twice. */
  make(wanted: readonly WantedPingRole[]): Promise<MadePingRoles>;
  /** Posts a message in the channel. Resolves with a sentence if that failed. */
  post(reply: Reply): Promise<string | undefined>;
  /** Gives the person the role or takes it away. Reads the role's permissions each time. */
  toggle(purpose: string): Promise<PingRoleChange>;
}
