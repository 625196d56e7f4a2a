/** People on Discord who run commands at once, each in a channel of their own. */
import { setTimeout as wait } from 'node:timers/promises';
import { startDiscord } from '../stand-ins/discord/start.js';

const TOKEN = 'torture.discord.token-of-the-stand-in';
/** Manage Channels, View Channel, Send Messages, Use Application Commands. */
const PERMISSIONS = (1n << 4n) | (1n << 10n) | (1n << 11n) | (1n << 31n);
/** Longer than another process takes to be active. */
const PATIENCE = 150_000;

/** Discord waits three seconds for it. */
const ACKNOWLEDGED_WITHIN = 10_000;

export interface Asking {
  readonly said: number;
  /** Discord said at once that the bot did not respond. */
  readonly refused: number;
  /** Acknowledged only. */
  readonly unanswered: number;
}

const within = async (milliseconds: number, work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), wait(milliseconds, false, { ref: false })]);

export async function openDiscordPeople(count: number) {
  const discord = await startDiscord({ token: TOKEN, identifies: 1_000_000 });
  const { controls } = discord;
  const guild = controls.addGuild();
  const role = controls.addRole({ guild, permissions: PERMISSIONS });
  const people = Array.from({ length: count }, () => {
    const user = controls.addUser();
    controls.addMember({ guild, user, roles: [role] });
    return { user, channel: controls.addChannel({ guild }) };
  });
  return {
    env: { DISCORD_TOKEN: TOKEN, DISCORD_API_URL: discord.url },
    connected: async () =>
      controls.waitFor(() => controls.endpoint.url !== undefined && controls.commands().some(({ name }) => name === 'unwatch')),
    /** A change, a question and a change back, of each person. */
    async askAll(project: string): Promise<Asking> {
      const asked = people.flatMap((who) =>
        ['watch', 'premium', 'unwatch'].map(async (command) => {
          const options: Readonly<Record<string, string>> = command === 'premium' ? { project } : { target: project };
          const interaction = controls.slash({ ...who, command, options });
          if (!(await within(ACKNOWLEDGED_WITHIN, interaction.acknowledged()))) return 'refused';
          return (await within(PATIENCE, interaction.reply())) ? 'answered' : 'unanswered';
        }),
      );
      const ends = await Promise.all(asked);
      const count = (end: string): number => ends.filter((one) => one === end).length;
      return { said: ends.length, refused: count('refused'), unanswered: count('unanswered') };
    },
    close: async () => discord.close(),
  };
}
