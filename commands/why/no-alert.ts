/** Says why there was no alert, step by step, with a remedy. */
import { marketOf, marketWords } from '../../src/domain/event.js';
import { MAX_MENU_OPTIONS, commandLine, line, plainLine } from '../../src/reply/index.js';
import { capitalised } from '../../src/base/sentence-lists.js';
import { targetName, type Target } from '../../src/alerts/watchlist/entry.js';
import { editedAs } from '../../src/alerts/watchlist/exceptions.js';
import type { Explanation, Silence, Step, Trace } from '../../src/alerts/explanation/explain.js';
import { reply, type ActionDraft, type Line, type Reply } from '../../src/chat/reply.js';

export interface TraceSubject {
  readonly title: string;
  readonly target: Target;
}

export function noAlertPage(traces: readonly [Silence, ...Silence[]], subject: TraceSubject): Reply {
  const [trace, ...others] = traces;
  return others.length === 0 ? onePage(trace, subject) : overview(traces, subject);
}

const sent = ({ steps }: Trace): Step | undefined => steps.find(({ name, ok }) => name === 'sent' && ok);

/** After an event that was sent, the rules that no value crossed are no reason for silence. */
const obstacle = (trace: Trace): Step | undefined => (sent(trace) === undefined ? trace.steps.find(({ ok }) => !ok) : undefined);

function onePage(trace: Silence, subject: TraceSubject): Reply {
  const no = obstacle(trace);
  const isWhole = subject.title === trace.feed || subject.target.kind === 'market';
  const title = isWhole ? capitalised(subject.title) : `${subject.title}, ${trace.feed}`;
  return reply({
    finding: no === undefined ? [{ strong: title }, ': all alerts were sent'] : [noAlert(trace, no), ...no.says],
    blocks: [
      ...(no === undefined ? [] : [line({ strong: title })]),
      { kind: 'list', items: trace.latest === undefined ? [] : [{ line: ['latest: ', ...plainLine(trace.latest.headline)] }] },
      { kind: 'list', items: trace.steps.map((step) => ({ line: stepLine(step) })) },
    ],
    actions: [
      ...remedyActions(trace, subject),
      ...(trace.entry === undefined
        ? []
        : [{ label: 'Edit the rule', line: commandLine('alerts', editedAs(trace.entry, trace.feed), trace.feed) }]),
      { label: 'History', line: '/history' },
    ].filter((action, at, all) => all.findIndex((other) => other.line === action.line) === at),
  });
}

function noAlert({ latest }: Silence, { name }: Step): string {
  if (name !== 'muted' && name !== 'grouped' && name !== 'sent') return 'No alert: ';
  switch (latest?.disposition.kind) {
    case 'waiting':
    case 'under way':
      return 'No alert yet: ';
    case 'maybe sent':
    case 'given up':
      return 'Alert ';
    case 'sent':
    case 'not-alerted':
    case undefined:
      return 'No alert: ';
  }
}

function overview(traces: readonly Silence[], subject: TraceSubject): Reply {
  const stuck = traces.some((trace) => obstacle(trace) !== undefined);
  // An unwatched target has one remedy for all kinds; other causes are explained for each kind.
  const [first] = traces.every(({ entry }) => entry === undefined) ? traces.flatMap((trace) => remedyActions(trace, subject)) : [];
  return reply({
    finding: [{ strong: capitalised(subject.title) }, stuck ? ': alert status by kind' : ': all alerts were sent'],
    blocks: [
      {
        kind: 'list',
        items: traces.map((trace) => {
          const step = obstacle(trace) ?? sent(trace) ?? trace.steps.at(-1);
          return { line: [{ strong: trace.feed }, ' ', ...(step === undefined ? [] : stepLine(step))] };
        }),
      },
    ],
    actions: [...(first === undefined ? [] : [first]), { label: 'History', line: '/history' }],
    fields: [
      {
        kind: 'menu',
        label: 'All steps of',
        options: traces
          .slice(0, MAX_MENU_OPTIONS)
          .map(({ feed }) => ({ label: feed, line: commandLine('why', targetName(subject.target), feed) })),
      },
    ],
  });
}

const stepLine = ({ name, ok, says }: Step): Line => [`${ok ? '✓' : '✗'} ${name}: `, ...says];

function remedyActions(trace: Silence, { target }: TraceSubject): readonly ActionDraft[] {
  const { feed, latest, entry = latest?.entry } = trace;
  const name = entry && editedAs(entry, feed);
  switch (obstacle(trace)?.name) {
    case 'watched':
      return name === undefined
        ? [{ label: 'Watch', line: commandLine('watch', targetName(target)) }]
        : [{ label: 'Turn on', line: commandLine('alerts', name, feed, 'on') }];
    case 'changed':
    case 'filter':
      return name === undefined ? [] : [{ label: 'Edit the rule', line: commandLine('alerts', name, feed) }];
    case 'muted':
      return unmuteActions(latest, { name: entry && targetName(entry.target), project: entry?.exception?.project, feed });
    case 'checked':
    case 'readable':
    case 'sent':
      return [{ label: 'Status', line: '/status' }];
    case 'since':
    case 'grouped':
    case undefined:
      return [];
  }
}

function unmuteActions(
  latest: Explanation | undefined,
  { name, project, feed }: { name: string | undefined; project: string | undefined; feed: string },
): readonly ActionDraft[] {
  const suppression = latest?.disposition.kind === 'waiting' ? latest.disposition.suppression : undefined;
  if (suppression === undefined) return [];
  if (suppression.because === 'quiet hours') return [{ label: 'Quiet hours', line: '/settings' }];
  const words = {
    chat: [],
    kind: [feed],
    topic: marketWords(marketOf(latest?.event.id ?? '') ?? ''),
    entry: [name],
    'entry kind': [name, feed],
    project: [project],
    'project kind': [project, feed],
  }[suppression.what];
  return [{ label: 'Unmute', line: commandLine('unmute', ...words) }];
}
