/** Checks the token without connecting. */
import { GrammyError, type Api } from 'grammy/web';
import type { WebhookInfo } from 'grammy/types';
import { HOUR, SECOND, type Clock, type Instant } from '../../base/clock.js';
import type { Finding } from '../../base/finding.js';
import type { Address } from '../../chat/address.js';
import { noticesFinding } from '../descriptor.js';
import { placeOf } from './address.js';
import { openApi } from './api.js';
import { inviteLinks } from './profile.js';
import { probe } from './rights.js';

export interface TelegramCheckup {
  readonly token: string;
  readonly apiRoot: string;
  readonly cacheChat?: string | undefined;
  readonly webhookUrl?: string | undefined;
  readonly operatorChat?: Address | undefined;
  readonly clock: Clock;
}

const about = 'telegram';

/** Reports every failure as a finding and never rejects. Changes nothing at Telegram. */
export async function checkTelegram({
  token,
  apiRoot,
  cacheChat,
  webhookUrl,
  operatorChat,
  clock,
}: TelegramCheckup): Promise<readonly Finding[]> {
  const closing = new AbortController();
  const api = openApi({ token, apiRoot, clock, polling: closing.signal, closing: closing.signal });
  const notices = operatorChat === undefined ? undefined : placeOf(operatorChat);
  try {
    const me = await api.getMe();
    return [
      { mark: 'ok', about, says: `the token is that of @${me.username}` },
      me.can_join_groups
        ? { mark: 'ok', about: 'telegram groups', says: 'it may be added to groups' }
        : { mark: 'warn', about: 'telegram groups', says: 'it may not be added to groups; allow that with @BotFather, /setjoingroups' },
      me.can_read_all_group_messages
        ? { mark: 'ok', about: 'telegram mentions', says: `privacy mode is off: in groups it answers when @${me.username} is mentioned` }
        : {
            mark: 'none',
            about: 'telegram mentions',
            says: `privacy mode is on: in groups it sees commands and replies to its messages; to let people mention @${me.username}, switch it off with @BotFather, /setprivacy, and add the bot to the group again`,
          },
      ...inviteLinks(me).map(({ label, url: link }): Finding => ({
        mark: 'ok',
        about: 'telegram link',
        says: `${label.toLowerCase()}: ${link}`,
      })),
      me.supports_inline_queries
        ? { mark: 'ok', about: 'telegram inline', says: `inline mode is on: type @${me.username} in any chat` }
        : {
            mark: 'none',
            about: 'telegram inline',
            says: `inline mode is off; to ask from any chat by typing @${me.username}, switch it on with @BotFather, /setinline`,
          },
      ...(cacheChat === undefined ? [] : [await cacheChatFinding(api, cacheChat, me.id)]),
      ...(notices === undefined ? [] : [noticesFinding(await probe(api, notices))]),
      ...webhookFindings(await api.getWebhookInfo(), { webhookUrl, now: clock.now() }),
    ];
  } catch (error) {
    return [{ mark: 'fail', about, says: reasonOf(error) }];
  } finally {
    closing.abort();
  }
}

/** Findings about the webhook. They leave out the URL's path, which may be a secret. */
function webhookFindings(
  { url = '', last_error_date: failedAt = 0, last_error_message: reason, pending_update_count: waiting }: WebhookInfo,
  { webhookUrl, now }: { readonly webhookUrl: string | undefined; readonly now: Instant },
): readonly Finding[] {
  const finding = (mark: Finding['mark'], says: string): readonly Finding[] => [{ mark, about: 'telegram updates', says }];
  if (webhookUrl === undefined)
    return url === ''
      ? finding('ok', 'no webhook is set, so updates can be asked for')
      : finding(
          'warn',
          'a webhook is set, which takes the updates; Navwatch removes it at its start, so make sure that no other program needs it',
        );
  if (url === '') return finding('none', 'the webhook is not set yet; Navwatch sets it at its start');
  if (url !== webhookUrl)
    return finding(
      'warn',
      'a webhook with another address is set; Navwatch replaces it at its start, so make sure that no other program needs it',
    );
  if (reason !== undefined && failedAt * SECOND > now - HOUR)
    return finding(
      'warn',
      `Telegram could not deliver to TELEGRAM_WEBHOOK_URL within the last hour (${reason}); check the address, its certificate and that the bot runs`,
    );
  return finding('ok', `the webhook is set; updates that wait there: ${waiting}`);
}

/** Never rejects. */
async function cacheChatFinding(api: Api, cacheChat: string, bot: number): Promise<Finding> {
  const remedy = 'add the bot there, in a channel as an administrator who may post, or correct TELEGRAM_CACHE_CHAT';
  try {
    const chat = await api.getChat(cacheChat);
    const me = chat.type === 'private' ? undefined : await api.getChatMember(chat.id, bot);
    const isInside = me === undefined || me.status === 'administrator' || (chat.type !== 'channel' && me.status === 'member');
    return isInside
      ? { mark: 'ok', about: 'telegram cache', says: 'the chat for pictures of inline results can be used' }
      : { mark: 'warn', about: 'telegram cache', says: `the bot is not in the chat for pictures of inline results; ${remedy}` };
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error;
    return { mark: 'warn', about: 'telegram cache', says: `the chat for pictures of inline results cannot be used; ${remedy}` };
  }
}

function reasonOf(error: unknown): string {
  // Telegram answers 401 for an unknown bot and 404 for a malformed token.
  if (error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404))
    return 'Telegram refuses TELEGRAM_TOKEN; get a new one from @BotFather';
  if (error instanceof GrammyError) return `Telegram answers with error ${error.error_code}; try again later`;
  return 'Telegram cannot be reached; check the network and TELEGRAM_API_ROOT';
}
