/**
 * Runs every `check:*` script of package.json side by side, shows what the failing ones said, and ends with one line for each.
 * All of them run even when one fails, so that a single round shows everything there is to mend.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const checks = Object.entries(scripts).filter(([name]) => name.startsWith('check:'));

const run = ([name, command]) =>
  new Promise((resolve) => {
    const started = performance.now();
    const said = [];
    // A package script finds the tools of node_modules/.bin on its PATH, and so does a shell started from one.
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk) => said.push(chunk));
    child.stderr.on('data', (chunk) => said.push(chunk));
    child.on('error', (error) => resolve({ name, failed: true, said: String(error), seconds: 0 }));
    child.on('close', (code) =>
      resolve({ name, failed: code !== 0, said: Buffer.concat(said).toString(), seconds: (performance.now() - started) / 1000 }),
    );
  });

const results = await Promise.all(checks.map(run));
for (const { name, said } of results.filter((result) => result.failed)) console.log(`\n--- ${name}\n${said.trim()}`);
console.log('');
for (const { name, failed, seconds } of results) console.log(`${failed ? 'FAILED' : 'ok    '} ${name} (${seconds.toFixed(1)} s)`);
const failures = results.filter((result) => result.failed).map(({ name }) => `npm run ${name}`);
if (failures.length > 0) console.log(`\nTo see one alone: ${failures.join(', ')}. Formatting is mended by: npm run format`);
process.exitCode = failures.length > 0 || checks.length === 0 ? 1 : 0;
