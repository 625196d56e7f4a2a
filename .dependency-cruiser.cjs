/**
 * Who may import whom, one way and closed by default: what no line of `modules` allows is refused, and a folder without a line may import nothing.
 * docs/architecture.md draws the imports that exist.
 */

/** Module -> the modules it may import. A module may always import itself, except that one platform never imports another. */
const modules = {
  base: [],
  domain: ['base'],
  store: ['domain', 'base'],
  chat: ['domain', 'base'],
  charts: ['chat', 'domain', 'base'],
  analytics: ['store', 'domain', 'base'],
  feeds: ['analytics', 'chat', 'domain', 'base'],
  alerts: ['store', 'chat', 'domain', 'base'],
  reply: ['analytics', 'chat', 'domain', 'base'],
  sources: ['analytics', 'store', 'chat', 'domain', 'base'],
  reading: ['chat', 'domain', 'base'],
  dispatch: ['reading', 'reply', 'sources', 'analytics', 'alerts', 'chat', 'domain', 'base'],
  sweeps: ['feeds', 'analytics', 'store', 'domain', 'base'],
  jobs: ['sweeps', 'feeds', 'alerts', 'analytics', 'store', 'chat', 'domain', 'base'],
  inbound: ['store', 'chat', 'domain', 'base'],
  platforms: ['charts', 'store', 'chat', 'domain', 'base'],
  operations: ['jobs', 'sweeps', 'alerts', 'feeds', 'sources', 'analytics', 'store', 'chat', 'domain', 'base'],
  simulator: ['store', 'domain', 'base'],
  cli: ['base'],
};

/** Modules that import only these files of another: its port and its lists, not how it works. */
const ports = [
  { module: 'alerts', imports: '^src/feeds/(feed|event-content|alert-kind|index)[.]ts$' },
  { module: 'simulator', imports: '^src/analytics/(endpoints/.+|endpoint-row|paging|wire-values)[.]ts$' },
];

/** Beside the modules. Only `app.ts` with its folder knows every module, and only `main.ts` and `cli/` know `app.ts`. */
const files = [
  { from: '^src/main[.]ts$', to: '^src/(app[.]ts$|config[.]ts$|base/)' },
  { from: '^src/app([.]ts$|/)', to: '^src/(config[.]ts$|[^/]+/)' },
  { from: '^src/config[.]ts$', to: '^src/(config/|domain/|base/|platforms/(index|descriptor)[.]ts$|store/open[.]ts$)' },
  { from: '^src/config/', to: '^src/(domain/|base/)' },
  // The list of platforms imports only their descriptors.
  { from: '^src/platforms/index[.]ts$', to: '^src/platforms/[^/]+/descriptor[.]ts$' },
  { from: '^src/cli/', to: '^src/((app|config)[.]ts$|operations/backup/|dispatch/(plain-words|registry)[.]ts$)' },
];

/** Package -> the place that may import it, so that replacing it means opening one folder. */
const owners = {
  'discord.js': '^src/platforms/discord/',
  grammy: '^src/platforms/telegram/',
  keyv: '^src/store/',
  '@keyv/sqlite': '^src/store/',
  '@keyv/postgres': '^src/store/',
  '@keyv/redis': '^src/store/',
  pg: '^src/store/',
  '@redis/client': '^src/store/',
  undici: '^src/base/(http-client|undici-parts[.]d)[.]ts$',
  'node-cron': '^src/jobs/',
  'prom-client': '^src/operations/metrics/',
  standardwebhooks: '^src/platforms/webhook/',
  'ical-generator': '^src/platforms/api/',
  feed: '^src/platforms/api/',
  '@modelcontextprotocol/sdk': '^src/(platforms/api|cli)/',
};

/** The whole of a package -> the entry that has what we use of it, and loads in a tenth of the time and memory. */
const narrow = {
  'grammy/out/mod': 'grammy/web',
  'chrono-node/dist/esm/index': 'chrono-node/en',
};

/** Folders of `alerts`, in the order in which an alert passes them. */
const alertsOneWay = [
  { folders: ['rules', 'watchlist', 'checks'], not: ['queue', 'evaluation', 'corrections', 'delivery', 'explanation'] },
  { folders: ['queue'], not: ['evaluation', 'corrections', 'delivery', 'explanation'] },
  { folders: ['evaluation'], not: ['corrections', 'delivery', 'explanation'] },
  { folders: ['corrections', 'delivery'], not: ['explanation'] },
];

const pageAddress = '^/page/';
const escaped = (text) => text.replaceAll('.', '[.]');
const either = (names) => `(${names.map(escaped).join('|')})`;
const ours = `^(src/(${Object.keys(modules).join('|')})/|src/app/|src/config/|src/(main|app|config)[.]ts$|commands/)`;

module.exports = {
  allowedSeverity: 'error',
  allowed: [
    { from: { path: '^src/platforms/([^/]+)/' }, to: { path: '^src/platforms/$1/' } },
    // What several platforms share is beside their folders, the limiter in its own.
    { from: { path: '^src/platforms/' }, to: { path: '^src/platforms/([^/]+[.]ts$|limiter/)' } },
    // A browser loads the console's scripts by their address; `npm run check:page` finds those that are missing.
    { from: { path: '^src/platforms/[^/]+/page/' }, to: { path: `${pageAddress}(dom|operator-page)[.]js$` } },
    ...Object.entries(modules).map(([name, others]) => ({
      from: { path: `^src/${name}/` },
      to: { path: `^src/${either(name === 'platforms' ? others : [name, ...others])}/` },
    })),
    // The files of one command's folder import one another; what two commands share is in src.
    { from: { path: '^commands/([^/]+)/' }, to: { path: '^commands/$1/' } },
    {
      from: { path: '^commands/' },
      to: { path: `^src/${either(['dispatch', 'reply', 'sources', 'analytics', 'alerts', 'chat', 'domain', 'base'])}/` },
    },
    ...ports.map(({ module, imports }) => ({ from: { path: `^src/${module}/` }, to: { path: imports } })),
    ...files.map(({ from, to }) => ({ from: { path: from }, to: { path: to } })),
    { from: { path: ours }, to: { dependencyTypes: ['core', 'npm', 'npm-optional'] } },
  ],
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle has no first file to read. Move what both need to the lower of the two modules.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing-unresolved',
      comment: 'This import leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: pageAddress },
    },
    ...alertsOneWay.map(({ folders, not }) => ({
      name: `alerts-one-way-${folders[0]}`,
      comment: 'What an alert passes later knows what it passed before, never the other way.',
      severity: 'error',
      from: { path: `^src/alerts/${either(folders)}/` },
      to: { path: `^src/alerts/${either(not)}/` },
    })),
    ...Object.entries(owners).map(([name, place]) => ({
      name: `one-owner-of-${name.replaceAll(/[^a-z.-]/g, '-')}`,
      comment: `Only ${place} may import ${name}; use that module's port instead.`,
      severity: 'error',
      from: { pathNot: place },
      to: { path: `(^|node_modules/)${escaped(name)}(/|$)` },
    })),
    ...Object.entries(narrow).map(([whole, entry]) => ({
      name: `narrow-entry-${entry.replaceAll('/', '-')}`,
      comment: `Import from ${entry}; the whole package takes megabytes of memory.`,
      severity: 'error',
      from: { path: ours },
      to: { path: `node_modules/${escaped(whole)}[.]` },
    })),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
