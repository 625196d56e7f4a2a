/**
 * What each chat should have received, worked out from the scenario alone, against what stands in it. Shares no code with the bot: a message is read as
 * text, and a burn is known by its amount.
 */
import type { Address } from '../../src/chat/address.js';
import type { Platform } from './platform.js';
import type { Played, Request } from './run.js';
import type { Burn, Market } from './service.js';

type Expectation = 'must' | 'may' | 'must not';

/** An unwatch drops what still waits, so what was burned shortly before it may come or not. */
const UNDER_WAY = 120_000;

/** Everything that is wrong, in sentences; nothing where all is well. */
export function faultsOf(played: Played): readonly string[] {
  const { scenario, platforms, requests, kills, stops, isUnfinished } = played;
  const faults: string[] = [];
  if (isUnfinished) faults.push('something still waits long after everything works again');
  for (const { name, tooFast } of platforms) if (tooFast.length > 0) faults.push(`${name} was asked too fast ${tooFast.length} times`);
  for (const stop of stops) if (stop > MAX_STOP) faults.push(`a stop took ${stop} ms`);
  for (const chat of new Set(requests.map((request) => request.chat))) {
    const platform = platforms.find(({ name }) => chat.startsWith(`${name}/`));
    if (platform === undefined) continue;
    const own = requests.filter((request) => request.chat === chat);
    const counts = countsIn(platform, chat);
    const { arrived, lost } = platform.unknown(chat);
    let missing = 0;
    for (const burn of scenario.burns) {
      const times = counts.get(burn.amount) ?? 0;
      const expected = expectedOf(burn, own);
      const says = `${chat} got burn ${burn.amount} (${burn.project}) ${times} times`;
      if (expected === 'must not' && times > 0) faults.push(`${says}, and did not watch it then`);
      if (platform.isExact && times > 1) faults.push(says);
      // A kill after the answer and before its receipt makes an attempt unclear to the next life.
      const repeats = scenario.ambiguous === 'repeat' ? arrived + kills : 0;
      if (!platform.isExact && times > 1 + repeats) faults.push(`${says}, after ${arrived} unclear attempts and ${kills} kills`);
      if (expected === 'must' && times === 0) {
        if (platform.isExact || scenario.ambiguous === 'repeat') faults.push(says);
        else missing += 1;
      }
    }
    // Each attempt that nobody knows of, and each kill between the record of an attempt and the attempt, may cost one message.
    if (missing > (lost + kills) * scenario.burns.length) faults.push(`${chat} lost ${missing} burns, with ${lost} attempts lost`);
    if (lost + kills === 0 && missing > 0) faults.push(`${chat} lost ${missing} burns although every attempt is known`);
    for (const amount of counts.keys())
      if (!scenario.burns.some((burn) => burn.amount === amount)) faults.push(`${chat} got burn ${amount}, which never was`);
    for (const market of scenario.markets) faults.push(...faultsOfEdits(market, { chat, platform, requests: own, kills }));
  }
  return faults;
}

interface Edited {
  readonly chat: Address;
  readonly platform: Platform;
  readonly requests: readonly Request[];
  readonly kills: number;
}

/** An edit that left before the unwatch may arrive shortly after it. */
const ON_ITS_WAY = 1_000;

/** The latest status wins, nothing is edited after an unwatch, and a deleted message is posted again once at most. */
function faultsOfEdits({ title, project, endsAt }: Market, { chat, platform, requests, kills }: Edited): readonly string[] {
  const edits = platform.edits.filter((edit) => edit.chat === chat && edit.text.includes(`"${title}"`));
  const faults: string[] = [];
  const says = (what: string): number => faults.push(`${chat}, ${title}: ${what}`);
  const { arrived } = platform.unknown(chat);
  const messages = new Set(edits.map(({ message }) => message));
  // Where no repeat is recognised, the first message of an unclear attempt is not known.
  const most = 1 + Math.min(1, platform.deletions.get(chat) ?? 0) + (platform.isExact ? 0 : arrived + kills);
  if (messages.size > most) says(`${messages.size} messages were edited`);
  const values = edits.map(({ text }) => (text.includes('Passed') ? Number.POSITIVE_INFINITY : edgeIn(text)));
  if (values.some((value, index) => value < (values[index - 1] ?? -1))) says(`edits went back: ${values.join(', ')}`);
  const unwatch = requests.find((request) => request.kind === 'unwatch' && (request.project === project || request.project === 'all'));
  if (unwatch !== undefined && edits.some(({ at }) => at > unwatch.doneAt + ON_ITS_WAY)) says('edited after the unwatch');
  const isShown = platform.posted.some(
    (message) => message.chat === chat && message.at < endsAt && message.text.includes(`"${title}"`) && !message.text.includes('Passed'),
  );
  const isFollowed = isShown && unwatch === undefined && platform.deletions.get(chat) === undefined;
  if (isFollowed && platform.isExact && values.at(-1) !== Number.POSITIVE_INFINITY) says(`the last edit shows ${values.at(-1)}`);
  return faults;
}

/** In percent; 0 before the market is live. */
const edgeIn = (text: string): number => Number(/\(\+?([\d.]+)%/u.exec(text)?.[1] ?? 0);

/** Milliseconds. */
const MAX_STOP = 5_000;

function countsIn(platform: Platform, chat: Address): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { text } of platform.posted.filter((message) => message.chat === chat))
    for (const [, amount] of text.matchAll(/burned (\d+) /gu)) counts.set(Number(amount), (counts.get(Number(amount)) ?? 0) + 1);
  return counts;
}

function expectedOf({ project, at, shownAt }: Burn, requests: readonly Request[]): Expectation {
  const concerns = (request: Request): boolean => request.project === project || request.project === 'all';
  const watch = requests.find((request) => request.kind === 'watch' && concerns(request));
  if (watch === undefined || at < watch.askedAt) return 'must not';
  const unwatch = requests.find((request) => request.kind === 'unwatch' && concerns(request));
  if (unwatch !== undefined && shownAt > unwatch.doneAt) return 'must not';
  if (unwatch !== undefined && shownAt > unwatch.askedAt - UNDER_WAY) return 'may';
  return at > watch.doneAt ? 'must' : 'may';
}
