/** /next [what]: the coming dates of what the chat watches. Makes no request. */
import { z } from 'zod';
import { followsDates } from '../src/alerts/watchlist/match.js';
import { shortName, type Target } from '../src/alerts/watchlist/entry.js';
import { datesOf, type DateOfCheck } from '../src/alerts/checks/check-records.js';
import { DAY, HOUR, later, MINUTE, type Instant } from '../src/base/clock.js';
import { reply, type Line, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { targetOf, titleOf } from '../src/dispatch/watchlists/targets.js';
import { brief } from '../src/base/one-line.js';
import { DATE_WORDS, readOffset } from '../src/domain/reminder.js';
import { UserError, commandLine, counted, line, textOption } from '../src/reply/index.js';

const MAX_ROWS = 15;
const OLD = 6 * HOUR;

const KINDS: Readonly<Record<string, string>> = {
  votes: 'proposals',
  proposals: 'proposals',
  markets: 'proposals',
  launches: 'launches',
  raises: 'launches',
  vesting: 'vesting',
  unlocks: 'vesting',
  cliffs: 'vesting',
};

const PERIODS: Readonly<Record<string, number>> = { today: DAY, tomorrow: 2 * DAY, week: 7 * DAY, month: 30 * DAY };

export default defineCommand({
  name: 'next',
  summary: 'What ends, opens or unlocks next',
  args: z.object({
    what: textOption('a project, a period such as 7d, or votes, launches, unlocks').meta({ rest: true, complete: 'project' }),
  }),
  examples: ['/next', '/next tide', '/next 7d', '/next votes'],
  phrases: {
    '/next': `what's coming up | what is next | whats coming up | upcoming dates | what is coming up next | anything coming up | what are the next
      dates | show me the calendar | upcoming events | what happens next | what ends next | next deadlines`,
    '/next week': `what ends this week | what's coming up this week | upcoming this week | what is due this week | deadlines this week | what
      closes in the next 7 days`,
    '/next {days}': `what is coming in the next 3 days | what ends in the next 5 days | whats coming next 3d | what is due in the next 7 days | deadlines in the
      next two weeks | upcoming 10d | next 14 days`,
    '/next today': `what ends today | what's coming up today | deadlines today | anything ending today | what closes today`,
    '/next votes': `next votes | upcoming votes | which votes end next | when do the next votes end | next proposals to end | which votes are ending
      soon`,
    '/next launches': `upcoming launch closes | which launch closes next | which raises close next`,
    '/next unlocks': `next unlocks | upcoming unlocks | next cliffs | upcoming cliffs`,
    '/next {project}': `what's coming up for {project} | next dates of {project} | what is next for {project} | upcoming at {project} | what ends next
      at {project} | is anything of {project} ending or unlocking soon | what is due at {project} | when is the next deadline of {project}`,
  },

  async run({ what }, context): Promise<Reply> {
    const asked = await readWhat(what, context);
    const dates = knownDates(asked, context);
    const shown = dates.slice(0, MAX_ROWS);
    const more = dates.length - shown.length;
    const { entries } = context.watchlists.read(context.chat);
    if (shown.length === 0) return nothing(asked, entries.length);
    const readAt = shown.map((date) => date.readAt).toSorted((a, b) => a - b)[0];
    return reply({
      tone: 'live',
      finding: [{ strong: `${counted(dates.length, 'date')} ahead` }, asked.says],
      blocks: [
        { kind: 'list', items: shown.map((date) => ({ line: rowOf(date, context.now) })) },
        ...(more === 0 ? [] : [line(`… and ${more} more`)]),
        ...(more === 0 && shown.some((date) => date.isCut) ? [line('Later dates are not listed yet.')] : []),
      ],
      actions: [
        { label: 'Reminders', line: '/remind' },
        ...(asked.until === undefined ? [{ label: 'Next 7 days', line: '/next 7d' }] : []),
        ...(asked.target === undefined ? [] : [{ label: 'Everything', line: '/next' }]),
      ],
      ...(readAt === undefined ? {} : { asOf: readAt }),
    });
  },
});

/** Matches text in the form of a period, also one that `readOffset` refuses. */
const PERIOD = /^-?\d+(?:[.,]\d+)?(?:m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|months?|y|yrs?|years?)?$/iu;
const PAST = /^(?:yesterday|ago|last|past|previous)$/iu;

interface Asked {
  readonly kind?: string | undefined;
  readonly target?: Target | undefined;
  readonly until?: Instant | undefined;
  /** Text to follow "3 dates ahead". */
  readonly says: string;
}

/** Parses the option as a period, a kind or a project. Rejects with an `UnknownProjectError`, or with a `UserError` for an invalid period. */
async function readWhat(what: string | undefined, context: Context): Promise<Asked> {
  let [kind, until]: [string | undefined, Instant | undefined] = [undefined, undefined];
  const names: string[] = [];
  for (const word of (what ?? '').split(/\s+/u).filter((one) => one !== '' && !/^(?:next|this|in|the|for|of)$/iu.test(one))) {
    const minutes = readOffset(word);
    const period = PERIODS[word.toLowerCase()] ?? (minutes === undefined ? undefined : minutes * MINUTE);
    if (period !== undefined) until = later(context.now, period);
    else if (KINDS[word.toLowerCase()] !== undefined) kind = KINDS[word.toLowerCase()];
    else if (PAST.test(word))
      throw new UserError(`Only dates ahead are listed here, and "${brief(word)}" has passed. For past alerts use /history.`, {
        actions: [
          { label: 'Next 7 days', line: '/next 7d' },
          { label: 'Past alerts', line: '/history' },
        ],
      });
    else if (PERIOD.test(word))
      throw new UserError(
        `"${brief(word)}" is no period that can be shown. Write 5min to 30d, such as /next 7d, or /next for every date.`,
        {
          actions: [
            { label: 'Next 7 days', line: '/next 7d' },
            { label: 'Any time', line: '/next' },
          ],
        },
      );
    else names.push(word);
  }
  const target = names.length === 0 ? undefined : await targetOf(names.join(' '), context);
  const of = target === undefined ? '' : ` for ${await titleOf(target, context)}`;
  return { kind, target, until, says: `${of}${kind === undefined ? '' : ` (${kind})`}` };
}

/** Returns the known dates. A named project need not be watched in this chat. */
function knownDates({ kind, target, until }: Asked, { lastChecks, watchlists, chat: address, now }: Context): readonly DateOfCheck[] {
  const chat = watchlists.read(address);
  const isMeant = ({ feed, project, topic }: DateOfCheck): boolean =>
    target?.kind === 'project' ? project === target.slug : followsDates({ feed, project, topic }, chat);
  return datesOf(lastChecks())
    .filter((date) => date.at > now && (until === undefined || date.at <= until))
    .filter((date) => (kind === undefined || date.feed === kind) && isMeant(date))
    .toSorted((a, b) => a.at - b.at);
}

const rowOf = ({ what, at, title, readAt }: DateOfCheck, now: Instant): Line => [
  { strong: title },
  `: ${DATE_WORDS[what].toLowerCase().replace('twap', 'TWAP')} `,
  { at },
  ...(now - readAt > OLD ? [' · ⚠ read ', { at: readAt }] : []),
];

function nothing({ target, until, says }: Asked, watched: number): Reply {
  const isWatching = target === undefined && watched === 0;
  return reply({
    tone: 'over',
    finding: [
      { strong: isWatching ? 'Nothing is watched here yet' : `Nothing ahead${says}${until === undefined ? '' : ' in this period'}` },
    ],
    blocks: isWatching ? [] : [line('Ends of votes and launches, TWAP windows and vesting cliffs appear here once a check finds them.')],
    actions: [
      ...(target === undefined ? [] : [{ label: `Watch ${shortName(target)}`, line: commandLine('watch', shortName(target)) }]),
      ...(isWatching ? [{ label: 'Watch', line: '/watch' }] : []),
      ...(until === undefined ? [] : [{ label: 'Any time', line: '/next' }]),
    ],
  });
}
