/** An error the person can fix: a wrong or missing word, or a missing permission. The dispatcher shows it to the asker only. */
import type { ActionDraft, Line } from '../chat/reply.js';

export interface Remedy {
  /** The command whose usage and example follow the sentence. */
  readonly usage?: string;
  /** Replaces the command's first example with one closer to the question. */
  readonly example?: string;
  readonly lines?: readonly Line[];
  readonly actions?: readonly ActionDraft[];
}

export class UserError extends Error {
  override readonly name = 'UserError';
  /** What is wrong and what to do. */
  readonly says: Line;
  readonly remedy: Remedy;

  constructor(says: string | Line, remedy: Remedy = {}) {
    super(typeof says === 'string' ? says : says.map((span) => JSON.stringify(span)).join(''));
    this.says = typeof says === 'string' ? [says] : says;
    this.remedy = remedy;
  }
}
