/** Whom a message would ping, by its text and `allowed_mentions`. Embeds never ping. https://docs.discord.com/developers/resources/message#allowed-mentions-object */
import { refuseFlaws } from './refusal.js';
import type { MessageForm } from './message-form.js';
import type { Id, Pings } from './types.js';
import type { World } from './world.js';

export const NO_PINGS: Pings = { everyone: false, users: [], roles: [], quiet: true };

export interface MentionQuestion {
  readonly world: World;
  readonly content: string;
  readonly allowed: MessageForm['allowed_mentions'];
  /** Whether the author may mention everyone and every role here. */
  readonly mayMentionEveryone: boolean;
  /** The author of the message replied to. */
  readonly repliedTo: Id | undefined;
}

export function pingsOf({ world, content, allowed, mayMentionEveryone, repliedTo }: MentionQuestion): Pings {
  refuseContradictions(allowed);
  const parse = allowed ? (allowed.parse ?? []) : ['everyone', 'users', 'roles'];
  const users = mentioned(content, /<@!?(\d+)>/g).filter(
    (id) => world.users.has(id) && (parse.includes('users') || (allowed?.users ?? []).includes(id)),
  );
  const roles = mentioned(content, /<@&(\d+)>/g).filter(
    (id) =>
      (mayMentionEveryone ? world.roles.has(id) : world.roles.get(id)?.mentionable === true) &&
      (parse.includes('roles') || (allowed?.roles ?? []).includes(id)),
  );
  const everyone = /@(everyone|here)/.test(content) && mayMentionEveryone && parse.includes('everyone');
  const replied = repliedTo !== undefined && (allowed ? allowed.replied_user === true : true) ? [repliedTo] : [];
  const all = [...new Set([...users, ...replied])];
  return { everyone, users: all, roles, quiet: !everyone && all.length === 0 && roles.length === 0 };
}

/** Everybody of a kind, and some of that kind, cannot both be asked for. */
function refuseContradictions(allowed: MessageForm['allowed_mentions']): void {
  const kinds = (['users', 'roles'] as const).filter((kind) => (allowed?.parse ?? []).includes(kind) && (allowed?.[kind] ?? []).length > 0);
  refuseFlaws(
    kinds.map((kind) => ({
      path: ['allowed_mentions'],
      code: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
      message: `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
    })),
  );
}

const mentioned = (content: string, pattern: RegExp): readonly Id[] => [
  ...new Set([...content.matchAll(pattern)].flatMap(([, id]) => id ?? [])),
];
