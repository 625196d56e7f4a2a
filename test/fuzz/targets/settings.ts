/** Every variable of the environment with odd text: a configuration, or complaints that name the variable and quote no secret. */
import { ConfigError, readConfig, secretsOf, SECTIONS } from '../../../src/config.js';
import { redactor } from '../../../src/base/redact.js';
import { hintOf } from '../../../src/base/settings.js';
import type { Target } from '../fuzz.js';

const variables = SECTIONS.flatMap(({ variables: of }) =>
  Object.entries(of).map(([name, schema]) => ({ name, example: hintOf(schema).example ?? 'x' })),
);
const SECRET = /TOKEN$|KEY$|^STORE_URL$|^HEARTBEAT_URL$/u;
/** An environment may hold no more. */
const MAX_ENVIRONMENT = 128 * 1024;
const PLANTED = 'planted-secret-4711';

const all = Object.fromEntries(variables.map(({ name, example }) => [name, example]));

function settingsIn(input: string): Readonly<Record<string, string>> | undefined {
  try {
    const read: unknown = JSON.parse(input);
    if (typeof read !== 'object' || read === null) return undefined;
    return Object.fromEntries(
      Object.entries(read).map(([name, value]: [string, unknown]) => [
        name,
        typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
      ]),
    );
  } catch {
    return undefined;
  }
}

export async function settings(): Promise<Target> {
  const singles = variables.map(({ name, example }) => JSON.stringify({ [name]: example }));
  return {
    name: 'settings',
    json: true,
    inputs: [
      ...singles,
      JSON.stringify(all),
      JSON.stringify({
        STORE_URL: `postgres://navwatch:${PLANTED}@db.example:5432/navwatch`,
        HEARTBEAT_URL: `https://hc.example/${PLANTED}`,
      }),
    ],
    words: ['://', '@', ':', '%', ...variables.map(({ name }) => name)],
    async run(input) {
      const env = input.length > MAX_ENVIRONMENT ? undefined : settingsIn(input);
      if (env === undefined) return 'no settings';
      try {
        const config = readConfig(env);
        redactor(secretsOf(config))({ config });
        return 'configured';
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        // What stands in a setting that is none may be quoted.
        const isElsewhere = Object.entries(env).some(([name, value]) => !SECRET.test(name) && value.includes(PLANTED));
        if (!isElsewhere && error.message.includes(PLANTED))
          throw new Error(`a complaint quotes a secret: ${error.message}`, { cause: error });
        if (!error.message.split('\n').every((line) => line.startsWith('config: ')))
          throw new Error(`a complaint has lines of its own: ${error.message}`, { cause: error });
        return 'refused';
      }
    },
  };
}
