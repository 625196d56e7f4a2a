/** A notice in words. Pure. */
import { never } from '../../base/never.js';
import type { Instant } from '../../base/clock.js';
import { reply, type Line, type Reply } from '../../chat/reply.js';
import { date, countText } from '../../domain/format.js';
import type { BotState } from '../bot-state.js';
import type { Changes, Sign } from './conditions.js';

interface Sentence {
  readonly says: string;
  readonly since?: Instant | undefined;
  readonly detail?: string;
}

/** What is bad first. `isLast`: the day's limit is reached. */
export function noticeOf({ raised, cleared }: Changes, state: BotState, isLast: boolean): Reply {
  const bad = raised.map((sign) => badSentence(sign, state));
  const good = cleared.map((one) => goodSentence(one, state));
  const [first = { says: '' }, ...others] = [...bad, ...good];
  const line = (...spans: Line) => ({ kind: 'line', line: spans }) as const;
  return reply({
    tone: bad.length > 0 ? 'warning' : 'plain',
    finding: [{ strong: first.says }, ...sinceOf(first)],
    blocks: [
      ...(first.detail === undefined ? [] : [line(first.detail)]),
      ...others.map((one) => line(one.says, ...sinceOf(one), one.detail === undefined ? '.' : `. ${one.detail}`)),
      ...(isLast ? [line('No more notices for 24 hours.')] : []),
    ],
    actions: [{ label: 'Status', line: '/status' }],
  });
}

function badSentence({ kind, subject = '', since }: Sign, { now, calls, diskFree }: BotState): Sentence {
  switch (kind) {
    case 'feed':
      return { says: `No new ${dataOf(subject)} data`, since, detail: 'Its checks fail or run late, so its alerts are delayed.' };
    case 'service':
      return { says: "The analytics service isn't responding: no new data", since, detail: 'Alerts follow once it responds.' };
    case 'budget':
      return {
        says: `The API budget will run out on ${whenOut(calls.runsOutAt, now)}`,
        detail: `${count(calls.used)} of ${count(calls.limit)} calls used. It resets on ${date(calls.resetsAt, now)}.`,
      };
    case 'spent':
      return {
        says: `The API budget is used up until ${date(calls.resetsAt, now)}`,
        detail: 'Checks wait until then, and questions get stored answers.',
      };
    case 'disk':
      return {
        says: `The disk is almost full: ${bytes(diskFree)} free`,
        detail: 'Free some space. When it is full, no alert can be sent.',
      };
    case 'token':
      return {
        says: `${platformName(subject)} refuses the bot's token`,
        detail: `Set a new ${subject.toUpperCase()}_TOKEN and restart the bot.`,
      };
    case 'key':
      return { says: 'The analytics service refuses the API key', detail: 'Set a new ANALYTICS_API_KEY and restart the bot.' };
    default:
      return never(kind);
  }
}

function goodSentence({ kind, subject = '' }: Pick<Sign, 'kind' | 'subject'>, { now, calls, diskFree }: BotState): Sentence {
  switch (kind) {
    case 'feed':
      return { says: `${capitalised(dataOf(subject))} data is up to date again` };
    case 'service':
      return { says: 'The analytics service is responding again' };
    case 'budget':
      return { says: `The API budget lasts until ${date(calls.resetsAt, now)}` };
    case 'spent':
      return { says: `The API budget has calls again: ${calls.left === undefined ? 'no limit' : `${count(calls.left)} left`}` };
    case 'disk':
      return { says: `The disk has space again: ${bytes(diskFree)} free` };
    case 'token':
      return { says: `${platformName(subject)} accepts the bot's token again` };
    case 'key':
      return { says: 'The analytics service accepts the API key again' };
    default:
      return never(kind);
  }
}

const sinceOf = ({ since }: Sentence): Line => (since === undefined ? [] : [' since ', { at: since, exact: true }]);

const DATA: Readonly<Record<string, string>> = { proposals: 'proposal', launches: 'launch', movements: 'movement' };
const dataOf = (feed: string): string => DATA[feed] ?? feed;
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const platformName = capitalised;
const count = (calls: number | undefined): string => (calls === undefined ? 'n/a' : countText(calls));
const bytes = (free: number | undefined): string =>
  free === undefined ? 'n/a' : free < 1e9 ? `${Math.round(free / 1e6)} MB` : `${(free / 1e9).toFixed(1)} GB`;
const whenOut = (at: Instant | undefined, now: Instant): string => (at === undefined ? 'n/a' : date(at, now));
