/** `/alerts test`: a sample of each kind, or of one, posted here as an alert is. */
import { brief } from '../../src/base/one-line.js';
import { both, either } from '../../src/base/listing.js';
import { reply, type Reply } from '../../src/chat/reply.js';
import { notAllowed } from '../../src/dispatch/apologies.js';
import type { Context } from '../../src/dispatch/context.js';
import { lineOf } from '../../src/replies/command-line.js';
import { UserMistake } from '../../src/replies/user-error.js';
import { line } from '../../src/replies/blocks.js';
import { checkRight } from '../../src/dispatch/watchlists/first-checks.js';
import type { Options } from './request.js';

const MOST_BUTTONS = 5;

/** Rejects with a `UserMistake` where there is no such kind, where the asker may not, and where nothing can be posted. */
export async function samples({ kind, target, rule }: Options, context: Context): Promise<Reply> {
  const kinds = context.kinds.map(({ id }) => id);
  const words = [kind, target, rule].flatMap((part) => part?.split(/\s+/u) ?? []);
  const wanted = kinds.find((one) => one === words[0]?.toLowerCase());
  const odd = words.find((word) => !kinds.includes(word.toLowerCase()));
  const all = { actions: [{ label: 'Test every kind', line: '/alerts test' }] };
  if (odd !== undefined)
    throw new UserMistake(
      `“${brief(odd)}” is no kind of news, and a sample is of a kind, whatever is watched. There is ${either(kinds)}.`,
      wanted === undefined ? all : { actions: [{ label: `Test ${wanted}`, line: lineOf('alerts', 'test', wanted) }, ...all.actions] },
    );
  if (words.length > 1)
    throw new UserMistake('A sample is of one kind, or of every kind.', {
      actions: [
        ...words
          .slice(0, MOST_BUTTONS)
          .map((word) => ({ label: `Test ${word.toLowerCase()}`, line: lineOf('alerts', 'test', word.toLowerCase()) })),
        ...all.actions,
      ],
    });
  if (!(await context.asker.manages())) throw new UserMistake(notAllowed(context.chat));
  await checkRight(lineOf('alerts', 'test', wanted), context);
  await context.samples.post(context.chat, wanted);
  return reply({
    tone: 'live',
    finding: [
      { strong: wanted === undefined ? 'A sample of each kind comes here' : `A sample of ${wanted} comes here` },
      ' within a few seconds',
    ],
    blocks: [
      line(
        'It is invented, and says so. It is grouped, sent and kept in the history as an alert is; it tells of ',
        { strong: wanted ?? both(kinds) },
        '.',
      ),
      line('What does not arrive is explained by ', { code: '/history' }, '.'),
    ],
    actions: [
      { label: 'Post again', line: lineOf('alerts', 'test', wanted) },
      { label: 'History', line: '/history' },
      { label: 'Alerts', line: '/alerts' },
    ],
  });
}
