/** Short files first: the first failure ends a mutant, and the long files are properties that draw many cases. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export class ShortFirst extends BaseSequencer {
  /** In ms, the longest so far: later runs end early or run only some of the tests. */
  readonly #durations = new Map<string, number>();

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durationOf = ({ project, moduleId }: TestSpecification): number => {
      const last = this.ctx.cache.getFileTestResults(`${project.name}:${relative(this.ctx.config.root, moduleId)}`)?.duration ?? 0;
      const longest = Math.max(last, this.#durations.get(moduleId) ?? 0);
      this.#durations.set(moduleId, longest);
      return longest;
    };
    const durations = new Map(files.map((file) => [file, durationOf(file)]));
    return files.toSorted((a, b) => (durations.get(a) ?? 0) - (durations.get(b) ?? 0));
  }
}
