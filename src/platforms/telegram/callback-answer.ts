/** Answers a callback query, once. */
import type { Api } from 'grammy';
import type { Log } from '../../base/log.js';
import { fit } from '../../chat/fit.js';
import type { Reply } from '../../chat/reply.js';
import { plainText } from '../../chat/plain-text.js';
import type { Instant } from '../../domain/scalars.js';
import { truncate, truncateLine } from '../truncate.js';
import { inWords, isStale } from './outcome.js';

/** https://core.telegram.org/bots/api#answercallbackquery */
export const MAX_NOTICE = 200;

export interface CallbackAnswer {
  acknowledge(): Promise<void>;
  /** False where it cannot be shown any more. */
  showNotice(text: string): Promise<boolean>;
}

export function openCallbackAnswer({ api, query, log }: { api: Api; query: string; log: Log }): CallbackAnswer {
  let answered: Promise<boolean> | undefined;
  const send = async (options: { readonly text?: string; readonly show_alert?: boolean }): Promise<boolean> => {
    try {
      return await api.answerCallbackQuery(query, options);
    } catch (error) {
      // The command runs all the same; only the progress bar has ended.
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
