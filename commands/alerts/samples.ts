/** `/alerts test`: posts a sample alert of each kind, or of one. */
import { brief } from '../../src/base/one-line.js';
import { both, either } from '../../src/base/sentence-lists.js';
import { reply, type Reply } from '../../src/chat/reply.js';
import { requireManager, UserError, commandLine, line } from '../../src/reply/index.js';
import type { Context } from '../../src/dispatch/context.js';
import { requirePosting } from '../../src/dispatch/watchlists/first-checks.js';
import type { AlertOptions } from './request.js';

const MAX_BUTTONS = 5;

/** Rejects with a `UserError`. */
export async function samples({ kind, target, rule }: AlertOptions, context: Context): Promise<Reply> {
  const kinds = context.kinds.map(({ id }) => id);
  const words = [kind, target, rule].flatMap((part) => part?.split(/\s+/u) ?? []);
  const wanted = kinds.find((one) => one === words[0]?.toLowerCase());
  const odd = words.find((word) => !kinds.includes(word.toLowerCase()));
  const all = { actions: [{ label: 'Test every kind', line: '/alerts test' }] };
  if (odd !== undefined)
    throw new UserError(
      `"${brief(odd)}" is not an alert kind. A sample is of one kind: ${either(kinds)}.`,
      wanted === undefined ? all : { actions: [{ label: `Test ${wanted}`, line: commandLine('alerts', 'test', wanted) }, ...all.actions] },
    );
  if (words.length > 1)
    throw new UserError('A sample is of one kind, or of every kind.', {
      actions: [
        ...words
          .slice(0, MAX_BUTTONS)
          .map((word) => ({ label: `Test ${word.toLowerCase()}`, line: commandLine('alerts', 'test', word.toLowerCase()) })),
        ...all.actions,
      ],
    });
  await requireManager(context.asker);
  await requirePosting(commandLine('alerts', 'test', wanted), context);
  await context.samples.post(context.chat, wanted);
  return reply({
    tone: 'live',
    finding: [
      { strong: wanted === undefined ? 'A sample of each kind comes here' : `A sample of ${wanted} comes here` },
      ' within a few seconds',
    ],
    blocks: [
      line(
        'Its data is invented and marked as such. Otherwise it is like a real alert, also in the history. Kinds: ',
        { strong: wanted ?? both(kinds) },
        '.',
      ),
      line({ code: '/history' }, ' shows why one did not arrive.'),
    ],
    actions: [
      { label: 'Post again', line: commandLine('alerts', 'test', wanted) },
      { label: 'History', line: '/history' },
      { label: 'Alerts', line: '/alerts' },
    ],
  });
}
