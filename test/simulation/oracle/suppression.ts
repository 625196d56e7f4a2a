/** Nothing is posted in a chat while it is muted or quiet. */
import { mutesOf, quietOf } from './chat-state.js';
import type { ChatView } from './ledger.js';
import { alertsOf, amountsIn } from './texts.js';
import type { Violation } from './verdict.js';

/** A message that left before arrives shortly after. */
const ON_ITS_WAY = 1_000;

export function judgeSuppression(view: ChatView): readonly Violation[] {
  const { chat, platform, wishes, skew, played } = view;
  const { surely } = mutesOf(wishes);
  const alerts = alertsOf(platform, chat);
  const spans = [
    ...surely.map((span) => ({ ...span, kind: 'while muted' as const })),
    ...quietOf(wishes, played.endedAt).map((span) => ({ ...span, kind: 'in quiet hours' as const })),
  ];
  const ofProjects = played.scenario.world.projects.flatMap((project) => {
    const amounts = new Set(played.scenario.world.rows.filter((row) => row.project === project).map(({ amount }) => amount));
    return mutesOf(wishes, { project }).surely.map((span) => ({ ...span, amounts }));
  });
  const during = ofProjects.flatMap(({ from, to, amounts }) =>
    alerts
      .filter(({ at, text }) => at > from + ON_ITS_WAY && at < to - skew && amountsIn(text).some((amount) => amounts.has(amount)))
      .map(({ at, text }): Violation => ({
        kind: 'while muted',
        says: `${chat}: ${at - from} ms after the mute of a project: ${text.slice(0, 60)}`,
      })),
  );
  const whole = spans.flatMap(({ from, to, kind }) =>
    alerts
      .filter(({ at }) => at > from + ON_ITS_WAY && at < to - skew)
      .map(({ at, text }): Violation => ({ kind, says: `${chat}: ${at - from} ms after it began: ${text.slice(0, 60)}` })),
  );
  return [...whole, ...during, ...judgeOnes(view)];
}

/** A message of a proposal or launch that is muted alone. Its live message may be edited. */
function judgeOnes({ chat, platform, wishes, skew, played }: ChatView): readonly Violation[] {
  const { markets, launches } = played.scenario.world;
  const all = [
    ...markets.map(({ title }) => ({ title, names: (text: string) => text.includes(`"${title}"`) })),
    ...launches.map(({ title }) => ({ title, names: (text: string) => text.includes(`${title}'s launch`) || text.includes(`${title} (`) })),
  ];
  return all.flatMap(({ title, names }) =>
    mutesOf(wishes, { title }).surely.flatMap(({ from, to }) =>
      alertsOf(platform, chat)
        .filter(({ at, text }) => at > from + ON_ITS_WAY && at < to - skew && names(text))
        .map(({ at, text }): Violation => ({
          kind: 'while muted',
          says: `${chat}: ${at - from} ms after the mute of ${title}: ${text.slice(0, 60)}`,
        })),
    ),
  );
}
