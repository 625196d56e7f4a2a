import { expect, test } from 'vitest';
import { read, sources } from './repository.js';

interface LoggedEvent {
  readonly event: string;
  readonly level: string;
  readonly module: string;
}

/** `log.warn('x.y'`, `log[…]('x.y'` and templates, whose variable part becomes an asterisk. */
const CALL = /\blog(?:\.(error|warn|info|debug)|\[[^\]]+\])\(\s*(?:'([^']+)'|`([^`]+)`)/gu;

function logged(): readonly LoggedEvent[] {
  return sources('src', 'commands')
    .filter((file) => file.endsWith('.ts') && !file.startsWith('src/cli/'))
    .flatMap((file) =>
      [...read(file).matchAll(CALL)].map(([, level = 'by outcome', plain, template = '']) => ({
        event: plain ?? template.replaceAll(/\$\{[^}]+\}/gu, '*'),
        level,
        module: file.replace(/^src\//u, '').replace(/\/[^/]+$/u, ''),
      })),
    );
}

function page(events: readonly LoggedEvent[]): string {
  const names = [...new Set(events.map(({ event }) => event))].toSorted();
  const rows = names.map((name) => {
    const own = events.filter(({ event }) => event === name);
    const one = (of: (event: LoggedEvent) => string): string => [...new Set(own.map(of))].toSorted().join(', ');
    return `| \`${name}\` | ${one(({ level }) => level)} | \`${one(({ module }) => module)}\` |`;
  });
  return `# Log events

Generated from the source (\`npm run generate\`). Each line of the log is a JSON object with \`level\`, \`time\`, \`event\` and the fields of the event; secrets are replaced by \`[redacted]\`. \`error\`: an operator should act. \`warn\`: the bot recovered or goes on. \`info\`: a state changed. \`debug\`: every check and delivery.
A failure that repeats is logged when it begins and when it ends or changes. An asterisk stands for a name or an outcome.

| event | level | from |
| --- | --- | --- |
${rows.join('\n')}
`;
}

// A file snapshot: run with `--update` it writes the page, else it compares.
test('docs/log-events.md lists every event that is logged, with its level and where it comes from', async () => {
  await expect(page(logged())).toMatchFileSnapshot('../../docs/log-events.md');
});

test('an event is named by its area and what happened, in lower case', () => {
  const SINGLE = ['started', 'answering', 'standby'];
  const odd = logged().filter(({ event }) => !/^[a-z*][a-z-]*\.[a-z*][a-z-]*$/u.test(event) && !SINGLE.includes(event));
  expect(odd).toEqual([]);
});

test('text of the service, of people or of chats is never part of an event name', () => {
  const variable = sources('src').flatMap((file) =>
    [...read(file).matchAll(/\blog\.(?:error|warn|info|debug)\((?!['`\s])[^)]*/gu)].map(([call]) => `${file}: ${call}`),
  );
  expect(variable).toEqual([]);
});
