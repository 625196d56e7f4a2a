/** What `doctor` says of OPERATOR_CHAT. */
import type { Finding } from '../base/finding.js';
import type { Probe } from '../chat/notifier.js';

export function noticesFinding({ missing, blocked }: Pick<Probe, 'missing' | 'blocked'>): Finding {
  const about = 'notices';
  const remedy = 'add the bot there with the right to post, or correct OPERATOR_CHAT';
  if (blocked === undefined && missing.length === 0) return { mark: 'ok', about, says: 'can be posted to the chat of OPERATOR_CHAT' };
  const because = blocked ?? `missing: ${missing.join(', ')}`;
  return { mark: 'fail', about, says: `cannot be posted to the chat of OPERATOR_CHAT (${because.replace(/\.$/u, '')}); ${remedy}` };
}
