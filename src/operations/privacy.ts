/** Describes and deletes what is stored about chats and people. */
import { omitUndefined } from '../base/omit-undefined.js';
import type { RuleStates } from '../alerts/evaluation/rule-states.js';
import { digestWords } from '../alerts/digest/setting.js';
import type { Entry } from '../alerts/watchlist/entry.js';
import { exceptionsInForce } from '../alerts/watchlist/exceptions.js';
import { mentioning, waitingIn } from '../alerts/queue/queue.js';
import type { Queues } from '../alerts/queue/queues.js';
import type { Chat, Watchlists } from '../alerts/watchlist/watchlists.js';
import { whenReady } from '../base/when-ready.js';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { circleOf, platformOf, type Address } from '../chat/address.js';
import type { Person } from '../chat/inbound.js';
import type { DataOwner, ForgottenChat, Privacy } from '../chat/privacy.js';
import type { Mention } from '../chat/reply.js';
import type { Sources } from '../sources/kept-sources.js';

const SOMEONE = 'someone';

export interface PrivacyDeps {
  readonly watchlists: Watchlists;
  readonly queues: Queues;
  readonly rules: Pick<RuleStates, 'countOf' | 'forgetChat'>;
  readonly sources: Pick<Sources, 'count' | 'forgetChat' | 'forgetPerson'>;
  /** The data owners, by platform name. */
  readonly dataOwners: ReadonlyMap<string, DataOwner>;
  /** The owners of data about chats of every platform. The list is filled later, so it is read at each use. */
  readonly everywhere?: readonly DataOwner[];
  /** Returns the name of the file with "force": true that sets the chat's list. */
  readonly forcedBy: (chat: Address) => string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

type Named = Pick<Person, 'id' | 'name'>;

class StoredPrivacy implements Privacy {
  readonly #deps: PrivacyDeps;

  constructor(deps: PrivacyDeps) {
    this.#deps = deps;
  }

