/** An error the person can fix, shown to the asker only. */
import type { ActionDraft, Line, Link } from '../chat/reply.js';

export interface Remedy {
  readonly usage?: string;
  readonly example?: string;
  readonly lines?: readonly Line[];
  readonly links?: readonly Link[];
  readonly actions?: readonly ActionDraft[];
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
