/** Pages of a keyboard; the message's text stays. */
import type { Api } from 'grammy';
import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { ChatEvent } from '../../chat/platform.js';
import type { ButtonPress } from './incoming-update.js';
import { viewKeyboard, type Pressed } from './keyboard.js';
import { inWords, isUnchanged } from './outcome.js';
import type { Panels } from './stored-keyboards.js';
import { editKeyboard } from './send-and-edit.js';
import { retrying } from './retry.js';

export interface PageTurnDeps {
  readonly api: Api;
  readonly panels: Panels;
  readonly clock: Clock;
  readonly log: Log;
  readonly report: (event: ChatEvent) => void;
}

export type PageTurned = 'turned' | 'unknown' | 'refused' | 'aborted';

/** Rejects with the store's error. */
export async function turnPage(
  { api, panels, ...deps }: PageTurnDeps,
  { key, view, sources }: Extract<Pressed, { kind: 'view' }>,
  { place, message, signal }: Pick<ButtonPress, 'place' | 'message'> & { readonly signal: AbortSignal },
): Promise<PageTurned> {
  const panel = await panels.find(key);
  if (panel === undefined) return 'unknown';
  await panels.keep(panel);
  const { at, retry } = retrying(deps, { place, signal });
  try {
    await retry(true, async () => editKeyboard(api, { chat: at().chat, message, keyboard: viewKeyboard(panel, { key, view, sources }) }));
  } catch (error) {
    if (signal.aborted) return 'aborted';
    if (isUnchanged(error)) return 'turned';
    deps.log.warn('telegram.page-not-turned', { chat: place.chat, error: inWords(error) });
    return 'refused';
  }
  return 'turned';
}
