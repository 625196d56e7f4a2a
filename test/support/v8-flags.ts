/** Flags of V8 that differ between versions of Node. */

/** V8 12, in Node 22, has no `--interrupt-budget`, and Node refuses to start with it. */
const LAST_WITH_BUDGET = 11;

/** Returns flags for short processes: less scavenging, and no optimizing of what will hardly run again. */
export function shortLivedFlags(interruptBudget: number, v8 = process.versions.v8): string[] {
  const flags = ['--max-semi-space-size=64'];
  if (Number.parseInt(v8, 10) <= LAST_WITH_BUDGET) flags.push(`--interrupt-budget=${String(interruptBudget)}`);
  return flags;
}
