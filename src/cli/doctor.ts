/** `npm run --silent doctor` examines configuration, tokens, store and service. */
import { parseArgs } from 'node:util';
import { programLine } from '../base/program-line.js';
import { runDoctor } from '../app.js';
import { gravity, type Finding } from '../base/finding.js';
import { redactor } from '../base/redact.js';
import { ConfigError, misspeltText, secretsOf, type Config } from '../config.js';
import { nearUrl, printable, runIfMain, withHelp } from './terminal.js';

const USAGE = `Usage: ${programLine('doctor', '[--only config,platforms,store,service] [--project <slug>] [--yes] [--budget <calls>] [--names] [--json] [--url http://127.0.0.1:8787]')}`;

type Examination = Parameters<typeof runDoctor>[1];
type Part = Parameters<Examination['onFinding']>[0];
type RowReport = Parameters<Examination['onRow']>[0];

const TITLES: Readonly<Record<Part, string>> = {
  config: 'Configuration',
  platforms: 'Tokens and rights',
  store: 'Store',
  service: 'Service',
};
const isPart = (word: string): word is Part => Object.hasOwn(TITLES, word);

const SIGNS: Readonly<Record<Finding['mark'], string>> = { ok: '✓', warn: '⚠', fail: '✗', none: '·' };

export interface DoctorTerminal {
  readonly config: () => Config;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly overrides?: Parameters<typeof runDoctor>[2];
}

/** Exits with 0, with 1 for warnings, 2 for failures. */
export async function doctor(argv: readonly string[], { config: load, out, err, overrides }: DoctorTerminal): Promise<0 | 1 | 2> {
  const asked = parse(argv);
  if (typeof asked === 'string') {
    err(asked);
    return 2;
  }
  let redact = redactor([]);
  const found: { part: Part; finding: Finding }[] = [];
  const rows: RowReport[] = [];
  const print = (text: string): void => {
    if (!asked.json) out(printable(redact(text)));
  };
  const onFinding = (part: Part, finding: Finding): void => {
    if (found.at(-1)?.part !== part) print(`${found.length === 0 ? '' : '\n'}${TITLES[part]}`);
    found.push({ part, finding });
    print(`  ${SIGNS[finding.mark]} ${finding.about.padEnd(18)} ${finding.says}`);
  };
  const config = configured(load, (finding) => onFinding('config', finding));
  let walked: Awaited<ReturnType<typeof runDoctor>>;
  if (config !== undefined) {
    redact = redactor(secretsOf(config));
    if (asked.parts.has('config')) for (const finding of settings(config)) onFinding('config', finding);
    const examination: Examination = {
      parts: asked.parts,
      project: asked.project,
      projects: config.projects,
      agreed: asked.yes,
      most: asked.budget,
      bot: neighbour(asked.url ?? nearUrl(config.http), config.http.consoleToken),
      onFinding,
      onRow(report) {
        rows.push(report);
        // Operations that were not called are summarised by reason elsewhere.
        if (report.status !== 'not asked') for (const line of lines(report, asked.names)) print(line);
      },
    };
    walked = await runDoctor(config, examination, overrides);
  }
  const marks = [...found.map(({ finding }) => finding), ...rows];
  const code = gravity(marks);
  const summary = conclude(code, { found: found.map(({ finding }) => finding), rows });
  print(`\n${summary}`);
  if (asked.json) {
    const service = walked === undefined ? undefined : { project: walked.project, calls: walked.calls, rows };
    out(
      JSON.stringify(redact({ exit: code, summary, findings: found.map(({ part, finding }) => ({ part, ...finding })), service }), null, 2),
    );
  }
  return code;
}

const PATIENCE = 5_000;

/** Asks the running bot. An unhealthy one answers 503 with the same body, which is accepted. */
function neighbour(url: string | undefined, token: string | undefined): Examination['bot'] {
  if (url === undefined) return undefined;
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> =>
    (await fetch(`${url}${path}`, { headers, redirect: 'error', signal: AbortSignal.timeout(PATIENCE) })).json();
  return {
    url,
    health: async () => get('/healthz'),
    refusedFiles: async () => get('/api/operator/watchlists', token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}

interface DoctorArguments {
  readonly parts: ReadonlySet<Part>;
  readonly project: string | undefined;
  readonly yes: boolean;
  readonly budget: number | undefined;
  readonly names: boolean;
  readonly json: boolean;
  readonly url: string | undefined;
}

function parse(argv: readonly string[]): DoctorArguments | string {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        only: { type: 'string' },
        project: { type: 'string' },
        yes: { type: 'boolean', default: false },
        budget: { type: 'string' },
        names: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        url: { type: 'string' },
      },
    });
    const words = (values.only ?? Object.keys(TITLES).join()).split(',').map((word) => word.trim());
    const stranger = words.find((word) => !isPart(word));
    if (stranger !== undefined) return `doctor: --only knows ${Object.keys(TITLES).join(', ')}, not ${JSON.stringify(stranger)}\n${USAGE}`;
    if (values.budget !== undefined && !/^[1-9]\d{0,8}$/u.test(values.budget))
      return `doctor: --budget takes a number of calls, such as 20\n${USAGE}`;
    if (values.url !== undefined && !/^https?:\/\//u.test(values.url))
      return `doctor: --url takes an address such as http://127.0.0.1:8787\n${USAGE}`;
    return {
      project: values.project,
      yes: values.yes,
      names: values.names,
      json: values.json,
      parts: new Set(words.filter(isPart)),
      budget: values.budget === undefined ? undefined : Number(values.budget),
      url: values.url?.replace(/\/+$/u, ''),
    };
  } catch (cause) {
    return `doctor: ${cause instanceof Error ? cause.message : 'the options are not understood'}\n${USAGE}`;
  }
}

