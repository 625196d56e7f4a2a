/** What an active process prints at its start. */
import type { Config } from '../config.js';

interface Started {
  readonly url: string;
  readonly config: Config;
  readonly service: { readonly name: string; readonly url: string };
  /** Watched for. */
  readonly chats: number;
}

export function startLines({ url, config, service, chats }: Started): readonly string[] {
  const watched = chats === 0 ? 'nothing yet; type /watch all on the page' : `for ${chats} ${chats === 1 ? 'chat' : 'chats'}`;
  const from = config.analytics.baseUrl === undefined ? `${service.name} (${service.url})` : service.name;
  return [
    `page ${url}`,
    ...config.platforms.flatMap(({ name, hasToken }) => (hasToken ? [`${name.padEnd(9)} connecting; /status says how it stands`] : [])),
    ...config.platforms.flatMap(({ startLines: lines }) => lines),
    `service ${from}`,
    `store ${config.storePlace}`,
    config.http.consoleToken === undefined
      ? `login not possible: ${config.noToken ?? 'there is no token'}`
      : 'login npm run --silent login prints a link for the operator view',
    `watching ${watched}`,
  ];
}
