/** What the person can mend: a wrong word, a missing one, a right they lack. The dispatcher turns it into a reply to the asker alone. */
import type { ActionDraft, Line } from '../chat/reply.js';

export interface Remedy {
  /** The command whose usage and example are shown below the sentence. */
  readonly usage?: string;
  /** The example in place of the command's own first one: a line that is nearer to what was meant. */
  readonly example?: string;
  readonly lines?: readonly Line[];
  readonly actions?: readonly ActionDraft[];
}

export class UserError extends Error {
  override readonly name = 'UserError';
  /** A sentence that says what is wrong and what to do. */
  readonly says: Line;
  readonly remedy: Remedy;

  constructor(says: string | Line, remedy: Remedy = {}) {
    super(typeof says === 'string' ? says : says.map((span) => JSON.stringify(span)).join(''));
    this.says = typeof says === 'string' ? [says] : says;
    this.remedy = remedy;
  }
}