function configured(load: () => Config, onFinding: (finding: Finding) => void): Config | undefined {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const line of error.message.split('\n')) {
      const [, about = 'config', says = line] = /^config: ([^:]+): (.*)$/u.exec(line) ?? [];
      onFinding({ mark: 'fail', about, says });
    }
    return undefined;
  }
}

/** Lists the settings without secrets. */
function settings({ analytics, storePlace, platforms, http, operatorChat, heartbeatUrl, misspelt }: Config): readonly Finding[] {
  const chats = [...platforms.flatMap(({ hasToken, title }) => (hasToken ? [title] : [])), 'the local page'];
  const { baseUrl, requestsPerMonth } = analytics;
  const month = requestsPerMonth === undefined ? 'no monthly limit' : `${requestsPerMonth} calls a month`;
  return [
    {
      mark: 'ok',
      about: 'service',
      says: `${baseUrl === undefined ? 'embedded, with invented projects' : new URL(baseUrl).host}, ${month}`,
    },
    { mark: 'ok', about: 'store', says: storePlace },
    { mark: 'ok', about: 'chats', says: `${chats.join(', ')}; HTTP on ${http.host}:${http.port}` },
    ...misspelt.map((one): Finding => ({ mark: 'warn', about: 'setting', says: misspeltText(one) })),
    ...noticeSettings({ platforms, operatorChat, heartbeatUrl }),
  ];
}

function noticeSettings({
  platforms,
  operatorChat,
  heartbeatUrl,
}: Pick<Config, 'platforms' | 'operatorChat' | 'heartbeatUrl'>): readonly Finding[] {
  const [name = ''] = operatorChat?.split('/') ?? [];
  const platform = platforms.find((one) => one.name === name);
  const notices: Finding =
    platform === undefined
      ? { mark: 'fail', about: 'notices', says: `OPERATOR_CHAT is on ${name}, which has no token, so no notice is sent` }
      : { mark: 'ok', about: 'notices', says: `go to a chat on ${platform.title}` };
  return [
    ...(operatorChat === undefined ? [] : [notices]),
    ...(heartbeatUrl === undefined
      ? []
      : [{ mark: 'ok', about: 'heartbeat', says: `${new URL(heartbeatUrl).host} is called each minute while all is well` } as const]),
  ];
}

/** Returns the lines of an operation, with field names if requested or if something is missing. */
function lines(report: RowReport, names: boolean): readonly string[] {
  const { id, spec, mark, status, milliseconds, rows, broken = 0, fields, says } = report;
  const time = milliseconds === undefined ? '' : `${milliseconds} ms`;
  const count = rows === undefined ? '' : `${rows} ${rows === 1 ? 'row' : 'rows'}`;
  const notes = [
    ...(says === undefined ? [] : [says]),
    ...(broken === 0 ? [] : [`${broken} unreadable`]),
    ...(fields === undefined || fields.missing.length === 0 ? [] : [`missing ${fields.missing.join(', ')}`]),
    ...(fields === undefined
      ? []
      : [
          ...(fields.found.length === 0 ? [] : [`${fields.found.length} stated`]),
          ...(fields.guessed.length === 0 ? [] : [`${fields.guessed.length} guessed`]),
          ...(fields.unexpected.length === 0 ? [] : [`${fields.unexpected.length} unexpected`]),
        ]),
  ];
  const line = `  ${SIGNS[mark]} ${id.padEnd(30)} ${spec.padEnd(6)} ${status.padEnd(11)} ${time.padStart(8)} ${count.padStart(9)}  ${notes.join('; ')}`;
  const below = (title: string, all: readonly string[] = []) => (names && all.length > 0 ? [`      ${title}: ${all.join(', ')}`] : []);
  return [line, ...below('guessed', fields?.guessed), ...below('unexpected', fields?.unexpected), ...below('doubtful', fields?.doubtful)];
}

function conclude(code: 0 | 1 | 2, { found, rows }: { found: readonly Finding[]; rows: readonly RowReport[] }): string {
  const of = (mark: Finding['mark']): number => [...found, ...rows].filter((one) => one.mark === mark).length;
  const isRunning = found.some(({ about, mark }) => about === 'running bot' && mark !== 'none');
  if (code === 0)
    return isRunning ? 'No problems found. The bot is running.' : `No problems found. Start the bot with: ${programLine('start')}`;
  const worst = code === 2 ? 'fail' : 'warn';
  const first = [...found, ...rows].find(({ mark }) => mark === worst);
  const name = first === undefined ? '' : 'about' in first ? first.about : first.id;
  const many = `Errors: ${of('fail')}, warnings: ${of('warn')}`;
  return code === 2
    ? `${many}. Fix "${name}" (${SIGNS.fail}) first, as its line says, and run the doctor again.`
    : `${many}. The bot can run; check "${name}" (${SIGNS.warn}) next.`;
}

await runIfMain(import.meta.url, withHelp(USAGE, doctor));
