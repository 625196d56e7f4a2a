/** Labels of wallets. */
import { oneLine } from '../../base/one-line.js';
import { KINDS } from '../../alerts/rules/kinds.js';
import { instant } from '../../base/clock.js';
import { looksLikeKey } from '../../domain/wallet.js';
import type { Project } from '../../domain/project.js';
import { ALERT_ACTIONS } from './alert-actions.js';
import { muteTime } from '../../reply/index.js';

const MAX_LABEL_LENGTH = 40;
const RESERVED: ReadonlySet<string> = new Set(['all', 'launches', ...KINDS, ...ALERT_ACTIONS]);
const ANY_TIME = { now: instant(0), zone: 'utc' } as const;

/** Undefined when the label can be used. */
export function labelFault(label: string, projects: readonly Project[]): string | undefined {
  if (label.length > MAX_LABEL_LENGTH)
    return `A label has at most ${MAX_LABEL_LENGTH} characters; that one has ${label.length}. Choose a shorter one.`;
  if (oneLine(label) !== label) return 'A label is one line of visible characters. Choose another one.';
  const word = label.toLowerCase();
  if (RESERVED.has(word) || looksLikeKey(label) || muteTime(label, ANY_TIME) !== undefined)
    return `"${label}" can't be a label: it already has a meaning in commands. Choose another one.`;
  return projects.some(({ slug, symbol, name }) => [slug, symbol, name].some((one) => one?.toLowerCase() === word))
    ? `"${label}" can't be a label: a project has that name. Choose another one.`
    : undefined;
}
