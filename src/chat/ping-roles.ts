/** This port is for roles of a server that the bot made, so that members choose what they are pinged for. */
import type { Reply } from './reply.js';

export interface WantedPingRole {
  /** It is a word of the command, such as `proposals`. */
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
  /** The role was deleted in the server, and nothing of it is stored by the platform any more. */
  | { readonly kind: 'deleted'; readonly role: string }
  /** The bot made no role for this purpose here. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly says: string };

/** It is about one person in one channel. Nothing of it rejects for errors of the platform. */
export interface PingRoles {
  /** It says in a sentence what prevents the person or the bot from setting roles up here, and is undefined if nothing does. */
  blocked(): Promise<string | undefined>;
  /** It makes the roles that are not there. A repeat after a kill makes none a second time. */
  make(wanted: readonly WantedPingRole[]): Promise<MadePingRoles>;
  /** It posts a message in the channel, and gives a sentence if that failed. */
  post(reply: Reply): Promise<string | undefined>;
  /** It gives the person the role, or takes it away. What the role may do is read again each time. */
  toggle(purpose: string): Promise<PingRoleChange>;
}
