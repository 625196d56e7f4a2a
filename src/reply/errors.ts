/** Defines errors that a person can fix. The dispatcher shows them to the asker only. */
import type { ActionDraft, Line, Link } from '../chat/reply.js';
import type { Person } from '../chat/inbound.js';

export interface Remedy {
  readonly usage?: string;
  readonly example?: string;
  readonly lines?: readonly Line[];
  readonly links?: readonly Link[];
  readonly actions?: readonly ActionDraft[];
  /** The text could not be parsed, so it may mean something else. */
  readonly isUnread?: boolean;
  /** The asker is not permitted, so other words would not help. */
  readonly isRefused?: boolean;
}

export class UserError extends Error {
  override readonly name = 'UserError';
  readonly says: Line;
  readonly remedy: Remedy;

  constructor(says: string | Line, remedy: Remedy = {}) {
    super(typeof says === 'string' ? says : says.map((span) => JSON.stringify(span)).join(''));
    this.says = typeof says === 'string' ? [says] : says;
    this.remedy = remedy;
  }
}

/** Makes the error for a text that could not be parsed. */
export const unread = (says: string | Line, remedy: Remedy = {}): UserError => new UserError(says, { ...remedy, isUnread: true });

export class ManagersOnlyError extends Error {
  override readonly name = 'ManagersOnlyError';
}

/** Rejects with a `ManagersOnlyError` for anyone else. */
export async function requireManager(asker: Pick<Person, 'manages'>): Promise<void> {
  if (!(await asker.manages())) throw new ManagersOnlyError('only people who manage the chat may do this');
}

export const unknownMessage = (): UserError =>
  new UserError('No such message in this chat. The last 30 days are kept, about 300 messages.', {
    actions: [{ label: 'History', line: '/history' }],
  });
