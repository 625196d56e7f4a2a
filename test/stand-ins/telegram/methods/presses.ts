/** answerCallbackQuery: once, and soon. */
import { SECOND } from '../../../../src/base/clock.js';
import { badRequest } from '../refusal.js';
import type { Method } from './method.js';

/** The platform names no time; answers after some seconds have been seen to be refused. Bots should answer at once. */
const ANSWERABLE_FOR = 15 * SECOND;
const MOST_TEXT = 200;

export const answerCallbackQuery: Method = ({ world, params }) => {
  const press = world.presses.get(params.text('callback_query_id'));
  if (!press || world.clock.now() - press.at > ANSWERABLE_FOR)
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  const text = params.text('text');
  if (text.length > MOST_TEXT) throw badRequest('MESSAGE_TOO_LONG');
  const url = params.text('url');
  // Only games and the bot's own start links can be opened.
  if (url !== '' && !url.startsWith(`https://t.me/${world.me.username}?start=`)) throw badRequest('URL_INVALID');
  press.settle({ text: text === '' ? undefined : text, alert: params.flag('show_alert'), url: url === '' ? undefined : url });
  return true;
};
