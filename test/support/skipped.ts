/** A reporter that says at the end which tests did not run, and why: a skip that nobody sees is a test that nobody has. */
import type { Reporter, TestModule } from 'vitest/node';

/** Prints one line per skipped test with the note its `skip` was given. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => {
        const result = test.result();
        const note = result.state === 'skipped' ? result.note : undefined;
        return `  ${module.relativeModuleId}: ${test.fullName}\n    ${note ?? 'no reason was given'}`;
      }),
    );
    if (lines.length > 0) process.stdout.write(`\nNot run:\n${lines.join('\n')}\n`);
  }
}
