/** What is installed and shipped: exact versions, an integrity for each package, licences that were agreed to, images by digest. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { files, read } from './repository.js';

const versions = z.record(z.string(), z.string());
const manifest = z
  .object({ dependencies: versions, optionalDependencies: versions, devDependencies: versions })
  .parse(JSON.parse(read('package.json')));
const lockedSchema = z.object({
  version: z.string(),
  license: z.string().optional(),
  dev: z.boolean().default(false),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  hasInstallScript: z.boolean().default(false),
});
const lockfile = z
  .object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(read('package-lock.json')));

/** Every package but our own, by its folder; the last part of the path is its name. */
const locked = Object.entries(lockfile.packages)
  .filter(([path]) => path !== '')
  .map(([path, entry]) => ({ path, name: path.replace(/^.*node_modules\//u, ''), ...lockedSchema.parse(entry) }));

/** Each may be used and shipped with this program as it is; MPL-2.0 asks for the sources of its own files, which the registry has; CC-BY-4.0 (a table of browsers, of a tool) for its name. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
];
/** Their package.json has the old field `licenses`, which npm does not read; both files say MIT. */
const STATED: Readonly<Record<string, string>> = { busboy: 'MIT', streamsearch: 'MIT' };

const licenceOf = ({ name, license }: (typeof locked)[number]): string => license ?? STATED[name] ?? 'unknown';

/** `A AND B` needs both, `A OR B` one; nothing here nests. */
const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/gu, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => ALLOWED.includes(one)));

test('every dependency has an exact version', () => {
  const all = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies });
  expect(all.length).toBeGreaterThan(30);
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(version))).toEqual([]);
});

test('every locked package has an integrity, and none names a host of its own', () => {
  expect(locked.length).toBeGreaterThan(300);
  expect(locked.filter(({ integrity }) => !/^sha512-[\w+/]{86}==$/u.test(integrity ?? '')).map(({ path }) => path)).toEqual([]);
  const elsewhere = locked.filter(({ resolved }) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'));
  expect(elsewhere.map(({ path }) => path)).toEqual([]);
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies }))
    expect([name, locked.find(({ path }) => path === `node_modules/${name}`)?.version]).toEqual([name, version]);
});

test('only packages that were agreed to run a script when they are installed', () => {
  const { allowScripts } = z.object({ allowScripts: z.record(z.string(), z.boolean()) }).parse(JSON.parse(read('package.json')));
  const running = new Set(locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name));
  // Optional, and of one operating system: npm never installs it on another.
  running.delete('fsevents');
  expect([...running].filter((name) => !(name in allowScripts))).toEqual([]);
});

test('every package has a licence that is allowed', () => {
  for (const bad of ['unknown', 'GPL-3.0', 'MIT AND GPL-3.0', 'GPL-2.0 OR AGPL-3.0', 'SEE LICENSE IN LICENSE'])
    expect(isAllowed(bad)).toBe(false);
  expect(locked.filter((one) => !isAllowed(licenceOf(one))).map((one) => `${one.path}: ${licenceOf(one)}`)).toEqual([]);
});

function page(): string {
  const shipped = locked.filter(({ dev }) => !dev);
  const licences = [...new Set(shipped.map(licenceOf))].toSorted();
  const rows = licences.map((licence) => {
    const names = [...new Set(shipped.filter((one) => licenceOf(one) === licence).map(({ name, version }) => `${name} ${version}`))];
    return `| ${licence} | ${names.toSorted().join(', ')} |`;
  });
  return `# Licences

Generated from \`package-lock.json\` (\`npm run generate\`). The packages that a build for production installs, on any operating system, by licence. Packages that only build and test the bot are not shipped; a test holds them to the same list of allowed licences:
${ALLOWED.join(', ')}.

| licence | packages |
| --- | --- |
${rows.join('\n')}
`;
}

// A file snapshot: run with `--update` it writes the page, else it compares.
test('docs/licences.md lists every package that is shipped', async () => {
  await expect(page()).toMatchFileSnapshot('../../docs/licences.md');
});

const compose = z
  .object({ services: z.record(z.string(), z.object({ image: z.string().optional() })) })
  .parse(parse(read('compose.yaml'), { merge: true }));

test('every image is named by version and digest', () => {
  const built = files.filter((file) => /(?:^|\/)Dockerfile/u.test(file)).flatMap((file) => [...read(file).matchAll(/^FROM (\S+)/gmu)]);
  const images = [...built.map(([, image = '']) => image), ...Object.values(compose.services).flatMap(({ image }) => image ?? [])];
  expect(images.length).toBeGreaterThanOrEqual(4);
  // The bot's own image is the one that is built from this tree, or whichever release the operator names.
  const others = images.filter((image) => !image.startsWith('${NAVWATCH_IMAGE:-navwatch:'));
  expect(others.filter((image) => !/^[a-z]+:\d+\.\d+\.?\d*-bookworm(?:-slim)?@sha256:[0-9a-f]{64}$/u.test(image))).toEqual([]);
});

test('the image has only packages that the bot runs with, and their list', () => {
  const dockerfile = read('Dockerfile');
  // test/install/rehearse.sh runs it, looks at what is left, and starts the bot on that.
  expect(dockerfile).toMatch(/^RUN npm run build && node build\.mjs --runtime$/mu);
  expect(dockerfile.indexOf('build.mjs --runtime')).toBeLessThan(dockerfile.indexOf('npm sbom'));
  expect(dockerfile).toMatch(/npm sbom --omit=dev --sbom-format=cyclonedx > sbom\.cdx\.json/u);
  expect(dockerfile).toMatch(/^COPY --from=build \/app\/sbom\.cdx\.json \.\/$/mu);
});
