// @ts-check
/** Calls the chat API for the page. */

/** @typedef {{ id: number, at: string, kind: 'question' | 'reply' | 'alert', text: string, silent?: true, html: string }} Message */
/** @typedef {{ name: string, last: number, at?: string }} Chat */
/** @typedef {{ insert: string, label: string, hint: string }} Suggestion */
/**
 * @typedef {{
 *   service: { ok: boolean, says: string, invented: boolean },
 *   feeds: { id: string, watched: number, oldestCheck?: number, failing: number, expected?: { within: number | null, useful: number } }[],
 *   budget?: { used: number, limit?: number },
 *   deliveries?: { waiting: number, sent: number },
 * }} PanelState
 */

/** An error whose message is a sentence for the person. */
export class ApiError extends Error {}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>}
 */
async function request(path, init) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(`/api/${path}`, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('The bot is not reachable. Is it running?');
  }
  if (response.status === 401) location.assign('/login');
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(typeof body.error === 'string' ? body.error : `The bot answered with status ${response.status}.`);
  return body;
}

/** Resolves when the reply is final; it arrives on the stream as well. @param {string} chat @param {string} text @param {File} [file] */
export const send = (chat, text, file) => request(`chats/${chat}/messages`, { method: 'POST', ...bodyOf(text, file) });

/** @param {string} text @param {File | undefined} file */
function bodyOf(text, file) {
  if (file === undefined) return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text }) };
  const body = new FormData();
  body.set('text', text);
  body.set('file', file);
  return { body };
}

/** @param {string} chat @param {number} before @returns {Promise<Message[]>} */
export const earlier = async (chat, before) => (await request(`chats/${chat}/messages?form=page&limit=100&before=${before}`)).messages;

/** The URL of a file of a message. @param {string} chat @param {number} message @param {string} place */
export const fileAddress = (chat, message, place) => `/api/chats/${chat}/messages/${message}/files/${place}`;

/** @returns {Promise<Chat[]>} */
export const listChats = async () => (await request('chats')).chats;

/** @param {string} chat @param {string} line @param {AbortSignal} signal @returns {Promise<Suggestion[]>} */
export const complete = async (chat, line, signal) =>
  (await request(`complete?${new URLSearchParams({ chat, line })}`, { signal })).suggestions;

/** The URL of a message; its picture is below it at `/picture`. @param {string} chat @param {number} message */
export const messageAddress = (chat, message) => `/api/chats/${chat}/messages/${message}`;

/** @typedef {{ top: number, bottom: number, places: { x: number, when: string, values: { name: string, text: string, tone: string, y?: number }[] }[] }} PointedChart */
/** @param {string} address @returns {Promise<PointedChart>} */
export const readValues = (address) => request(address.slice('/api/'.length));

/** @typedef {{ text: string, at: number }} Figure */
/**
 * @typedef {{ slug: string, name: string, symbol?: string, price?: Figure, premium?: Figure & { isDiscount: boolean },
 *   history: [number, number][], deadline?: { kind: 'market' | 'vesting', endsAt: number, at: number } | null }} WatchedProject
 */
/** @param {string} chat @param {string} search @returns {Promise<{ now: string, total: number, isAny: boolean, projects: WatchedProject[] }>} */
export const readProjects = (chat, search) => request(`chats/${chat}/projects?${new URLSearchParams({ search })}`);

/** Asks for an answer that is shown but not stored. @param {string} chat @param {string} line @returns {Promise<string>} */
export const readView = async (chat, line) =>
  (
    await request(`chats/${chat}/views`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ line }),
    })
  ).html;

/** @typedef {{ now: string, alerts: { id: number, at: string, html: string }[], isMore: boolean, projects: string[], kinds: string[] }} Alerts */
/** @param {string} chat @param {Record<string, string>} filter @returns {Promise<Alerts>} */
export const readAlerts = (chat, filter) => request(`chats/${chat}/alerts?${new URLSearchParams(filter)}`);

/** @typedef {{ platform: string, title: string, html: string }} Preview */
/** Reads how each platform would show a reply. @param {string} chat @param {number} message @returns {Promise<Preview[]>} */
export const readPreviews = async (chat, message) => (await request(`chats/${chat}/messages/${message}/previews`)).previews;

/** @returns {Promise<PanelState>} */
export const readPanel = () => request('panel');

/** The value is in milliseconds. The server sends a beat every 15 s; after three missed ones we reconnect, even if the browser sees an open connection. */
const SILENCE = 50_000;
const RETRY = 2_000;

/**
 * Keeps a chat's stream open until `stop` is called, from the last message seen on.
 * @param {{ chat: string, onMessage: (message: Message) => void, onEdit: (message: Message) => void, onHello: (hello: { now: string, last: number }) => void,
 *   onBeat: (now: string) => void, onReach: (reached: boolean) => void, position: () => number | undefined }} with_
 * @returns {() => void}
 */
export function follow({ chat, onMessage, onEdit, onHello, onBeat, onReach, position }) {
  /** @type {EventSource} */
  let source;
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const again = () => {
    source.close();
    onReach(false);
    clearTimeout(timer);
    timer = setTimeout(open, RETRY);
  };
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(again, SILENCE);
  };
  function open() {
    const after = position();
    source = new EventSource(`/api/chats/${chat}/events${after === undefined ? '' : `?after=${after}`}`);
    source.onerror = again;
    source.addEventListener('hello', (event) => {
      alive();
      onReach(true);
      onHello(JSON.parse(event.data));
    });
    source.addEventListener('message', (event) => {
      alive();
      onMessage(JSON.parse(event.data));
    });
    source.addEventListener('edit', (event) => {
      alive();
      onEdit(JSON.parse(event.data));
    });
    source.addEventListener('beat', (event) => {
      alive();
      onBeat(event.data);
    });
  }
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
