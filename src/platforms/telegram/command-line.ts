/** Command line meant for this bot. */

export interface BotIdentity {
  readonly me: number;
  readonly username: string;
  readonly commands: ReadonlySet<string>;
}

/** Every private chat begins with it. */
const START = 'start';

/** All text in private; elsewhere a command, or what follows the bot's name. */
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
