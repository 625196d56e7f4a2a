import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { receiptSchema } from '../../src/alerts/queue/receipts.js';
import { read, sources } from './repository.js';

const document = read('docs/architecture.md');
const [modules = '', life = ''] = [...document.matchAll(/^```mermaid\n(.*?)\n```$/gms)].map(([, diagram = '']) => diagram);

/** An import, a re-export or a dynamic import of another file of ours. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;
const importsIn = (text: string): readonly string[] => [...text.matchAll(IMPORT)].map(([, path = '']) => path);

/** `src/jobs/poll.ts` belongs to `jobs`, `src/app.ts` to `app`, `commands/help.ts` to `commands`. */
const moduleOf = (file: string): string => file.replace(/^src\//, '').replace(/[./].*$/, '');

function edgesOfCode(): readonly string[] {
  const edges = sources('src', 'commands').flatMap((file) =>
    importsIn(read(file)).map((path) => [moduleOf(file), moduleOf(join(dirname(file), path))] as const),
  );
  return [...new Set(edges.flatMap(([from, to]) => (from === to ? [] : [`${from} --> ${to}`])))].toSorted();
}

/** `a --> b & c` is two edges; a dotted one is no import. Throws for a line that is neither. */
function edgesOf(diagram: string): readonly string[] {
  const [first, ...lines] = diagram.split('\n');
  if (first !== 'flowchart LR') throw new Error(`a flowchart begins with "flowchart LR", not "${first}"`);
  return lines.flatMap((line) => {
    if (/^ {2}\w+ -\. [\w ]+ \.-> \w+$/.test(line)) return [];
    const [, from = '', to = ''] = /^ {2}(\w+) --> (\w+(?: & \w+)*)$/.exec(line) ?? [];
    if (from === '') throw new Error(`not an edge: "${line}"`);
    return to.split(' & ').map((one) => `${from} --> ${one}`);
  });
}

interface Transition {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** The transitions between declared states. Throws for a line that is neither a declaration nor a transition. */
function transitionsOf(diagram: string): readonly Transition[] {
  const [first, ...lines] = diagram.split('\n').filter((line) => line !== '');
  if (first !== 'stateDiagram-v2') throw new Error(`a state diagram begins with "stateDiagram-v2", not "${first}"`);
  const states = new Set(['[*]', ...lines.flatMap((line) => /^ {2}state "[^"]+" as (\w+)$/.exec(line)?.slice(1) ?? [])]);
  return lines.flatMap((line) => {
    if (/^ {2}state "[^"]+" as \w+$/.test(line)) return [];
    const [, from = '', to = '', label = ''] = /^ {2}(\S+) --> ([^\s:]+)(?:: ([^:;#]+))?$/.exec(line) ?? [];
    if (!states.has(from) || !states.has(to)) throw new Error(`not a transition between declared states: "${line}"`);
    return [{ from, to, label }];
  });
}

test('the diagram of modules shows every import between modules, and no other', () => {
  const drawn = edgesOf(modules);
  expect(drawn.toSorted()).toEqual(edgesOfCode());
});

test('the table of modules has a row for every module', () => {
  const rows = [...document.matchAll(/^\| `(?:src\/)?(\w+)(?:\/|\.ts)?`/gm)].map(([, name = '']) => name);
  const missing = [...new Set(sources('src', 'commands').map(moduleOf))].filter((name) => !rows.includes(name));
  expect(missing).toEqual([]);
});

test('each outcome of a notifier leads out of the sending state, and each end of a receipt into a receipt', () => {
  const transitions = transitionsOf(life);
  const outcomes = transitions.filter(({ from }) => from === 'sending').map(({ label }) => /^[\w-]+/.exec(label)?.[0]);
  const [, type = ''] = /export type Outcome =\n(.*?);\n\n/s.exec(read('src/chat/notifier.ts')) ?? [];
  expect(new Set(outcomes)).toEqual(new Set([...type.matchAll(/kind: '([^']+)'/g)].map(([, kind]) => kind)));
  const ends = transitions.filter(({ to }) => to === 'receipt').map(({ label }) => label.split(', ').at(-1));
  expect(new Set<string | undefined>(ends)).toEqual(new Set(receiptSchema.shape.end.options));
});

test('the table of documents names every collection of the store', () => {
  const [, section = ''] = /^## Documents\n(.*?)^## /ms.exec(document) ?? [];
  const rows = [...section.matchAll(/^\| `([a-z-]+)\//gm)].map(([, prefix]) => prefix);
  const opened = sources('src').flatMap((file) => [...read(file).matchAll(/\bprefix: '([a-z-]+)'/g)].map(([, prefix]) => prefix));
  expect(new Set(rows)).toEqual(new Set(opened));
});

test('imports of every form are found, and a diagram that no renderer takes is refused', () => {
  const text = "import './a.js';\nimport {\n  b,\n} from './b.js';\nexport * from './c.js';\nawait import('./d.js');\nimport e from 'e';\n";
  expect(importsIn(text)).toEqual(['./a.js', './b.js', './c.js', './d.js']);
  expect(edgesOf('flowchart LR\n  a --> b & c\n  a -. loads .-> d')).toEqual(['a --> b', 'a --> c']);
  expect(() => edgesOf('flowchart LR\n  a -> b')).toThrow('not an edge');
  expect(() => transitionsOf('stateDiagram-v2\n  state "A" as a\n  a --> b')).toThrow('not a transition');
});
