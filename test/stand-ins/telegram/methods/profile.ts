/** setMyDescription, setMyShortDescription, setChatMenuButton and their getters: what a person sees of the bot before a conversation. */
import { z } from 'zod';
import { badRequest } from '../refusal.js';
import type { Method } from './method.js';

const MOST_DESCRIPTION = 512;
const MOST_SHORT = 120;

/** Characters as the platform counts them here: code points. */
const tooLong = (text: string, most: number): boolean => [...text].length > most;

export const setMyDescription: Method = ({ world, params }) => {
  const text = params.text('description').trim();
  if (tooLong(text, MOST_DESCRIPTION)) throw badRequest('BOT_DESCRIPTION_TOO_LONG');
  world.profile.description = text;
  return true;
};

export const getMyDescription: Method = ({ world }) => ({ description: world.profile.description });

export const setMyShortDescription: Method = ({ world, params }) => {
  const text = params.text('short_description').trim();
  if (tooLong(text, MOST_SHORT)) throw badRequest('BOT_SHORT_DESCRIPTION_TOO_LONG');
  world.profile.short = text;
  return true;
};

export const getMyShortDescription: Method = ({ world }) => ({ short_description: world.profile.short });

const buttonShape = z.looseObject({ type: z.enum(['commands', 'default', 'web_app']) });

export const setChatMenuButton: Method = ({ world, params }) => {
  const button = buttonShape.safeParse(params.json('menu_button', "Can't parse menu button JSON object") ?? { type: 'default' });
  if (!button.success) throw badRequest("Can't parse menu button: Unsupported type specified");
  // Only the default of all private chats; a Web App is none of this bot's.
  if (params.has('chat_id') || button.data.type === 'web_app') throw badRequest('the stand-in knows the default menu button only');
  world.profile.menuButton = button.data.type;
  return true;
};

export const getChatMenuButton: Method = ({ world }) => ({ type: world.profile.menuButton });
