/** Failures that every engine on a database server has. */
import { FORMAT } from './format.js';
import { StoreError } from './store.js';

export const moved = (place: string): StoreError =>
  new StoreError(
    'moved',
    `store: the data of Navwatch in ${place} was deleted or replaced while it was open, so nothing is saved; restore a backup if it was not you, then restart Navwatch`,
  );

export const newer = (place: string, format: number): StoreError =>
  new StoreError(
    'newer',
    `store: ${place} was written by a newer Navwatch (its format is ${format}, this Navwatch knows ${FORMAT}); run that one, or restore a backup made before it`,
  );
