/** Handles what is particular to a button press: answers its callback query and turns keyboard pages. */
import type { Api } from 'grammy/web';
import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { fit } from '../../chat/fit.js';
import { plainText } from '../../chat/plain-text.js';
import type { ChatEvent } from '../../chat/platform.js';
import type { Reply } from '../../chat/reply.js';
import type { Instant } from '../../domain/scalars.js';
import { truncate, truncateLine } from '../truncate.js';
import type { ButtonPress } from './incoming-update.js';
import type { Panels } from './keyboard-pages.js';
import { viewKeyboard, type Pressed } from './keyboard.js';
import { inWords, isStale, isUnchanged, retrying } from './outcome.js';
import { editKeyboard } from './send-and-edit.js';

/** https://core.telegram.org/bots/api#answercallbackquery */
export const MAX_NOTICE = 200;

export interface CallbackAnswer {
  acknowledge(): Promise<void>;
  /** Resolves with false if the notice can no longer be shown. */
  showNotice(text: string): Promise<boolean>;
}

export function openCallbackAnswer({ api, query, log }: { api: Api; query: string; log: Log }): CallbackAnswer {
  let answered: Promise<boolean> | undefined;
  const send = async (options: { readonly text?: string; readonly show_alert?: boolean }): Promise<boolean> => {
    try {
      return await api.answerCallbackQuery(query, options);
    } catch (error) {
      // The command runs anyway; only the client's progress bar has ended.
      log[isStale(error) ? 'debug' : 'warn']('telegram.press-not-answered', { error: inWords(error) });
      return false;
    }
  };
  return {
    async acknowledge() {
      await (answered ??= send({}));
    },
    async showNotice(text) {
      if (answered !== undefined) return false;
      answered = send({ text, show_alert: true });
      return answered;
    },
  };
}

export function noticeOf(reply: Reply, now: Instant): { readonly text: string; readonly whole: boolean } {
  const { asOf: _age, ...said } = { ...reply, actions: [], fields: [] };
  const shown = (candidate: Reply): string =>
    plainText(candidate, now)
      .split('\n')
      .map((line) => truncateLine(line, MAX_NOTICE + 1))
      .join('\n');
  const fitting = shown(fit(said, (candidate) => shown(candidate).length <= MAX_NOTICE));
  return { text: truncate(fitting, MAX_NOTICE), whole: fitting === shown(said) && !hasMore(reply) };
}

const hasMore = ({ actions, fields, chart, files }: Reply): boolean =>
  actions.length > 0 || fields.length > 0 || chart !== undefined || files.length > 0;

export interface PageTurnDeps {
  readonly api: Api;
  readonly panels: Panels;
  readonly clock: Clock;
  readonly log: Log;
  readonly report: (event: ChatEvent) => void;
}

export type PageTurned = 'turned' | 'unknown' | 'refused' | 'aborted';

/** Shows another page of the pressed keyboard. Rejects with the store's error. */
export async function turnPage(
  { api, panels, ...deps }: PageTurnDeps,
  { key, view, sources }: Extract<Pressed, { kind: 'view' }>,
  { place, message, from, signal }: Pick<ButtonPress, 'place' | 'message' | 'from'> & { readonly signal: AbortSignal },
): Promise<PageTurned> {
  const panel = await panels.find(key);
  if (panel === undefined) return 'unknown';
  await panels.keep(panel);
  const { at, retry } = retrying(deps, { place, signal });
  try {
    await retry(true, async () =>
      editKeyboard(api, { chat: at().chat, message, receiver: from.id, keyboard: viewKeyboard(panel, { key, view, sources }) }),
    );
  } catch (error) {
    if (signal.aborted) return 'aborted';
    if (isUnchanged(error)) return 'turned';
    deps.log.warn('telegram.page-not-turned', { chat: place.chat, error: inWords(error) });
    return 'refused';
  }
  return 'turned';
}
