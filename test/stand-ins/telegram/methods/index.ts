/** The methods this platform has. Names are found in any case, as on the real one; all others are 404. */
import { getChat, getChatAdministrators, getChatMember, leaveChat, pinChatMessage } from './chats.js';
import { deleteMyCommands, getMyCommands, setMyCommands } from './commands.js';
import {
  deleteEphemeralMessage,
  editMessageCaption,
  editMessageMedia,
  editMessageReplyMarkup,
  editMessageText,
  ephemerally,
} from './edits.js';
import { getFile, sendDocument, sendPhoto } from './files.js';
import { answerInlineQuery } from './inline.js';
import { deleteMessage, sendChatAction, sendMessage } from './messages.js';
import type { Method } from './method.js';
import { close, deleteWebhook, getMe, getUpdates, getWebhookInfo, logOut, setWebhook } from './polling.js';
import { answerCallbackQuery } from './presses.js';
import {
  getChatMenuButton,
  getMyDescription,
  getMyShortDescription,
  setChatMenuButton,
  setMyDescription,
  setMyShortDescription,
} from './profile.js';

const METHODS: Readonly<Record<string, Method>> = {
  answerCallbackQuery,
  answerInlineQuery,
  close,
  deleteEphemeralMessage,
  deleteMessage,
  deleteMyCommands,
  deleteWebhook,
  editEphemeralMessageCaption: ephemerally(editMessageCaption),
  editEphemeralMessageMedia: ephemerally(editMessageMedia),
  editEphemeralMessageReplyMarkup: ephemerally(editMessageReplyMarkup),
  editEphemeralMessageText: ephemerally(editMessageText),
  editMessageCaption,
  editMessageMedia,
  editMessageReplyMarkup,
  editMessageText,
  getChat,
  getChatAdministrators,
  getChatMember,
  getChatMenuButton,
  getFile,
  getMe,
  getMyCommands,
  getMyDescription,
  getMyShortDescription,
  getUpdates,
  getWebhookInfo,
  leaveChat,
  logOut,
  pinChatMessage,
  sendChatAction,
  sendDocument,
  sendMessage,
  sendPhoto,
  setChatMenuButton,
  setMyCommands,
  setMyDescription,
  setMyShortDescription,
  setWebhook,
};

const BY_NAME = new Map(Object.entries(METHODS).map(([name, run]) => [name.toLowerCase(), { name, run }]));

export const findMethod = (name: string): { readonly name: string; readonly run: Method } | undefined => BY_NAME.get(name.toLowerCase());

/** What counts against the flood limits. */
export const isMessage = (name: string): boolean => /^(?:send(?!ChatAction)|edit)/.test(name);
