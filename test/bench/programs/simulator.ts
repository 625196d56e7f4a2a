/** The embedded analytics service in a process of its own, so that the bot's process is measured alone. Arguments: pace, API key. */
import { systemClock } from '../../../src/base/clock.js';
import { memoryJournal } from '../../../src/simulator/journal.js';
import { startSimulator } from '../../../src/simulator/server.js';
import { answerCalls } from './calls.js';

const [pace = '1', apiKey = ''] = process.argv.slice(2);
const simulator = await startSimulator({ seed: 'bench', pace: Number(pace), clock: systemClock, journal: memoryJournal(), apiKey });
answerCalls({ url: simulator.url, projects: simulator.world.projects.map(({ slug }) => slug) }, {});
