/** Moves collections of earlier versions to their new prefix. */
import { startingWith, type Backend } from './backend.js';

const RENAMED: Readonly<Record<string, string>> = {
  caps: 'plan-limits',
  look: 'check',
  mark: 'watermark',
  receipts: 'receipt',
  talk: 'conversation',
  'talk-pruned': 'conversation-pruned',
};

const PAGE = 500;

/** The new key is written first: an interrupted move is repeated. */
export async function moveRenamed(backend: Backend): Promise<void> {
  for (const [from, to] of Object.entries(RENAMED)) {
    const range = { ...startingWith(`${from}/`), limit: PAGE };
    for (let page = await backend.range(range); page.length > 0; page = await backend.range(range)) {
      await Promise.all(page.map(async ([key, text]) => backend.set(to + key.slice(from.length), text)));
      await Promise.all(page.map(async ([key]) => backend.delete(key)));
    }
  }
}
