/** Options of the programs that play and fuzz: one that makes no sense ends with a sentence, as a run of nothing would look like success. */
import process from 'node:process';
import { parseArgs } from 'node:util';

export function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

export function optionsOf(options, numbers) {
  const values = parsed(options);
  for (const [name, least] of Object.entries(numbers)) {
    const value = values[name];
    const form = Number.isInteger(least) ? /^\d{1,15}$/u : /^\d{1,15}(\.\d+)?$/u;
    if (value !== undefined && !(form.test(value) && Number(value) >= least))
      refuse(`--${name} is a ${Number.isInteger(least) ? 'whole number' : 'number'} from ${least} on, not "${value}"`);
  }
  return values;
}

function parsed(options) {
  try {
    return parseArgs({ options }).values;
  } catch (cause) {
    const names = Object.keys(options).map((name) => `--${name}`);
    return refuse(`${cause.message.split(/\.\s|\n/u)[0].replace(/\.$/u, '')}. The options are ${names.join(', ')}.`);
  }
}
