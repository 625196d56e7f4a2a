/** Discord's stand-in and the platform against it, on one hand-turned clock, with real discord.js and loopback in between. */
import { Hono } from 'hono';
import { systemClock } from '../../../src/base/clock.js';
import { closed, listen } from '../../../src/base/http.js';
import type { Log } from '../../../src/base/log.js';
import type { Catalogue } from '../../../src/chat/catalogue.js';
import type { Pictures } from '../../../src/chat/chart.js';
import type { Forwarding } from '../../../src/chat/forwarding.js';
import type { Answerer, Inbound } from '../../../src/chat/inbound.js';
import type { DeliveryRequest } from '../../../src/chat/notifier.js';
import type { ChatEvent, Platform } from '../../../src/chat/platform.js';
import { reply } from '../../../src/chat/reply.js';
import { createDiscord, type Tuning } from '../../../src/platforms/discord/discord.js';
import { definitionsOf } from '../../../src/platforms/discord/register-commands.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { startDiscord } from '../../stand-ins/discord/start.js';
import type { DiscordOptions, DiscordStandIn } from '../../stand-ins/discord/types.js';
import { handClock, type HandClock } from '../../support/clock.js';

export const TOKEN = 'planted.secret.token';

/** An alert with buttons, under its delivery id. */
export const mint = (id: string, extra: Pick<DeliveryRequest, 'earlier'> = {}) => ({
  id,
  reply: reply({
    tone: 'up',
    finding: [{ strong: 'Tidewater minted 486,210 TIDE' }],
    blocks: [{ kind: 'line', line: ['Supply 12.90M → 13.39M'] }],
    actions: [
      { label: 'Mute tide 24 h', line: '/mute tide 24h' },
      { label: 'Why?', line: `/why ${id}` },
    ],
  }),
  ...extra,
});

