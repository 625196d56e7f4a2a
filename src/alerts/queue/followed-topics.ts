/** Chats that show a topic, or will: updated with each queue write. */
import type { Address } from '../../chat/address.js';
import type { Queue } from './queue.js';

export interface FollowedTopics {
  put(queue: Queue): void;
  delete(address: Address): void;
  has(topic: string): boolean;
  by(topic: string): Iterable<Address>;
}

const NONE: ReadonlySet<string> = new Set();

export function createFollowedTopics(): FollowedTopics {
  const topics = new Map<Address, ReadonlySet<string>>();
  const chats = new Map<string, Set<Address>>();
  const replace = (address: Address, after: ReadonlySet<string>): void => {
    const before = topics.get(address) ?? NONE;
    if (after.size === 0) topics.delete(address);
    else topics.set(address, after);
    for (const topic of before) {
      if (after.has(topic)) continue;
      const rest = chats.get(topic);
      rest?.delete(address);
      if (rest?.size === 0) chats.delete(topic);
    }
    for (const topic of after) if (!before.has(topic)) chats.set(topic, (chats.get(topic) ?? new Set()).add(address));
  };
  return {
    put: (queue) => replace(queue.address, topicsOf(queue)),
    delete: (address) => replace(address, NONE),
    has: (topic) => chats.has(topic),
    by: (topic) => chats.get(topic) ?? [],
  };
}

function topicsOf({ live = {}, open, waiting }: Queue): ReadonlySet<string> {
  const shown = Object.entries(live).flatMap(([topic, { ended }]) => (ended === true ? [] : [topic]));
  const members = [...waiting, ...(open?.members ?? [])].flatMap((member) => (member.live === undefined ? [] : [member.live.topic]));
  return shown.length + members.length === 0 ? NONE : new Set([...shown, ...members]);
}
