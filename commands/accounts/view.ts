/** A view of a project's accounts: its dependencies and filters. */
import type { ProjectView, ProjectViewDeps } from '../../src/replies/view.js';

export interface AccountViewDeps extends ProjectViewDeps {
  /** Words in the name, address or venue. */
  readonly find?: string | undefined;
  readonly entity?: string | undefined;
  /** Only active or only retired accounts. */
  readonly state?: 'open' | 'retired' | undefined;
}

export type AccountView = (deps: AccountViewDeps) => ReturnType<ProjectView>;
