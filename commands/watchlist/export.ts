/** /watchlist export: the list as a file and as text. */
import { digestWords } from '../../src/alerts/digest/setting.js';
import { both } from '../../src/base/sentence-lists.js';
import { shortName, type Entry } from '../../src/alerts/watchlist/entry.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import { reply, type Line, type Reply } from '../../src/chat/reply.js';
import { PRESET_TITLES } from '../../src/alerts/rules/presets.js';
import { rulesText } from '../../src/alerts/rules/rule.js';
import { ageText } from '../../src/dispatch/watchlists/rule-text.js';
import { offsetsText } from '../../src/domain/reminder.js';
import type { Context } from '../../src/dispatch/context.js';
import { UserError, counted, dotted, line } from '../../src/reply/index.js';
import { titleOf } from '../../src/dispatch/watchlists/targets.js';
import {
  FILE_NAME,
  fileEntryOf,
  fileText,
  inOrder,
  isInFile,
  momentOf,
  settingsOf,
  type FileEntry,
  type FileException,
  type FileSettings,
} from '../../src/dispatch/watchlists/list-file.js';

export async function exportPage(context: Context): Promise<Reply> {
  const chat = context.watchlists.read(context.chat);
  const written = { kinds: context.kinds.map(({ id }) => id), now: context.now };
  const settings = settingsOf(chat, written);
  if (chat.entries.length === 0 && Object.keys(settings).length === 0)
    throw new UserError('Nothing to export: this chat watches nothing yet.', {
      actions: [{ label: 'Watch', line: '/watch' }],
    });
  const exported = chat.entries.filter(isInFile);
  const items = await Promise.all(
    inOrder(exported).map(async (entry) => ({
      line: [{ strong: await titleOf(entry.target, context) }],
      detail: entryDetail(fileEntryOf({ entry, chat: chat.address }, written)),
    })),
  );
  return reply({
    finding: [{ strong: `Watchlist exported: ${counted(exported.length, 'entry', 'entries')}` }],
    blocks: [
      { kind: 'list', items },
      ...(Object.keys(settings).length === 0 ? [] : [line(...settingsLine(settings))]),
      line('To import it in another chat, send the file with ', { code: '/watchlist import' }, '. It names no chat and no person.'),
      ...staysBehind(chat).map((says) => line('Not in the file: ', ...says)),
    ],
    files: [{ name: FILE_NAME, type: 'application/json', text: fileText(chat, written) }],
    actions: [{ label: 'Watchlist', line: '/watchlist' }],
  });
}

const pings = ({ mentions = [] }: Entry): boolean => mentions.some(({ kind }) => kind === 'person');

const MAX_OVER = 5;

function staysBehind({ entries, remind = [], board, pings: pingRoles }: Chat): readonly Line[] {
  const people = entries.filter(pings).length;
  const over = entries.filter((entry) => !isInFile(entry)).map(({ target }) => `"${shortName(target)}"`);
  const named = [...over.slice(0, MAX_OVER), ...(over.length > MAX_OVER ? [`${over.length - MAX_OVER} more`] : [])];
  return [
    ...(people === 0 ? [] : [[`people pinged by ${counted(people, 'entry', 'entries')}. Choose them again in the other chat.`]]),
    ...(remind.length === 0
      ? []
      : [
          [
            `this chat's reminders, ${offsetsText(remind.map(({ before }) => before))} before. Set them again with `,
            { code: '/remind' },
            '.',
          ],
        ]),
    ...(board === undefined ? [] : [['the board. Post it in the other chat with ', { code: '/board on' }, '.']]),
    ...(pingRoles === undefined ? [] : [['the ping roles. Set them up in the other chat with ', { code: '/pings on' }, '.']]),
    ...(over.length === 0 ? [] : [[`${both(named)}, because ${over.length === 1 ? 'it is' : 'they are'} over.`]]),
  ];
}

const shortRule = (rule: string): string =>
  rule.replace(/^([a-z]+): .*$/u, (whole, kind: string) => whole.replaceAll(new RegExp(String.raw`(: |; )${kind} `, 'gu'), '$1'));

export function entryDetail({
  preset,
  on = [],
  silent = [],
  off = [],
  rules = [],
  maxAgeHours,
  mutedUntil,
  mutedKinds = {},
  mentions = [],
  exceptions = [],
  wallet,
  label,
}: FileEntry): Line {
  return dotted(
    wallet === undefined || label === undefined ? undefined : wallet,
    preset === undefined ? undefined : PRESET_TITLES[preset],
    on.length === 0 ? undefined : `on: ${both(on)}`,
    silent.length === 0 ? undefined : `silent: ${both(silent)}`,
    off.length === 0 ? undefined : `off: ${both(off)}`,
    ...rules.map((rule) => shortRule(typeof rule === 'string' ? rule : `${rule.kind}: ${rulesText(rule)}`)),
    maxAgeHours === undefined ? undefined : `drops alerts older than ${ageText(maxAgeHours)}`,
    mutedUntil === undefined ? undefined : ['muted, alerts resume ', { at: momentOf(mutedUntil) }],
    ...Object.entries(mutedKinds).map(([kind, end]): Line => [`${kind} muted, resumes `, { at: momentOf(end) }]),
    mentions.length === 0 ? undefined : `pings ${counted(mentions.length, 'role')}`,
    ...exceptions.map(exceptionDetail),
  );
}

/** Returns "except heron: excluded". */
function exceptionDetail({ project, excluded, ...rest }: FileException): Line {
  return [`except ${project}: `, ...(excluded === true ? ['excluded'] : entryDetail(rest))];
}

export function settingsLine({ timezone, preset, quiet, digest, mutedUntil, mutedKinds = {}, mutedTopics = {} }: FileSettings): Line {
  const chosen = dotted(
    timezone === undefined ? undefined : `timezone ${timezone}`,
    preset === undefined ? undefined : `default alerts ${PRESET_TITLES[preset]}`,
    quiet === undefined ? undefined : `quiet hours ${quiet.from}–${quiet.to}`,
    digest === undefined
      ? undefined
      : `digest ${digestWords(digest)}${digest.rings === true ? ' with sound' : ''}${digest.every === 'week' && digest.receipt === false ? ' without what was filtered' : ''}${digest.card === false ? ' without a card' : ''}`,
    mutedUntil === undefined ? undefined : ['all alerts muted, resume ', { at: momentOf(mutedUntil) }],
    ...Object.entries(mutedKinds).map(([kind, end]): Line => [`all ${kind} alerts muted, resume `, { at: momentOf(end) }]),
    Object.keys(mutedTopics).length === 0
      ? undefined
      : `${counted(Object.keys(mutedTopics).length, 'proposal or launch', 'proposals and launches')} muted`,
  );
  return chosen.length === 0 ? ['default'] : chosen;
}
