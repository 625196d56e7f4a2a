/** Finds the browser that drives the page tests. Without one they are skipped and say so; `.ci/run` counts that as a failure. */
import { existsSync } from 'node:fs';

/** Where `CHROMIUM_PATH` points, else where Debian's package puts it; undefined when no browser stands there. */
export function chromiumPath(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const given = env['CHROMIUM_PATH'];
  const path = given === undefined || given === '' ? '/usr/bin/chromium' : given;
  return existsSync(path) ? path : undefined;
}

/** Why a page test did not run. */
export const NO_CHROMIUM = 'there is no Chromium here: install the package chromium, or set CHROMIUM_PATH to one';
