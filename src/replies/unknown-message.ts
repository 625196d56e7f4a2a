/** Of a message whose receipt is gone, or that another chat got. */
import { UserError } from './user-error.js';

export const unknownMessage = (): UserError =>
  new UserError('No such message in this chat. The last 30 days are kept, at most 300 messages.', {
    actions: [{ label: 'History', line: '/history' }],
  });
