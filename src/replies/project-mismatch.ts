/** Checks that an item belongs to the named project. */
import type { Walk } from '../analytics/analytics.js';
import type { BlockDraft } from '../chat/reply.js';
import type { Project } from '../domain/project.js';
import { UserError } from './user-error.js';
import { line } from './blocks.js';
import type { OptionalAnswer } from './optional-answer.js';

export const notOfProject = (what: string, project: Project): UserError =>
  new UserError(`That ${what} isn't ${project.name}'s. Leave out the project to find it by number.`);

interface OwnershipQuery {
  /** "movement". */
  readonly what: string;
  readonly project: Project;
  readonly list: OptionalAnswer<Walk<{ readonly id: string }>>;
  readonly id: string;
}

/** Warns for an incomplete list; throws if a complete one lacks it. */
export function ownershipWarning({ what, project, list: { answer }, id }: OwnershipQuery): BlockDraft | undefined {
  if (answer?.rows.some((row) => row.id === id)) return undefined;
  if (answer?.complete) throw notOfProject(what, project);
  return line(`⚠ Couldn't verify that this ${what} is ${project.name}'s.`);
}
