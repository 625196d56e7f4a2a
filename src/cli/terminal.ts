/** What the commands of a terminal share: where the bot is, and what may be printed. */
import type { Config } from '../config.js';

/** As seen from this machine; undefined where it takes any port. */
export function nearUrl({ host, port }: Config['http']): string | undefined {
  if (port === 0) return undefined;
  const near = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? host;
  return `http://${near.includes(':') && !near.startsWith('[') ? `[${near}]` : near}:${port}`;
}

/** Without control characters, by which text could steer a terminal. */
export const printable = (text: string): string => text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '');
