/** Which of what is said is meant for this bot. Pure. */

/** Who we are there, and which commands there are. */
export interface BotIdentity {
  /** The bot's own number. */
  readonly me: number;
  readonly username: string;
  readonly commands: ReadonlySet<string>;
}

/** Every private chat begins with it, a link to the bot sends it, and clients offer it in groups. */
const START = 'start';

/**
 * The line for this bot in a text. In a private chat that is everything; elsewhere a command of ours, a command with our name behind it,
 * or what follows our name at the beginning. A command with another bot's name is that bot's.
 */
export function commandLineIn(text: string, isPrivate: boolean, { username, commands }: BotIdentity): string | undefined {
  const said = text.trim();
  const [, command, addressee, rest = ''] = /^\/(\w{1,64})(?:@(\w+))?(?=\s|$)(.*)$/su.exec(said) ?? [];
  if (command !== undefined) {
    const mine = addressee?.toLowerCase() === username.toLowerCase();
    if (addressee !== undefined && !mine) return undefined;
    const name = command.toLowerCase();
    return isPrivate || mine || name === START || commands.has(name) ? `/${command}${rest}` : undefined;
  }
  if (isPrivate) return said === '' ? undefined : said;
  const [, name = '', asked = ''] = /^@(\w+)[\s,:]*(.*)$/su.exec(said) ?? [];
  if (name.toLowerCase() !== username.toLowerCase()) return undefined;
  return asked === '' ? '/help' : asked;
}
