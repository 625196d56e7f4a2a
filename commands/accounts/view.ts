/** One way to look at the accounts of a project: the project, and what narrows the list. */
import type { ProjectView, ProjectViewDeps } from '../../src/replies/view.js';

export interface AccountViewDeps extends ProjectViewDeps {
  /** Words in the name, address or venue. */
  readonly find?: string | undefined;
  readonly entity?: string | undefined;
  /** Only those in use, or only those that are not any more. */
  readonly state?: 'open' | 'retired' | undefined;
}

export type AccountView = (deps: AccountViewDeps) => ReturnType<ProjectView>;
