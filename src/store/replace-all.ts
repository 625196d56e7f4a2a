/** Replaces all documents, page by page. A mark says that it has begun and not ended. */
import type { Backend, StoredText } from './backend.js';
import { EVERY_KEY } from './snapshot.js';

const MARK = '.import';
const PAGE = 500;

export const isInterrupted = async (backend: Backend): Promise<boolean> => (await backend.get(MARK)) !== undefined;

export const isEmpty = async (backend: Backend): Promise<boolean> => (await backend.range({ ...EVERY_KEY, limit: 1 })).length === 0;

/** Rejects with the error of `pages` or of the engine, and leaves the mark. */
export async function replaceAll(backend: Backend, pages: AsyncIterable<readonly StoredText[]>): Promise<void> {
  await backend.set(MARK, 'begun');
  for (
    let page = await backend.range({ ...EVERY_KEY, limit: PAGE });
    page.length > 0;
    page = await backend.range({ ...EVERY_KEY, limit: PAGE })
  )
    await Promise.all(page.map(async ([key]) => backend.delete(key)));
  for await (const page of pages) await Promise.all(page.map(async ([key, text]) => backend.set(key, text)));
  await backend.delete(MARK);
}
