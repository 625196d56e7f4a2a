import { register } from 'node:module';

register('../../support/child/hooks.mjs', import.meta.url);
// Registered last, asked first.
register('./hooks.mjs', import.meta.url);
