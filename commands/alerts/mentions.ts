/** Mentions of an entry's alerts. */
import { MAX_MENTIONS, type Entry } from '../../src/alerts/watchlist/entry.js';
import type { Person } from '../../src/chat/inbound.js';
import type { Mention } from '../../src/chat/reply.js';
import { UserError } from '../../src/reply/index.js';
import { mentionText } from './rule-input.js';

export type RequestedMention = Mention | { readonly kind: 'either'; readonly id: string };

/** `<@&1>` is a role, `<@1>` and `<@!1>` a person. Throws a `UserError`. */
export function readMentions(text: string): readonly RequestedMention[] {
  const words = text.split(/[\s,]+/u).filter((word) => word !== '' && word.toLowerCase() !== 'and');
  if (words.length === 0) throw new UserError(`Whom? Name a role or a person, or their ids, such as ${EXAMPLE}.`, { usage: 'alerts' });
  return words.map((word) => {
    if (/^@?(everyone|here)$/iu.test(word))
      throw new UserError('Alerts never mention everyone, or everyone who is here. Name a role or people.');
    const [, sign, id] = /^<@([&!]?)(\d{1,20})>$/u.exec(word) ?? [];
    if (id !== undefined) return { kind: sign === '&' ? ('role' as const) : ('person' as const), id };
    if (/^\d{15,20}$/u.test(word)) return { kind: 'either' as const, id: word };
    throw new UserError([
      { code: word.slice(0, 60) },
      " isn't a role or a person. Choose one from the list that opens when you type @, or give an id, such as ",
      { code: EXAMPLE },
      '.',
    ]);
  });
}

const EXAMPLE = '123456789012345678';

/** Rejects with a `UserError` for one that the asker may not mention. */
export async function chosen(named: readonly RequestedMention[], { mayMention }: Pick<Person, 'mayMention'>): Promise<readonly Mention[]> {
  if (mayMention === undefined) throw new UserError('Only Discord can mention somebody in an alert.');
  const mentions: Mention[] = [];
  for (const { kind, id } of named) {
    const candidates: readonly Mention[] =
      kind === 'either'
        ? [
            { kind: 'role', id },
            { kind: 'person', id },
          ]
        : [{ kind, id }];
    const found = await first(candidates, mayMention);
    if (found === undefined)
      throw new UserError([
        "You can't mention ",
        { code: kind === 'either' ? id : mentionText({ kind, id }) },
        " in this channel yourself, so my alerts can't either. Ask somebody who can.",
      ]);
    mentions.push(found);
  }
  return mentions;
}

async function first(candidates: readonly Mention[], may: NonNullable<Person['mayMention']>): Promise<Mention | undefined> {
  for (const mention of candidates) if (await may(mention)) return mention;
  return undefined;
}

const same = (one: Pick<Mention, 'id'>) => (other: Pick<Mention, 'id'>) => one.id === other.id;

/** Throws a `UserError` above the limit. */
export function withMentions(entry: Entry, more: readonly Mention[]): Entry {
  const mentions = [...(entry.mentions ?? []), ...more].filter((one, at, all) => all.findIndex(same(one)) === at);
  if (mentions.length > MAX_MENTIONS)
    throw new UserError(
      `An entry mentions at most ${MAX_MENTIONS} roles and people; that would be ${mentions.length}. A role can hold them all.`,
    );
  return { ...entry, mentions };
}

export function withoutMentions({ mentions = [], ...entry }: Entry, which?: readonly RequestedMention[]): Entry {
  const left = which === undefined ? [] : mentions.filter((one) => !which.some(same(one)));
  return left.length === 0 ? entry : { ...entry, mentions: left };
}
