/** `docs/commands.md`, derived from the commands themselves: what `/help` says of each, all at once. */
import { format } from 'prettier';
import type { CommandEntry, OptionEntry } from '../../src/chat/catalogue.js';
import { usage } from '../../src/dispatch/command.js';

const HEADINGS = { asking: 'Asking', watching: 'Watching', bot: 'The bot' } as const;
const GROUPS = ['asking', 'watching', 'bot'] as const;

const code = (text: string): string => `\`${text}\``;
/** Plain text as Markdown: nothing in it is markup. */
const plain = (text: string): string => text.replaceAll(/[\\`*_<>[\]|]/gu, (sign) => `\\${sign}`);

const option = ({ name, summary, required, choices, completes }: OptionEntry): string =>
  [
    `- ${code(name)}: ${plain(summary)}`,
    ...(required ? [] : [' (may be left out)']),
    ...(choices === undefined ? [] : [`. One of ${choices.map(code).join(', ')}`]),
    ...(completes ? ['. Completed while it is typed'] : []),
    '.',
  ].join('');

const command = (entry: CommandEntry): string =>
  [
    `### /${entry.name}`,
    `${plain(entry.summary)}.${visibility(entry)}`,
    code(usage(entry)),
    ...(entry.options.length === 0 ? [] : [entry.options.map(option).join('\n')]),
    `For example:\n\n\`\`\`text\n${entry.examples.join('\n')}\n\`\`\``,
  ].join('\n\n');

/** The whole page, formatted as the repository's documents are. */
export const commandsPage = async (commands: readonly CommandEntry[]): Promise<string> =>
  format(
    [
      '# Commands',
      'Written from the commands themselves (`test/support/commands-page.ts`); a test fails when it is out of date. In a chat, `/help` shows the same.',
      'Words may stand in any order, and an option may be named: `/premium tide 3M` is `/premium range:3M project:tide`. A name of several words is quoted. On Discord the rest of a line may also stand whole in the first option: `/alerts target:tide supply silent`. A word in angle brackets is needed, one in square brackets may be left out.',
      ...GROUPS.flatMap((group) => {
        const entries = commands.filter((entry) => (entry.group ?? 'asking') === group);
        return entries.length === 0 ? [] : [`## ${HEADINGS[group]}`, ...entries.map(command)];
      }),
    ].join('\n\n'),
    { parser: 'markdown', printWidth: 140 },
  );

function visibility({ audience, personal, managersOnly, elsewhere }: CommandEntry): string {
  const seen =
    audience === 'asker'
      ? ' Only who asks sees the answer, where a platform can choose.'
      : personal === true
        ? ' On Discord only who asks sees the answer.'
        : '';
  const offered = managersOnly === true ? ' On Discord it is offered to members with Manage Channels.' : '';
  return `${seen}${offered}${elsewhere === true ? ' On Discord `channel` chooses another channel that you manage.' : ''}`;
}
