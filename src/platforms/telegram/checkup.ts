/** Checks the token without connecting. */
import { GrammyError } from 'grammy';
import type { Clock } from '../../base/clock.js';
import type { Finding } from '../../base/finding.js';
import { openApi } from './api.js';
import { inviteLinks } from './invite-links.js';

export interface TelegramCheckup {
  readonly token: string;
  readonly apiRoot: string;
  readonly clock: Clock;
}

const about = 'telegram';

/** A failure is a finding; never rejects. Changes nothing at Telegram. */
export async function checkTelegram({ token, apiRoot, clock }: TelegramCheckup): Promise<readonly Finding[]> {
  const closing = new AbortController();
  const api = openApi({ token, apiRoot, clock, polling: closing.signal, closing: closing.signal });
  try {
    const me = await api.getMe();
    const { url } = await api.getWebhookInfo();
    return [
      { mark: 'ok', about, says: `the token is that of @${me.username}` },
      me.can_join_groups
        ? { mark: 'ok', about: 'telegram groups', says: 'it may be added to groups' }
        : { mark: 'warn', about: 'telegram groups', says: 'it may not be added to groups; allow that with @BotFather, /setjoingroups' },
      ...inviteLinks(me).map(({ label, url: link }): Finding => ({
        mark: 'ok',
        about: 'telegram link',
        says: `${label.toLowerCase()}: ${link}`,
      })),
      url === undefined || url === ''
        ? { mark: 'ok', about: 'telegram updates', says: 'no webhook is set, so updates can be asked for' }
        : {
            mark: 'warn',
            about: 'telegram updates',
            says: 'a webhook is set, which takes the updates; Navwatch removes it at its start, so make sure that no other program needs it',
          },
    ];
  } catch (error) {
    return [{ mark: 'fail', about, says: reasonOf(error) }];
  } finally {
    closing.abort();
  }
}

function reasonOf(error: unknown): string {
  // An unknown bot is 401, a token of the wrong form 404.
  if (error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404))
    return 'Telegram refuses TELEGRAM_TOKEN; get a new one from @BotFather';
  if (error instanceof GrammyError) return `Telegram answers with error ${error.error_code}; try again later`;
  return 'Telegram cannot be reached; check the network and TELEGRAM_API_ROOT';
}
