/**
 * Tags the version of package.json: `node .ci/tag.mjs`. With `--dry-run` it only says what it would do, and with `--notes` it prints the
 * changes of this version. It refuses whenever the tag would not be what people install, and arguments that it does not know.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** Gives undefined where git says no, such as outside a checkout. */
function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** What is to be done, or why these arguments are not understood. npm keeps a flag before `--` for itself and only hands it on in the environment. */
export function wishOf(args, env) {
  try {
    const options = { 'dry-run': { type: 'boolean' }, notes: { type: 'boolean' } };
    const { values } = parseArgs({ args, options });
    const isTrue = (name) => env[name] === 'true';
    if (values.notes === true || isTrue('npm_config_notes')) return { wish: 'notes' };
    const isDry = values['dry-run'] === true || isTrue('npm_config_dry_run') || isTrue('npm_config_dryrun');
    return { wish: isDry ? 'dry-run' : 'tag' };
  } catch {
    return { fault: `${args.join(' ')} is not understood; give nothing, --dry-run or --notes` };
  }
}

/** The parts of a changelog by their version, in order. A version without a date has none. */
export function sectionsOf(changelog) {
  const heads = [...changelog.matchAll(/^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/gmu)];
  return heads.map((head, index) => ({
    version: head[1],
    date: head[2],
    notes: changelog.slice(head.index + head[0].length, heads[index + 1]?.index).trim(),
  }));
}

/** Why this state may not be tagged; an empty list where it may. */
export function faultsOf({ version, locked, sections, today, status, tags }) {
  const [unreleased, latest] = sections;
  const faults = [];
  if (!/^\d+\.\d+\.\d+$/u.test(version)) faults.push(`"${version}" is no version of a release, such as 0.2.0`);
  if (locked.some((one) => one !== version)) faults.push('package-lock.json has another version: run npm install --package-lock-only');
  if (unreleased?.version !== 'Unreleased') faults.push('CHANGELOG.md does not begin with [Unreleased]');
  else if (unreleased.notes !== '') faults.push(`CHANGELOG.md has changes under [Unreleased]: move them under [${version}]`);
  if (latest?.version !== version) faults.push(`CHANGELOG.md has no [${version}] below [Unreleased]`);
  else if (latest.date !== today)
    faults.push(`[${version}] in CHANGELOG.md has the date ${latest.date ?? '(none)'}, and today is ${today}`);
  if (status !== '') faults.push('the tree has changes that are not committed');
  if (tags.includes(`v${version}`)) faults.push(`the tag v${version} exists already`);
  return faults;
}

function main(args) {
  const { wish, fault } = wishOf(args, process.env);
  if (wish === undefined) return refuse([fault]);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const sections = sectionsOf(readFileSync('CHANGELOG.md', 'utf8'));
  const notes = sections.find((section) => section.version === version)?.notes ?? '';
  if (wish === 'notes') {
    console.log(notes);
    return notes === '' ? 1 : 0;
  }
  const status = git('status', '--porcelain');
  const commit = git('rev-parse', '--short', 'HEAD');
  if (status === undefined || commit === undefined)
    return refuse(['this folder is no git checkout with a commit; run it where the repository was cloned']);
  const faults = faultsOf({
    version,
    locked: [lock.version, lock.packages[''].version],
    sections,
    today: new Date().toISOString().slice(0, 10),
    status,
    tags: git('tag', '--list')?.split('\n') ?? [],
  });
  if (faults.length > 0) return refuse(faults);
  if (
    wish === 'tag' &&
    git('tag', '--annotate', '--cleanup=verbatim', '--message', `Navwatch ${version}\n\n${notes}`, `v${version}`) === undefined
  )
    return refuse(['git made no tag; set user.name and user.email with git config, then try again']);
  console.log(`${wish === 'tag' ? 'tagged' : 'would tag'} ${commit} as v${version}; then: git push origin v${version}`);
  return 0;
}

function refuse(faults) {
  for (const fault of faults) console.error(`tag: ${fault}`);
  return 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = main(process.argv.slice(2));
