/**
 * Counts a test run for `.ci/run`: `tally.mjs <Vitest's JSON report> <name of a failed step> …`. A step that failed, a test file that
 * could not be loaded and a page test that found no browser each count as a failure. The last line is the sum.
 */
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';

const [reportFile, ...failedSteps] = process.argv.slice(2);
const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined;
const files = report?.testResults ?? [];
const tests = files.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: file.name })));
const having = (...states) => tests.filter((test) => states.includes(test.status));

const complaints = [
  ...failedSteps.filter((name) => name !== 'npm test').map((name) => `step failed: ${name}`),
  ...having('failed').map((test) => `test failed: ${test.file}: ${test.fullName}`),
  ...files
    .filter((file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'))
    .map((file) => `could not be run: ${file.name}`),
];

const page = tests.filter((test) => test.file.endsWith('.e2e.test.ts'));
if (page.length === 0 || page.some((test) => test.status !== 'passed' && test.status !== 'failed'))
  complaints.push('the page was not tested in a browser');
// Whatever made the test command fail is told at least once, even when no test did: no report, an error outside of any test.
if ((failedSteps.includes('npm test') || report?.success !== true) && complaints.length === 0) complaints.push('step failed: npm test');

for (const complaint of complaints) console.log(complaint);
const skipped = having('skipped', 'pending', 'todo', 'disabled').length;
console.log(`${having('passed').length} passed, ${complaints.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = complaints.length > 0 ? 1 : 0;
