/** What only managers of a chat may do. The dispatcher words refusals. */
import type { Person } from '../chat/inbound.js';

export class ManagersOnlyError extends Error {
  override readonly name = 'ManagersOnlyError';
}

/** Rejects with a `ManagersOnlyError` for anyone else. */
export async function requireManager(asker: Pick<Person, 'manages'>): Promise<void> {
  if (!(await asker.manages())) throw new ManagersOnlyError('only people who manage the chat may do this');
}