export interface Line {
  readonly level: string;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface DiscordHarness {
  readonly clock: HandClock;
  readonly discord: DiscordStandIn;
  readonly store: Store;
  readonly guild: string;
  readonly channel: string;
  readonly anna: string;
  /** What was asked, in order. */
  readonly inbounds: Inbound[];
  /** All but arrivals. */
  readonly events: ChatEvent[];
  /** Arrivals, in the order they were alerted. */
  readonly joined: Extract<ChatEvent, { kind: 'joined' }>[];
  readonly lines: Line[];
  platform: Platform;
  /** Resolves with the first logged line of that event, past or to come, that is not among the first so many lines. */
  logged(event: string, after?: number): Promise<Line>;
  /** Resolves when so many questions were put to the answerer. */
  received(count: number): Promise<void>;
  /** Resolves when so many events are alerted. */
  reportedEvents(count: number): Promise<readonly ChatEvent[]>;
  /** Resolves when so many arrivals are alerted. */
  greeted(count: number): Promise<DiscordHarness['joined']>;
  /** Starts the platform and resolves when it is connected and its commands stand. */
  connect(): Promise<void>;
  /** The same store and server after this process was killed and started again. */
  restart(change?: { readonly interactionsUrl: string | undefined }): Promise<void>;
  close(): Promise<void>;
}

export const CATALOGUE: Catalogue = {
  commands: [
    {
      name: 'premium',
      summary: 'How far the price is from NAV',
      options: [
        { name: 'project', summary: 'slug, symbol or name', required: true, completes: true },
        { name: 'range', summary: 'how far back', required: false, completes: false, choices: ['1D', '1W', '1M', '3M', 'ALL'] },
      ],
      examples: ['/premium tide 3M'],
    },
    {
      name: 'watch',
      summary: 'Tell this chat what is new',
      group: 'watching',
      options: [{ name: 'target', summary: 'a project, "all" or "launches"', required: false, completes: true }],
      examples: ['/watch tide'],
    },
    { name: 'status', summary: 'How the bot is doing', group: 'bot', audience: 'asker', options: [], examples: ['/status'] },
    {
      name: 'import',
      summary: 'Read a list',
      group: 'watching',
      options: [
        { name: 'how', summary: 'whether to do it', required: true, completes: false, choices: ['look', 'do'] },
        { name: 'list', summary: 'a list of wallets', required: false, completes: false, file: true },
      ],
      examples: ['/import look'],
    },
    { name: 'why', summary: 'Why an alert came', group: 'watching', personal: true, options: [], examples: ['/why'] },
  ],
  complete: async () => [],
  completeOption: async ({ option, partial }, limit) =>
    ['tide', 'tideway', 'heron']
      .filter((value) => option === 'project' && value.startsWith(partial))
      .slice(0, limit)
      .map((value) => ({ value, label: `${value} (a project)` })),
};

export interface DiscordHarnessOptions {
  readonly answer?: Answerer;
  readonly catalogue?: Catalogue;
  readonly standIn?: Partial<DiscordOptions>;
  readonly guildOnly?: boolean;
  readonly tuning?: Tuning;
  readonly token?: string;
  readonly pictures?: Pictures;
  readonly interactionsUrl?: string;
  readonly mentions?: boolean;
  readonly forwarding?: (deps: { readonly store: Store; readonly clock: HandClock }) => Forwarding;
}

export async function openHarness({
  answer,
  catalogue = CATALOGUE,
  standIn: stand,
  guildOnly = false,
  tuning,
  token = TOKEN,
  pictures,
  interactionsUrl,
  mentions = false,
  forwarding,
}: DiscordHarnessOptions = {}): Promise<DiscordHarness> {
  const clock = handClock();
  const discord = await startDiscord({ token: TOKEN, clock, ...stand });
  const store = await openStore('memory://');
  const { controls } = discord;
  const guild = controls.addGuild({ name: 'Harbour' });
  const channel = controls.addChannel({ guild, name: 'alerts' });
  const anna = controls.addUser({ name: 'anna' });
  const asked: Inbound[] = [];
  const events: ChatEvent[] = [];
  const joined: DiscordHarness['joined'] = [];
  const lines: Line[] = [];
  const watchers = new Set<() => void>();
  const happened = (): void => {
    for (const look of watchers) look();
  };
  const until = async <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const watcher = (): void => {
        const found = look();
        if (found === undefined) return;
        watchers.delete(watcher);
        resolve(found);
      };
      watchers.add(watcher);
      watcher();
    });
  const write =
    (level: string) =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      lines.push({ level, event, fields });
      happened();
    };
  const log: Log = { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };

  let postedTo = interactionsUrl;
  const open = (): Platform =>
    createDiscord({
      token,
      apiUrl: discord.url,
      catalogue,
      store,
      clock,
      log,
      pictures,
      guildId: guildOnly ? guild : undefined,
      interactionsUrl: postedTo,
      mentions,
      forwarding: forwarding?.({ store, clock }),
      ...(tuning === undefined ? {} : { tuning }),
      answer: async (inbound) => {
        asked.push(inbound);
        happened();
        return (answer ?? echo)(inbound);
      },
      onChatEvent: async (alerted) => {
        if (alerted.kind === 'joined') joined.push(alerted);
        else events.push(alerted);
        happened();
      },
    });

  const harness: DiscordHarness = {
    clock,
    discord,
    store,
    guild,
    channel,
    anna,
    inbounds: asked,
    events,
    joined,
    lines,
    platform: open(),
    logged: async (event, after = 0) => until(() => lines.slice(after).find((line) => line.event === event)),
    received: async (count) => {
      await until(() => (asked.length >= count ? true : undefined));
    },
    reportedEvents: async (count) => until(() => (events.length >= count ? events : undefined)),
    greeted: async (count) => until(() => (joined.length >= count ? joined : undefined)),
    async connect() {
      const from = lines.length;
      harness.platform.start();
      await until(() => lines.slice(from).find(({ event }) => event === 'discord.connected'));
      await controls.waitFor(
        () => controls.commands(guildOnly ? guild : undefined).length === definitionsOf(catalogue.commands, undefined).length,
      );
    },
    async restart(change) {
      await harness.platform.stop();
      if (change !== undefined) postedTo = change.interactionsUrl;
      harness.platform = open();
    },
    async close() {
      discord.controls.faults.clear();
      await harness.platform.stop();
      await discord.close();
      await store.close();
    },
  };
  return harness;
}

const echo: Answerer = async ({ ask }) => reply({ finding: [{ strong: 'line' in ask ? ask.line : ask.command }] });

/** The HTTP server of the bot, at which Discord posts interactions; it outlives the processes behind it. */
export async function openPublicServer(
  current: () => DiscordHarness | undefined,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const app = new Hono();
  app.all('*', async (c) => current()?.platform.routes?.app.fetch(c.req.raw) ?? c.body(null, 502));
  const { server, url } = await listen(app, { host: '127.0.0.1', port: 0 });
  return { url: `${url}discord`, close: async () => closed(server, { clock: systemClock }) };
}

export { textOf } from '../../stand-ins/discord/shown.js';
