/**
 * Starts the folders of long tests first, so that no worker is left with one at the end. A fresh clone has no times of an earlier run to go by.
 * `SHUFFLE_SEED=<n>` gives both parts another order, so that a file that needs what an earlier one left behind is found.
 */
import { createHash } from 'node:crypto';
import { sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = ['journeys', 'simulation', 'store', 'cli'].map((folder) => `${sep}test${sep}${folder}${sep}`);
const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((folder) => moduleId.includes(folder));

const shuffled = (files: readonly TestSpecification[], seed: string): readonly TestSpecification[] => {
  const place = ({ project, moduleId }: TestSpecification): string =>
    createHash('sha256')
      .update(`${seed} ${moduleId.slice(project.config.root.length)}`)
      .digest('hex');
  return files.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
};

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seed = process.env['SHUFFLE_SEED'];
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own order, of no array.
    const sorted = seed === undefined ? await super.sort(files) : shuffled(files, seed);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
