/** Describes a platform to the bot, and what it is created with. The platform's library is imported only when it is created. */
import { z } from 'zod';
import type { Clock } from '../base/clock.js';
import type { Finding } from '../base/finding.js';
import type { Log } from '../base/log.js';
import { parsedUrl } from '../base/parsed-url.js';
import { serverAddress, type Variables } from '../base/settings.js';
import type { Address } from '../chat/address.js';
import type { Catalogue } from '../chat/catalogue.js';
import type { Pictures } from '../chat/chart.js';
import type { Forwarding } from '../chat/forwarding.js';
import type { Answerer } from '../chat/inbound.js';
import type { Probe } from '../chat/notifier.js';
import type { OnChatEvent, Platform } from '../chat/platform.js';
import type { MessagePreview, PreviewRequest } from '../chat/renderings.js';
import type { Store } from '../store/store.js';
import type { RateLimits } from './limiter/limiter.js';

export interface CheckupContext {
  readonly clock: Clock;
  /** The chat of this platform that gets the operator's notices. */
  readonly operatorChat: Address | undefined;
}

interface PlatformSpec<Shape extends Variables, Settings extends object> {
  readonly name: string;
  readonly title: string;
  readonly variables: Shape;
  /** The setting that enables the platform; if undefined, the platform is always enabled. */
  readonly enabledBy?: keyof Shape & string;
  readonly settings: (env: z.output<z.ZodObject<Shape>>) => Settings | undefined;
  readonly secrets: (settings: Settings) => readonly string[];
  /** The circles that ACCESS may name; `id` is a regular expression. Undefined if nobody can ask on this platform. */
  readonly circles?: { readonly kinds: readonly string[]; readonly id: string };
  /** The word for a chat in texts, because an address does not show whether it is a group or a channel. */
  readonly placeWord: 'channel' | 'chat';
  /** Tells whether a chat of this platform can have the address. */
  readonly isAddress: (chat: Address) => boolean;
  readonly greeting: (chat: Address) => readonly string[];
  /** Returns lines that are printed at the start. */
  readonly startLines?: (settings: Settings) => readonly string[];
  /** Tells whether questions arrive over HTTP, so that several processes can take them. By default they do not. */
  readonly receivesOverHttp?: (settings: Settings) => boolean;
  /** Checks the settings without connecting, and never rejects. */
  readonly checkup?: (settings: Settings, around: CheckupContext) => Promise<readonly Finding[]>;
  /** Absent for a platform whose messages people do not see. */
  readonly preview?: (request: PreviewRequest) => Promise<readonly MessagePreview[]>;
  readonly create: (settings: Settings, deps: PlatformDeps) => Promise<Platform>;
}

export interface ConnectedPlatform {
  readonly name: string;
  readonly title: string;
  readonly settings: object;
  readonly secrets: readonly string[];
  readonly startLines: readonly string[];
  readonly receivesOverHttp: boolean;
  /** True if the platform needs a token. */
  readonly hasToken: boolean;
  checkup(around: CheckupContext): Promise<readonly Finding[]>;
  create(deps: PlatformDeps): Promise<Platform>;
}

export interface PlatformDescriptor extends Pick<
  PlatformSpec<Variables, object>,
  'name' | 'title' | 'variables' | 'circles' | 'placeWord' | 'isAddress' | 'greeting' | 'preview'
> {
  readonly enabledBy?: string | undefined;
  /** Reads the settings. `connected` is undefined without a token. */
  configure(env: unknown): { readonly connected: ConnectedPlatform | undefined } | { readonly issues: readonly z.core.$ZodIssue[] };
}

export function definePlatform<Shape extends Variables, Settings extends object>(spec: PlatformSpec<Shape, Settings>): PlatformDescriptor {
  const { name, title, variables, enabledBy, circles, placeWord, isAddress, greeting, preview } = spec;
  const schema = z.object(variables);
  return {
    name,
    title,
    variables,
    enabledBy,
    circles,
    placeWord,
    isAddress,
    greeting,
    preview,
    configure(env) {
      const read = schema.safeParse(env);
      if (!read.success) return { issues: read.error.issues };
      const settings = spec.settings(read.data);
      if (settings === undefined) return { connected: undefined };
      return {
        connected: {
          name,
          title,
          settings,
          secrets: spec.secrets(settings),
          startLines: spec.startLines?.(settings) ?? [],
          receivesOverHttp: spec.receivesOverHttp?.(settings) ?? false,
          hasToken: enabledBy !== undefined,
          checkup: async (around) => spec.checkup?.(settings, around) ?? [],
          create: async (deps) => spec.create(settings, deps),
        },
      };
    },
  };
}

export interface PlatformDeps {
  readonly catalogue: Catalogue;
  readonly answer: Answerer;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** The platform logs a rejection and reports the event again. */
  readonly onChatEvent: OnChatEvent;
  readonly pictures?: Pictures | undefined;
  /** Called directly before each request. If undefined, the process counts as active. */
  readonly isActive?: (() => boolean) | undefined;
  /** Called with the `Date` header of each response of the platform. */
  readonly onDate?: ((header: string | undefined) => void) | undefined;
  readonly limits?: RateLimits | undefined;
  /** Undefined if only one process uses the store. */
  readonly forwarding?: Forwarding | undefined;
}

export function noticesFinding({ missing, blocked }: Pick<Probe, 'missing' | 'blocked'>): Finding {
  const about = 'notices';
  const remedy = 'add the bot there with the right to post, or correct OPERATOR_CHAT';
  if (blocked === undefined && missing.length === 0) return { mark: 'ok', about, says: 'can be posted to the chat of OPERATOR_CHAT' };
  const because = blocked ?? `missing: ${missing.join(', ')}`;
  return { mark: 'fail', about, says: `cannot be posted to the chat of OPERATOR_CHAT (${because.replace(/\.$/u, '')}); ${remedy}` };
}

/** The paths of the page, the API, feeds, health and metrics, which a platform's URL must not use. */
const TAKEN_PATH = /^\/(?:api\/.*|api|mcp|feeds\/.*|feeds|healthz|readyz|metrics)?$/u;

/** A setting with a public URL. `ports` are those to which the platform delivers; any by default. */
export function publicUrl({
  form,
  without,
  ports,
}: {
  readonly form: string;
  readonly without: string;
  readonly ports?: readonly string[];
}) {
  const fits = (text: string): boolean => {
    const { protocol, port, pathname } = new URL(text);
    const isReached = ports?.includes(port) ?? true;
    return protocol === 'https:' && isReached && /^[\w./-]+$/u.test(pathname) && !TAKEN_PATH.test(pathname);
  };
  return serverAddress(`give ${form}, or leave it out ${without}`)
    .refine(fits, { error: `give ${form}`, when: ({ value }) => parsedUrl(String(value)) !== undefined })
    .optional();
}
