/** Finds the browser that drives the page tests. Without one they are skipped and say so; `.ci/run` counts that as a failure. */
import { existsSync } from 'node:fs';

/** Debian's. The shell without windows takes half of the processor time. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Where `CHROMIUM_PATH` points, else where one of Debian's packages puts it; undefined without a browser there. */
export function chromiumPath(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const given = env['CHROMIUM_PATH'];
  return (given === undefined || given === '' ? INSTALLED : [given]).find((path) => existsSync(path));
}

/** Why a page test did not run. */
export const NO_CHROMIUM = 'there is no Chromium here: install the package chromium-headless-shell, or set CHROMIUM_PATH to a browser';
