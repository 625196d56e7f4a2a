/** Collections that were stored under another prefix by earlier versions. Their documents are moved when the store is opened. */
import type { Backend } from './backend.js';

/** Prefix of an earlier version -> prefix of this one. */
const RENAMED: Readonly<Record<string, string>> = {
  caps: 'plan-limits',
  look: 'check',
  mark: 'watermark',
  receipts: 'receipt',
  talk: 'conversation',
  'talk-pruned': 'conversation-pruned',
};

/** Documents moved at once. */
const PAGE = 500;

/** The character that follows the slash: every key of a prefix is below it. */
const AFTER_SLASH = '0';

/**
 * Moves documents to the prefixes of this version. Each is durable under its new name before it is deleted under the old one, so a move that was
 * interrupted is simply done again.
 */
export async function moveRenamed(backend: Backend): Promise<void> {
  for (const [from, to] of Object.entries(RENAMED)) {
    const range = { from: `${from}/`, to: `${from}${AFTER_SLASH}`, limit: PAGE };
    for (let page = await backend.range(range); page.length > 0; page = await backend.range(range)) {
      await Promise.all(page.map(async ([key, text]) => backend.set(to + key.slice(from.length), text)));
      await Promise.all(page.map(async ([key]) => backend.delete(key)));
    }
  }
}
