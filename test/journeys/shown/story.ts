/** A story as it happened: what was alerted between the calls of both platforms and the lines of the log, in their order. */
import { z } from 'zod';
import type { RestEntry } from '../../stand-ins/discord/types.js';
import type { Call } from '../../stand-ins/telegram/control.js';
import type { LogLine, ConnectedBot } from '../connected-bot.js';
import { hidden } from './pages.js';

/** What the gateway tells that matters to a chat. */
const TOLD = ['INTERACTION_CREATE', 'GUILD_CREATE', 'GUILD_DELETE', 'CHANNEL_UPDATE', 'READY', 'RESUMED'];
const LOGGED = /^(chat|delivery)\.|^(discord|telegram)\.(connected|resumed|dropped|not-|trouble)/u;

export interface Story {
  narrate(what: string): void;
  /** The whole story, a line for each thing. */
  lines(): readonly string[];
}

export function story(bot: ConnectedBot): Story {
  const alerted: string[] = [];
  let seen = { discord: bot.discord.transcript.entries.length, telegram: bot.telegram.transcript.length, log: bot.lines.length };

  function catchUp(): void {
    const happened: { readonly at: number; readonly says: string }[] = [];
    for (const entry of bot.discord.transcript.entries.slice(seen.discord)) {
      if (entry.kind === 'rest' && entry.method !== 'GET') happened.push({ at: entry.at, says: restLine(entry) });
      if (entry.kind === 'gateway' && entry.event !== undefined && TOLD.includes(entry.event))
        happened.push({ at: entry.at, says: `Discord tells ${entry.event}` });
    }
    for (const call of bot.telegram.transcript.slice(seen.telegram)) {
      const says = call.method === 'getUpdates' ? updatesLine(call) : /^(send|edit|answer)/u.test(call.method) ? callLine(call) : undefined;
      if (says !== undefined) happened.push({ at: call.at, says });
    }
    for (const line of bot.lines.slice(seen.log)) if (LOGGED.test(line.event)) happened.push({ at: line.at, says: logLine(line) });
    seen = { discord: bot.discord.transcript.entries.length, telegram: bot.telegram.transcript.length, log: bot.lines.length };
    alerted.push(...happened.toSorted((a, b) => a.at - b.at).map(({ at, says }) => `${clock(at)}  ${says}`));
  }

  return {
    narrate(what) {
      catchUp();
      alerted.push(`${clock(bot.clock.now())}  -- ${what}`);
    },
    lines() {
      catchUp();
      return alerted;
    },
  };
}

const clock = (at: number): string => new Date(at).toISOString().slice(8, 19).replace('T', '. ');

const words = z.object({
  content: z.string().optional(),
  text: z.string().optional(),
  data: z.object({ content: z.string().optional() }).optional(),
});

/** The first line of what was sent. */
function firstLine(body: unknown): string {
  const read = words.safeParse(body).data;
  const said = read?.content ?? read?.data?.content ?? read?.text ?? '';
  return said === '' ? '' : ` "${said.split('\n')[0]}"`;
}

function restLine({ method, path, status, code, body }: RestEntry): string {
  return `bot → Discord  ${method} ${hidden(path)} ${status}${code === undefined ? '' : ` (code ${code})`}${firstLine(body)}`;
}

function callLine({ method, params, answer }: Call): string {
  const outcome = answer === undefined ? 'no answer' : answer.ok ? 'ok' : `${answer.error_code} ${answer.description}${parameters(answer)}`;
  return `bot → Telegram ${method} ${place(params)} ${outcome}${firstLine(params)}`;
}

const place = ({ chat_id: chat }: Call['params']): string => (typeof chat === 'number' ? String(chat) : '');

const parameters = ({ parameters: more }: Extract<Call['answer'], { ok: false }>): string =>
  more === undefined ? '' : ` ${JSON.stringify(more)}`;

/** The kinds of what a poll brought. */
function updatesLine({ answer }: Call): string | undefined {
  if (answer?.ok === false) return undefined;
  const updates = z.array(z.record(z.string(), z.unknown())).safeParse(answer?.result).data ?? [];
  const kinds = updates.map((update) => {
    const { message } = update;
    const keys = typeof message === 'object' && message !== null ? Object.keys(message) : [];
    const service = keys.find((key) => key.startsWith('migrate_'));
    return service ?? Object.keys(update).find((key) => key !== 'update_id');
  });
  return kinds.length === 0 ? undefined : `Telegram tells ${kinds.join(', ')}`;
}

function logLine({ event, ...fields }: LogLine): string {
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !['level', 'time', 'at'].includes(name)));
  return `log            ${event} ${JSON.stringify(own)}`;
}