  async stored(address: Address, person: Named): ReturnType<Privacy['stored']> {
    const chat = this.#deps.watchlists.read(address);
    const queue = this.#deps.queues.read(address);
    const { live = {} } = queue;
    const receipts = await this.#deps.queues.receipts(address);
    const sentSince = receipts.at(-1)?.endedAt;
    const named = (entry: Entry, where: Address): boolean => isBy(entry, person, where === address);
    return {
      chat: {
        entries: chat.entries.length,
        exceptions: chat.entries.reduce((count, entry) => count + exceptionsInForce(entry, this.#deps.clock.now()).length, 0),
        settings: settingsOf(chat, this.#deps.clock),
        waiting: waitingIn(queue),
        sent: receipts.length,
        sentSince,
        ruleStates: this.#deps.rules.countOf(chat),
        ...(Object.keys(live).length === 0 ? {} : { live: Object.keys(live).length }),
        edits: chat.edits?.length ?? 0,
        sources: await this.#deps.sources.count(address),
        kept: (await Promise.all(this.#ownersOf(address).map(async (owner) => owner.kept(address)))).flat(),
      },
      person: {
        here: this.#count([chat], named),
        elsewhere: this.#count(
          this.#withEntries().filter((other) => other.address !== address),
          named,
        ),
        pinged: this.#count(this.#withEntries(), (entry, where) => pings(entry, person, where)),
        kept: (await Promise.all(this.#owners().map(async (owner) => (await owner.keptOf?.(person.id)) ?? []))).flat(),
      },
    };
  }

  async forgetPerson(chat: Address, person: Named): Promise<number> {
    let changed = 0;
    for (const { address } of this.#withEntries()) {
      await this.#deps.watchlists.change(address, (before) => {
        const entries = before.entries.map((entry) => without(entry, person, { address, isHere: address === chat }));
        const fresh = entries.filter((entry, index) => entry !== before.entries[index]).length;
        const removed = before.removed?.map((entry) => without(entry, person, { address, isHere: address === chat }));
        const isKept = removed === undefined || removed.every((entry, index) => entry === before.removed?.[index]);
        changed += fresh;
        return fresh === 0 && isKept ? before : { ...before, entries, ...omitUndefined({ removed }) };
      });
    }
    // Sealed deliveries would otherwise still ping the person.
    for (const { address } of this.#deps.queues.all())
      await this.#deps.queues.change(address, (queue) => mentioning(queue, (mention) => !isMentioned(mention, person, address)));
    await this.#deps.sources.forgetPerson(person.id);
    for (const dataOwner of this.#owners()) await dataOwner.forgetPerson?.(person.id);
    // The log must not name who was deleted.
    this.#deps.log.info('person.forgotten', { entries: changed });
    return changed;
  }

  async forgetChat(chat: Address): Promise<ForgottenChat> {
    const { fromFile } = this.#deps.watchlists.read(chat);
    // The watchlist first, so that nothing more is enqueued.
    if (fromFile === undefined) await this.#deps.watchlists.forget(chat);
    // Without its hashes the file would be applied again at once; with them the deletion counts as an edit.
    else
      await this.#deps.watchlists.change(chat, () => ({
        address: chat,
        entries: [],
        fromFile: omitUndefined({ ...fromFile, ended: undefined }),
      }));
    // Next come the former addresses. The record of the move is kept, because access lists use it.
    for (const address of [...this.#formerly(chat), chat]) {
      await this.#deps.queues.forget(address);
      await this.#deps.rules.forgetChat(address);
      await this.#deps.sources.forgetChat(address);
      for (const owner of this.#ownersOf(address)) await owner.forgetChat(address);
    }
    this.#deps.log.info('chat.forgotten', { chat, because: 'somebody who manages it asked for it' });
    return fromFile === undefined ? {} : { file: { name: fromFile.name, isForced: this.#deps.forcedBy(chat) === fromFile.name } };
  }

  #owners(): readonly DataOwner[] {
    const { dataOwners, everywhere = [] } = this.#deps;
    return [...dataOwners.values(), ...everywhere];
  }

  #ownersOf(chat: Address): readonly DataOwner[] {
    const { dataOwners, everywhere = [] } = this.#deps;
    const own = dataOwners.get(platformOf(chat));
    return own === undefined ? everywhere : [own, ...everywhere];
  }

  #withEntries(): readonly Chat[] {
    return [...this.#deps.watchlists.all(), ...this.#deps.watchlists.left()];
  }

  #count(chats: readonly Chat[], is: (entry: Entry, chat: Address) => boolean): number {
    return chats.reduce((sum, { address, entries }) => sum + entries.filter((entry) => is(entry, address)).length, 0);
  }

  /** Returns all former addresses. A chat may have moved several times. */
  #formerly(chat: Address): readonly Address[] {
    const found = new Set([chat]);
    // The iteration includes elements that are added meanwhile.
    for (const to of found) for (const address of this.#deps.watchlists.formerly(circleOf(to))) found.add(address);
    found.delete(chat);
    return [...found];
  }
}

export const createPrivacy = (deps: PrivacyDeps): Privacy => new StoredPrivacy(deps);

/** Tells whether an entry is by a person. Older entries have a name without an id. */
const isBy = ({ by, byId }: Entry, { id, name }: Named, isHere: boolean): boolean =>
  byId === undefined ? isHere && by === name && by !== SOMEONE : byId === id;

const isMentioned = ({ kind, id }: Mention, person: Named, chat: Address): boolean =>
  kind === 'person' && person.id === `${platformOf(chat)}/${id}`;

const pings = ({ mentions = [] }: Entry, person: Named, chat: Address): boolean =>
  mentions.some((mention) => isMentioned(mention, person, chat));

function without(entry: Entry, person: Named, { address, isHere }: { readonly address: Address; readonly isHere: boolean }): Entry {
  const isTheirs = isBy(entry, person, isHere);
  const isPinging = pings(entry, person, address);
  if (!isTheirs && !isPinging) return entry;
  const { byId, mentions = [], ...rest } = entry;
  const left = mentions.filter((mention) => !isMentioned(mention, person, address));
  return {
    ...rest,
    ...(isTheirs ? { by: SOMEONE } : omitUndefined({ byId })),
    ...omitUndefined({ mentions: left.length === 0 ? undefined : left }),
  };
}

function settingsOf(
  { timezone, quiet, digest, board, pings, mutedUntil, mutedKinds = {}, mutedTopics = {}, admittedBy = [], fromFile }: Chat,
  clock: Clock,
): readonly string[] {
  const isMuted = [mutedUntil, ...Object.values(mutedKinds), ...Object.values(mutedTopics)].some(
    (end) => end !== undefined && end > clock.now(),
  );
  return [
    ...(timezone === undefined ? [] : [`timezone ${timezone}`]),
    ...(quiet === undefined ? [] : [`quiet hours ${quiet.from} to ${quiet.to}`]),
    ...(digest === undefined ? [] : [`a ${digestWords(digest)} digest`]),
    ...(board === undefined ? [] : ['a board']),
    ...(pings === undefined ? [] : ['which roles its alerts mention for members who chose to be pinged']),
    ...(isMuted ? ['a mute'] : []),
    ...(fromFile === undefined ? [] : ['which file of the operator set its watchlist']),
    ...(admittedBy.length === 0 ? [] : ['the server or channel that you may ask me by']),
  ];
}

/** Waits until all chats are loaded, because any of them may name the person. */
export function privacyAfter(ready: Promise<unknown>, privacy: Privacy): Privacy {
  const wait = whenReady(ready);
  return {
    stored: wait(async (chat, person) => privacy.stored(chat, person)),
    forgetPerson: wait(async (chat, person) => privacy.forgetPerson(chat, person)),
    forgetChat: wait(async (chat) => privacy.forgetChat(chat)),
  };
}
