// Takes src and commands from the build, so that what a benchmark stores is what the built bot would have stored. Registered by register.mjs.
import { resolve as resolveSource } from '../../support/child/hooks.mjs';

export { load } from '../../support/child/hooks.mjs';

const ROOT = new URL('../../../', import.meta.url).href;

export async function resolve(specifier, context, next) {
  const url = specifier.startsWith('.') && context.parentURL !== undefined ? new URL(specifier, context.parentURL).href : '';
  const isBuilt = url.startsWith(`${ROOT}src/`) || url.startsWith(`${ROOT}commands/`);
  return isBuilt ? next(`${ROOT}dist/${url.slice(ROOT.length)}`, context) : resolveSource(specifier, context, next);
}
