/** Two indexes read as one. No chat is in both. */
import { instant } from '../../base/clock.js';
import type { Audience, Group, SubscriberIndex, Subscribers } from './subscribers.js';

type IndexView = Omit<SubscriberIndex, 'replace'>;

/** `many` is large, `few` usually empty. */
export function joinSubscribers(many: IndexView, few: IndexView): Subscribers {
  return {
    watched: {
      get slugs() {
        return union(many.watched.slugs, few.watched.slugs);
      },
      get wallets() {
        return union(many.watched.wallets, few.watched.wallets);
      },
      get all() {
        return many.watched.all || few.watched.all;
      },
      get launches() {
        return many.watched.launches || few.watched.launches;
      },
    },
    *groups() {
      for (const group of many.groups()) {
        const other = few.groupOf(group.target);
        yield other === undefined ? group : joinGroups(group, other);
      }
      for (const group of few.groups()) if (many.groupOf(group.target) === undefined) yield group;
    },
    *to(event) {
      yield* many.to(event);
      yield* few.to(event);
    },
    absencesEnded: (from, to) => [...many.absencesEnded(from, to), ...few.absencesEnded(from, to)],
    revision: () => many.revision() + few.revision(),
  };
}

const union = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): ReadonlySet<T> => (other.size === 0 ? one : new Set([...one, ...other]));

const joinGroups = (one: Group, other: Group): Group => ({
  target: one.target,
  audience: (kind) => joinAudiences(one.audience(kind), other.audience(kind)),
  returnedAt(kind) {
    const known = [one.returnedAt(kind), other.returnedAt(kind)].filter((at) => at !== undefined);
    return known.length === 0 ? undefined : instant(Math.max(...known));
  },
});

const joinAudiences = (one: Audience, other: Audience): Audience => ({
  get size() {
    return one.size + other.size;
  },
  has: (chat) => one.has(chat) || other.has(chat),
  *[Symbol.iterator]() {
    yield* one;
    yield* other;
  },
});
