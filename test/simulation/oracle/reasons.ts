/** `/why` gives the true reason for every silence: what it says of each row against what stands in the chat and what the chat had asked for. */
import { SECOND } from '../../../src/base/clock.js';
import type { Address } from '../../../src/chat/address.js';
import type { Played } from '../run/play.js';
import type { LedgerRow } from '../world/world.js';
import { type ChatState, entryFor, isFiltered, MOMENT, statesBetween } from './chat-state.js';
import { expires } from './expiry.js';
import { tolerance, type ChatView } from './ledger.js';
import { alertsOf, amountsIn, namesEach } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { boundsOf, EVERY, HANDLED, settledBy } from './windows.js';

const QUESTION = '/why';
/** What no digest had yet. */
export const DIGEST_QUESTION = '/digest now';

/** Why a row is not in a chat, or that it is. */
type Reason = 'sent' | 'maybe sent' | 'given up' | 'under way' | 'filter' | 'since' | 'off' | 'unwatched' | 'queued' | 'unknown';

const WORDS: Readonly<Record<Exclude<Reason, 'unknown'>, RegExp>> = {
  sent: /queued .* sent |shown by editing/u,
  'maybe sent': /maybe sent/u,
  'given up': /not delivered/u,
  'under way': /being sent|waiting/u,
  filter: /no alert: .* (?:(?:below|under) your|not among your tokens)/u,
  since: /no alert: (?:before the watch began|detected before)/u,
  off: /no alert: switched off/u,
  unwatched: /no alert: (?:not watched|excluded from)/u,
  queued: /no alert: (?:on its way|sent long ago)/u,
};
const REASONS = ['sent', 'maybe sent', 'given up', 'under way', 'filter', 'since', 'off', 'unwatched', 'queued'] as const;

const MAY_HAVE_ARRIVED = /(?:being sent, attempt \d+:|waiting .*;) it may have arrived/u;

const TOO_OLD = /not delivered.*(?:maximum age|too old)/u;

const reasonIn = (line: string): Reason => REASONS.find((reason) => WORDS[reason].test(line)) ?? 'unknown';

interface Said {
  readonly amount: number;
  readonly reason: Reason;
  readonly line: string;
}

/** Each row that an answer names, with the line below it. */
function saidIn(answer: string): readonly Said[] {
  const lines = answer.split('\n');
  return lines.flatMap((text, index) => {
    const line = lines[index + 1] ?? '';
    return amountsIn(text).map((amount) => ({ amount, line, reason: reasonIn(line) }));
  });
}

/** Why this state of the chat keeps a row away; undefined: it does not. */
function silenceOf(row: LedgerRow, state: ChatState, skew: number): readonly Reason[] {
  const entry = entryFor(state, row.project);
  if (entry === undefined) return ['unwatched'];
  const reasons: Reason[] = [];
  if (entry.off.has(row.ledger)) reasons.push('off');
  if (row.at <= entry.since.to + MOMENT + skew) reasons.push('since');
  // By a clock that was set back the watch may have begun before the row was found, and only the order of writes would tell otherwise.
  if (skew > 0 && reasons.includes('since') && row.at > entry.since.from - MOMENT - skew) reasons.push('queued');
  if (isFiltered(row, entry)) reasons.push('filter');
  return reasons;
}

export const questionsFor = ({ scenario }: Played): readonly { readonly chat: Address; readonly line: string }[] =>
  scenario.profile === 'crowd' || scenario.profile === 'flood'
    ? []
    : scenario.chats.flatMap((chat) => [
        ...(scenario.profile === 'pair' &&
        scenario.steps.some((step) => step.kind === 'ask' && step.ask.kind === 'digest' && step.chat === chat)
          ? [{ chat, line: DIGEST_QUESTION }]
          : []),
        { chat, line: QUESTION },
      ]);

const diedShortlyAfter = ({ fleet }: Played, at: number): boolean => fleet.downtimes.some(({ from }) => from >= at && from <= at + HANDLED);

export function judgeReasons(view: ChatView, tally: Tally): readonly Violation[] {
  const { played, chat, platform, wishes, troubles, skew } = view;
  const answer = played.answers.get(`${chat} ${QUESTION}`);
  if (answer === undefined || played.unanswered.some((one) => one.chat === chat)) return [];
  const alerts = alertsOf(platform, chat);
  const isNamed = namesEach(alerts);
  const posted = new Set(alerts.flatMap(({ text }) => amountsIn(text)));
  const bounds = boundsOf(played.scenario);
  // One chat after another, a second each.
  const askedFrom = played.endedAt - played.answers.size * SECOND;
  return saidIn(answer).flatMap(({ amount, reason, line }): readonly Violation[] => {
    const row = played.scenario.world.rows.find((one) => one.amount === amount);
    if (row === undefined) return [];
    // It came when the questions had begun.
    if (alerts.some(({ text, at }) => at >= askedFrom && amountsIn(text).includes(amount))) return [];
    tally.whys += 1;
    const wrong = (what: string): readonly Violation[] => [
      { kind: 'why wrong', says: `${chat}: ${row.ledger} ${amount} (${row.project}, $${row.usd}) ${what}, and /why says "${line.trim()}"` },
    ];
    if (reason === 'unknown') return wrong('has an unknown reason');
    if (posted.has(amount)) {
      // The bot cannot know more where the answer was lost, or the process died before it had stored it.
      const isUnconfirmed = alerts.some(
        ({ id, text, at }) => (platform.unconfirmed.has(id) || diedShortlyAfter(played, at)) && amountsIn(text).includes(amount),
      );
      const mayHaveArrived = isUnconfirmed && MAY_HAVE_ARRIVED.test(line);
      return reason === 'sent' || reason === 'maybe sent' || mayHaveArrived ? [] : wrong('came');
    }
    // A message that counts or sums up rows may be the one that has it.
    if (!isNamed || reason === 'maybe sent') return [];
    if (reason === 'sent') return platform.isExact ? wrong('did not come') : [];
    const by = settledBy(row.shownAt, bounds.delivery(EVERY[row.ledger]), troubles);
    if (expires(view, row, by) === 'surely') return TOO_OLD.test(line) ? [] : wrong('became too old');
    if (reason === 'given up') return [];
    // It waits for the end of a trouble, or behind what may have been sent.
    const isWaiting = troubles.some(({ to }) => to > played.endedAt - bounds.delivery(EVERY[row.ledger])) || tolerance(view).losses > 0;
    if (reason === 'under way') return isWaiting ? [] : wrong('does not come any more');
    const states = statesBetween(wishes, Math.min(row.shownAt, row.at) - MOMENT - skew, by + skew);
    const last = statesBetween(wishes, played.endedAt, played.endedAt);
    // The rules before the last change are known to the bot, earlier ones are not.
    const changes = statesBetween(wishes, row.shownAt - MOMENT - skew, played.endedAt).length - 1;
    if (reason === 'queued' && changes > 1) return [];
    const possible = new Set([...states, ...last].flatMap((state) => silenceOf(row, state, skew)));
    return possible.has(reason) ? [] : wrong(`did not come (${[...possible].join(', ')})`);
  });
}
