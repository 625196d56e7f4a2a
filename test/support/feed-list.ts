/** `src/feeds/index.ts`, written from the files of the folder that export a feed of their own name. */
import { format, resolveConfig } from 'prettier';

export const feedList = async (names: readonly string[]): Promise<string> =>
  format(
    [
      '/** All feeds, in the order of lists. Written by `npm run generate`. */',
      "import type { Feed } from './feed.js';",
      ...names.map((name) => `import { ${name} } from './${name}.js';`),
      '',
      `export const FEEDS: readonly Feed[] = [${names.join(', ')}].toSorted((a, b) => a.order - b.order);`,
      '',
      '/** Undefined for a kind that no longer exists. */',
      'export const feedOf = (id: string): Feed | undefined => FEEDS.find((feed) => feed.id === id);',
    ].join('\n'),
    { ...(await resolveConfig(import.meta.filename)), parser: 'typescript' },
  );
