// @ts-check
/** Reads the URL's fragment: `#main`, `#main/alerts/tide`, `#main/project/tide/premium`. With it every view can be bookmarked, and Back works. */

const NAME = /^[a-z0-9-]{1,32}$/;

/** @typedef {{ chat: string, view: 'chat' | 'alerts' | 'project', project: string | undefined, part: string }} Place */

/** @returns {Place} */
export function place() {
  const [chat = '', view, project = '', part = ''] = location.hash.slice(1).split('/').map(decoded);
  const at = NAME.test(chat) ? chat : 'main';
  if (view === 'alerts') return { chat: at, view, project: project === '' ? undefined : project, part: '' };
  if (view === 'project' && project !== '') return { chat: at, view, project, part };
  return { chat: at, view: 'chat', project: undefined, part: '' };
}

export const isChatName = (/** @type {string} */ text) => NAME.test(text);

/** Returns the name of the open chat. */
export const current = () => place().chat;

/** @param {Partial<Place> & { view: Place['view'] }} to */
export function addressOf({ chat = current(), view, project, part }) {
  const parts =
    view === 'chat'
      ? [chat]
      : [chat, view, ...(project === undefined ? [] : [project]), ...(part === undefined || part === '' ? [] : [part])];
  return `#${parts.map(encodeURIComponent).join('/')}`;
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
