/** `npm run trace`: each function of `src` and `commands` notes its file when it runs. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { traced } from './traced.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export default defineConfig({
  plugins: [
    {
      name: 'trace',
      // Without its types a module can be parsed as a script.
      enforce: 'post',
      transform(code, id) {
        const file = id.startsWith(ROOT) ? id.slice(ROOT.length) : '';
        if (!/^(src|commands)\/.*\.ts$/u.test(file)) return undefined;
        return { code: traced(code, { file, tree: this.parse(code) }), map: null };
      },
    },
  ],
  test: { environment: 'node', include: ['test/trace/trace.ts'], testTimeout: 120_000, reporters: ['default'] },
});
