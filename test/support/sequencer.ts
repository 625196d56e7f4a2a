/** Starts the folders of long tests first, so that no worker is left with one at the end. A fresh clone has no times of an earlier run to go by. */
import { sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = ['journeys', 'simulation', 'store', 'cli'].map((folder) => `${sep}test${sep}${folder}${sep}`);
const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((folder) => moduleId.includes(folder));

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own order, of no array.
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
