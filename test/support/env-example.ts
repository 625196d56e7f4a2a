/** `.env.example`, written from the settings and their hints. */
import { hintOf, type Variables } from '../../src/base/settings.js';

const INTRODUCTION = [
  '# Copy to .env and change what you need. Everything is optional: without any of it the bot runs on an embedded',
  '# analytics service with invented projects, and talks to you on a local page.',
  '# Secrets may come from files: DISCORD_TOKEN_FILE=/run/secrets/discord in place of DISCORD_TOKEN, and likewise for',
  '# the other token, ANALYTICS_API_KEY, CONSOLE_TOKEN, STORE_URL and HEARTBEAT_URL.',
  '# Written from the settings of src/config.ts and of the platforms: npm run generate',
].join('\n');

/** Each setting behind one `#`, with its hint above it. */
export const envExample = (sections: readonly { readonly title: string; readonly variables: Variables }[]): string =>
  [INTRODUCTION, ...sections.map(section)].join('\n\n').concat('\n');

const section = ({ title, variables }: { readonly title: string; readonly variables: Variables }): string =>
  [`# --- ${title} ---`, ...Object.entries(variables).flatMap(([name, schema]) => variable(name, schema))].join('\n');

function variable(name: string, schema: Variables[string]): readonly string[] {
  const { says, example = '' } = hintOf(schema);
  return [...says.split('\n').map((line) => `# ${line}`), `#${name}=${example}`];
}
