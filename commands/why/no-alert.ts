/** Why something was not told here: the way from the service to the chat, with what can be done where it ended. */
import { targetName, type Entry, type Target } from '../../src/alerts/watchlist/entry.js';
import type { Step, Explanation, Trace } from '../../src/alerts/explanation/explain.js';
import { reply, type ActionDraft, type Line, type Reply } from '../../src/chat/reply.js';
import { lineOf } from '../../src/replies/command-line.js';

/** The way of one kind of news, with the entry it would come through. */
export interface TracedStep extends Trace {
  readonly latest?: Explanation;
  readonly entry: Entry | undefined;
}

export interface Asked {
  /** "Tidewater". */
  readonly title: string;
  /** As which it would be watched. */
  readonly target: Target;
}

/** One kind step by step; several with the step at which each ended. */
export function silencePage(ways: readonly [TracedStep, ...TracedStep[]], asked: Asked): Reply {
  const [way, ...others] = ways;
  return others.length === 0 ? onePage(way, asked) : overview(ways, asked);
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const obstacle = ({ steps }: Trace): Step | undefined => steps.find(({ ok }) => !ok);

function onePage(way: TracedStep, asked: Asked): Reply {
  const no = obstacle(way);
  return reply({
    finding: [
      { strong: asked.title === way.feed ? capital(way.feed) : `${asked.title}, ${way.feed}` },
      ...(no === undefined ? [': everything seen was told here'] : [`: no further than “${no.name}”`]),
    ],
    blocks: [
      { kind: 'list', items: way.latest === undefined ? [] : [{ line: ['latest: ', ...plain(way.latest.headline)] }] },
      { kind: 'list', items: way.steps.map((step) => ({ line: stepLine(step) })) },
    ],
    actions: [
      ...mending(way, asked),
      ...(way.entry === undefined ? [] : [{ label: 'Edit the rule', line: lineOf('alerts', targetName(way.entry.target), way.feed) }]),
      { label: 'History', line: '/history' },
    ].filter((action, at, all) => all.findIndex(({ line }) => line === action.line) === at),
  });
}

function overview(ways: readonly TracedStep[], asked: Asked): Reply {
  const stuck = ways.some((way) => obstacle(way) !== undefined);
  // What is not watched at all is mended at once; what ended in different places is asked about kind by kind.
  const [first] = ways.every(({ entry }) => entry === undefined) ? ways.flatMap((way) => mending(way, asked)) : [];
  return reply({
    finding: [{ strong: capital(asked.title) }, stuck ? ': how far news got on its way here' : ': everything seen was told here'],
    blocks: [
      {
        kind: 'list',
        items: ways.map((way) => {
          const step = obstacle(way) ?? way.steps.at(-1);
          return { line: [{ strong: way.feed }, ' ', ...(step === undefined ? [] : stepLine(step))] };
        }),
      },
    ],
    actions: [...(first === undefined ? [] : [first]), { label: 'History', line: '/history' }],
    fields: [
      {
        kind: 'menu',
        label: 'All steps of',
        options: ways.slice(0, MOST_OPTIONS).map(({ feed }) => ({ label: feed, line: lineOf('why', targetName(asked.target), feed) })),
      },
    ],
  });
}

/** What a platform shows of one menu. */
const MOST_OPTIONS = 25;

const stepLine = ({ name, ok, says }: Step): Line => [`${ok ? '✓' : '✗'} ${name}: `, ...says];

const plain = (text: Line): Line => text.map((span) => (typeof span === 'object' && 'strong' in span ? span.strong : span));

/** The button that mends the first "no", where there is one. */
function mending(way: TracedStep, { target }: Asked): readonly ActionDraft[] {
  const { feed, latest, entry = latest?.entry } = way;
  const name = entry && targetName(entry.target);
  switch (obstacle(way)?.name) {
    case 'watched':
      return name === undefined
        ? [{ label: 'Watch', line: lineOf('watch', targetName(target)) }]
        : [{ label: 'Switch it on', line: lineOf('alerts', name, feed, 'on') }];
    case 'changed':
    case 'filter':
      return name === undefined ? [] : [{ label: 'Edit the rule', line: lineOf('alerts', name, feed) }];
    case 'muted':
      return unmuting(latest, { name, feed });
    case 'looked':
    case 'readable':
    case 'sent':
      return [{ label: 'Status', line: '/status' }];
    case 'since':
    case 'grouped':
    case undefined:
      return [];
  }
}

function unmuting(latest: Explanation | undefined, { name, feed }: { name: string | undefined; feed: string }): readonly ActionDraft[] {
  const hold = latest?.disposition.kind === 'waiting' ? latest.disposition.hold : undefined;
  if (hold === undefined) return [];
  if (hold.because === 'quiet hours') return [{ label: 'Quiet hours', line: '/settings' }];
  const words = { chat: [], kind: [feed], entry: [name], 'entry kind': [name, feed] }[hold.what];
  return [{ label: 'Unmute', line: lineOf('mute', ...words, 'off') }];
}
