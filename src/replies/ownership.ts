/** Whether what is asked for by its number is of the project named beside it: the number alone finds that of any project. */
import type { Walk } from '../analytics/analytics.js';
import type { BlockDraft } from '../chat/reply.js';
import type { Project } from '../domain/project.js';
import { UserError } from './user-error.js';
import { line } from './blocks.js';
import type { OptionalAnswer } from './optional.js';

/** "No such movement of Heron Flats." */
export const notOfProject = (what: string, project: Project): UserError =>
  new UserError(`No such ${what} of ${project.name}: that number is another project's. Without a project, the number alone finds it.`);

interface OwnershipQuery {
  /** "movement". */
  readonly what: string;
  readonly project: Project;
  readonly list: OptionalAnswer<Walk<{ readonly id: string }>>;
  readonly id: string;
}

/** Undefined where the project's list holds the number, and a warning where the list could not be read whole. Throws `notOfProject` where it does not hold it. */
export function ownershipWarning({ what, project, list: { answer }, id }: OwnershipQuery): BlockDraft | undefined {
  if (answer?.rows.some((row) => row.id === id)) return undefined;
  if (answer?.complete) throw notOfProject(what, project);
  return line(`⚠ Whether this ${what} is of ${project.name} could not be found out.`);
}
