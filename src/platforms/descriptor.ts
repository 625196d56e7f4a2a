/** What the rest of the bot knows of a platform. Its library is loaded by `checkup` and `create` only, so these import dynamically. */
import { z } from 'zod';
import type { Clock } from '../base/clock.js';
import type { Finding } from '../base/finding.js';
import type { Variables } from '../base/settings.js';
import type { Address } from '../chat/address.js';
import type { Platform } from '../chat/platform.js';
import type { PlatformDeps } from './deps.js';

interface PlatformSpec<Shape extends Variables, Settings extends object> {
  /** The first part of its addresses. */
  readonly name: string;
  /** As people write it. */
  readonly title: string;
  /** Its environment variables, each made with `setting`. */
  readonly variables: Shape;
  /** The variable that connects it. */
  readonly enabledBy: keyof Shape & string;
  /** Undefined where `enabledBy` is not set: the platform is not connected. */
  readonly settings: (env: z.output<z.ZodObject<Shape>>) => Settings | undefined;
  /** What must never be shown. */
  readonly secrets: (settings: Settings) => readonly string[];
  /** What ACCESS may list, `user` among it, and the form of an id as a regular expression. */
  readonly circles: { readonly kinds: readonly string[]; readonly id: string };
  /** Sentences that the greeting adds in such a chat. */
  readonly greeting: (chat: Address) => readonly string[];
  /** Asks the platform about the token without connecting. Never rejects. */
  readonly checkup: (settings: Settings, clock: Clock) => Promise<readonly Finding[]>;
  readonly create: (settings: Settings, deps: PlatformDeps) => Promise<Platform>;
}

/** A platform with the settings that connect it. */
export interface ConnectedPlatform {
  readonly name: string;
  readonly title: string;
  readonly settings: object;
  readonly secrets: readonly string[];
  checkup(clock: Clock): Promise<readonly Finding[]>;
  create(deps: PlatformDeps): Promise<Platform>;
}

export interface PlatformDescriptor extends Pick<PlatformSpec<Variables, object>, 'name' | 'title' | 'variables' | 'circles' | 'greeting'> {
  readonly enabledBy: string;
  /** Reads its variables. `connected` is undefined where it is not connected; `issues` say what is wrong with the variables. */
  configure(env: unknown): { readonly connected: ConnectedPlatform | undefined } | { readonly issues: readonly z.core.$ZodIssue[] };
}

/** Binds what is particular to a platform's settings, so that a list of platforms has one type. */
export function definePlatform<Shape extends Variables, Settings extends object>(spec: PlatformSpec<Shape, Settings>): PlatformDescriptor {
  const { name, title, variables, enabledBy, circles, greeting } = spec;
  const schema = z.object(variables);
  return {
    name,
    title,
    variables,
    enabledBy,
    circles,
    greeting,
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
          checkup: async (clock) => spec.checkup(settings, clock),
          create: async (deps) => spec.create(settings, deps),
        },
      };
    },
  };
}
