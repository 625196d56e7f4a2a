/**
 * Tags the version of package.json: `node .ci/tag.mjs`. With `--dry-run` it only says what it would do, and with `--notes` it prints the
 * changes of this version. It refuses whenever the tag would not be what people install.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

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

function main(flags) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const sections = sectionsOf(readFileSync('CHANGELOG.md', 'utf8'));
  const notes = sections.find((section) => section.version === version)?.notes ?? '';
  if (flags.includes('--notes')) {
    console.log(notes);
    return notes === '' ? 1 : 0;
  }
  const faults = faultsOf({
    version,
    locked: [lock.version, lock.packages[''].version],
    sections,
    today: new Date().toISOString().slice(0, 10),
    status: git('status', '--porcelain'),
    tags: git('tag', '--list').split('\n'),
  });
  for (const fault of faults) console.error(`tag: ${fault}`);
  if (faults.length > 0) return 1;
  const isDry = flags.includes('--dry-run');
  if (!isDry) git('tag', '--annotate', '--cleanup=verbatim', '--message', `Navwatch ${version}\n\n${notes}`, `v${version}`);
  console.log(`${isDry ? 'would tag' : 'tagged'} ${git('rev-parse', '--short', 'HEAD')} as v${version}; then: git push origin v${version}`);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = main(process.argv.slice(2));
