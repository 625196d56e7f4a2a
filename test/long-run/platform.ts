/** A platform that accepts everything and keeps nothing but the command lines of buttons, as Telegram must. */
import type { Reply } from '../../src/chat/reply.js';
import { openActions, type Actions } from '../../src/platforms/button-payloads.js';
import type { ConnectedPlatform, PlatformDeps } from '../../src/platforms/descriptor.js';
import { withoutSettings } from '../simulation/platform/platform.js';

export interface AcceptingPlatform {
  readonly connected: ConnectedPlatform;
  /** What the bot gives it; undefined before it is created. */
  readonly deps: () => PlatformDeps | undefined;
  /** As it is shown. */
  show(reply: Reply): Promise<void>;
  readonly counts: () => Readonly<Record<'messages' | 'edits', number>>;
}

/** Of Telegram's callback data, https://core.telegram.org/bots/api#inlinekeyboardbutton */
const PAYLOAD_BYTES = 64;

export function acceptingPlatform(name: string): AcceptingPlatform {
  let given: PlatformDeps | undefined;
  let actions: Actions | undefined;
  let messages = 0;
  let edits = 0;
  const show = async (reply: Reply): Promise<void> => {
    for (const { line } of reply.actions) await actions?.payload(line, PAYLOAD_BYTES);
  };
  return {
    deps: () => given,
    show,
    counts: () => ({ messages, edits }),
    connected: {
      ...withoutSettings(name),
      async create(deps) {
        given = deps;
        actions = openActions(deps.store, deps.clock);
        return {
          start: () => {},
          stop: async () => {},
          notifier: {
            platform: name,
            knowsRepeats: true,
            async deliver(_, { reply }) {
              await show(reply);
              messages += 1;
              return { kind: 'sent', messageId: String(messages) };
            },
            async revise(_, { reply }) {
              await show(reply);
              edits += 1;
              return { kind: 'edited' };
            },
            probe: async () => ({ missing: [] }),
            diagnose: async () => ({ ok: true, says: 'simulated' }),
          },
        };
      },
    },
  };
}
