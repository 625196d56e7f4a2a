/** Answers `/alerts test`: posts sample alerts that look like real ones, three at first and then the others. */
import { brief } from '../../src/base/one-line.js';
import { both, either } from '../../src/base/sentence-lists.js';
import { reply, type ActionDraft, type Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { requirePosting } from '../../src/dispatch/watchlists/first-checks.js';
import { SAMPLE } from '../../src/domain/sample-project.js';
import { UserError, commandLine, counted, line, requireManager } from '../../src/reply/index.js';
import type { AlertOptions } from './request.js';

const MAX_BUTTONS = 5;
const FIRST: readonly string[] = ['supply', 'proposals', 'premium'];
const NUMBERS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const OTHERS = 'others';
const ALL = 'all';
const EVERY_KIND: ActionDraft = { label: 'Test every kind', line: commandLine('alerts', 'test', ALL) };

/** Posts the samples. Rejects with a `UserError`. */
export async function samples(options: AlertOptions, context: Context): Promise<Reply> {
  const kinds = context.kinds.map(({ id }) => id);
  const word = wordOf(options, kinds);
  const wanted = kindsOf(word, kinds);
  const words = word === undefined ? [] : [word];
  await requireManager(context.asker);
  await requirePosting(commandLine('alerts', 'test', ...words), context);
  await context.samples.post(context.chat, wanted);
  const others = kinds.filter((kind) => !FIRST.includes(kind));
  return reply({
    tone: 'live',
    finding: [
      { strong: `${counted(wanted.length, 'sample alert')} ${wanted.length === 1 ? 'comes' : 'come'} here` },
      ' within a few seconds',
    ],
    blocks: [
      line(`They look like real alerts. The project "${SAMPLE.name}" and its figures are invented. Kinds: `, { strong: both(wanted) }, '.'),
      line({ code: '/history' }, ' shows why one did not arrive.'),
    ],
    actions: [
      ...(word === undefined
        ? [{ label: `Show the other ${NUMBERS[others.length] ?? others.length}`, line: commandLine('alerts', 'test', OTHERS) }]
        : []),
      { label: 'Post again', line: commandLine('alerts', 'test', ...words) },
      { label: 'History', line: '/history' },
      { label: 'Alerts', line: '/alerts' },
    ],
  });
}

/** Returns the kind or group of samples. Throws a `UserError` for other words. */
function wordOf({ kind, target, rule }: AlertOptions, kinds: readonly string[]): string | undefined {
  const words = [kind, target, rule].flatMap((part) => part?.toLowerCase().split(/\s+/u) ?? []);
  const odd = words.find((word) => ![...kinds, OTHERS, ALL].includes(word));
  if (odd !== undefined) {
    const known = words.find((word) => kinds.includes(word));
    throw new UserError(`"${brief(odd)}" is not an alert kind. A sample is of one kind: ${either(kinds)}.`, {
      actions: [...(known === undefined ? [] : [buttonOf(known)]), EVERY_KIND],
    });
  }
  if (words.length > 1)
    throw new UserError('A sample is of one kind, or of every kind.', {
      actions: [...words.slice(0, MAX_BUTTONS).map(buttonOf), EVERY_KIND],
    });
  return words[0];
}

function kindsOf(word: string | undefined, kinds: readonly string[]): readonly string[] {
  if (word === undefined) return kinds.filter((kind) => FIRST.includes(kind));
  if (word === OTHERS) return kinds.filter((kind) => !FIRST.includes(kind));
  return word === ALL ? kinds : [word];
}

const buttonOf = (kind: string): ActionDraft => ({ label: `Test ${kind}`, line: commandLine('alerts', 'test', kind) });
