/** Exports everything that commands need to build replies. */
export * from '../chat/command-line.js';
export * from './answers.js';
export * from './blocks.js';
export * from './charts.js';
export * from './errors.js';
export * from './find-proposal.js';
export * from './lists.js';
export * from './options.js';
export * from './project-fields.js';
export * from './proposals.js';
export * from './tables.js';
export * from './times.js';
export * from './views.js';
export * from './wallet-summary.js';
export * from './wallets.js';
