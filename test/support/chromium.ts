/** Finds the browser the page tests drive. Without one they are skipped with a reason; `.ci/run` refuses to. */
import { existsSync } from 'node:fs';
import { test } from 'vitest';

/** `CHROMIUM_PATH`, else where Debian's package puts it; undefined when neither stands. */
function chromiumPath(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  return [env['CHROMIUM_PATH'], '/usr/bin/chromium'].find((path) => path !== undefined && path !== '' && existsSync(path));
}

/** A test that needs a browser: it gets the path of one, or says why it did not run. */
export function pageTest(title: string, run: (chromium: string) => Promise<void>, timeout = 60_000): void {
  test(title, { timeout }, async (context) => {
    const path = chromiumPath();
    if (path === undefined) return context.skip('no Chromium here: install the package `chromium` or set CHROMIUM_PATH to one');
    await run(path);
  });
}
