/** View of a project's accounts. */
import type { ProjectView, ProjectViewDeps } from '../../src/replies/project-view.js';

export interface AccountViewDeps extends ProjectViewDeps {
  readonly find?: string | undefined;
  readonly entity?: string | undefined;
  readonly state?: 'open' | 'retired' | undefined;
}

export type AccountView = (deps: AccountViewDeps) => ReturnType<ProjectView>;
