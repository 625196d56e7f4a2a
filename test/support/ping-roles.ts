/** Ping roles of a server that stands in memory, as a platform offers them to one person. */
import type { PingRoles } from '../../src/chat/ping-roles.js';
import type { Reply } from '../../src/chat/reply.js';

export interface PingRolesInMemory extends PingRoles {
  /** The roles that were made, by purpose. */
  readonly roles: Map<string, string>;
  readonly posted: Reply[];
}

export function pingRolesInMemory({ blocked, warning }: { readonly blocked?: string; readonly warning?: string } = {}): PingRolesInMemory {
  const roles = new Map<string, string>();
  const made = new Map<string, string>();
  const taken = new Set<string>();
  const posted: Reply[] = [];
  let count = 0;
  return {
    roles,
    posted,
    blocked: async () => blocked,
    async make(wanted) {
      const replaced = new Map<string, string>();
      for (const { purpose } of wanted) {
        const [id, before] = [roles.get(purpose) ?? String(700 + (count += 1)), made.get(purpose)];
        if (before !== undefined && before !== id) replaced.set(before, id);
        roles.set(purpose, id);
        made.set(purpose, id);
      }
      return { kind: 'made', roles: Object.fromEntries(roles), replaced, warning };
    },
    async post(reply) {
      posted.push(reply);
      return undefined;
    },
    async toggle(purpose) {
      const role = made.get(purpose);
      if (role === undefined) return { kind: 'absent' };
      if (!roles.has(purpose)) {
        made.delete(purpose);
        return { kind: 'deleted', role };
      }
      if (taken.delete(purpose)) return { kind: 'taken' };
      taken.add(purpose);
      return { kind: 'given', role };
    },
  };
}
