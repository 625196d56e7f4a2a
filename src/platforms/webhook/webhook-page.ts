/** Serves the Webhooks page. */
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { operatorPage } from '../operator-page.js';

export function webhookPage(): Hono {
  const root = fileURLToPath(new URL('page', import.meta.url));
  const app = new Hono();
  app.get('/', async (c) =>
    c.html(
      operatorPage({
        title: 'Webhooks',
        form: { title: 'New endpoint', fields, button: 'Create endpoint' },
        secret: {
          title: 'Signing secret',
          hint: 'It is shown only now. Store it where the receiver checks signatures; if it is lost, rotate it.',
        },
        list: 'Endpoints',
        more,
        script: '/operator/webhook/webhooks.js',
      }),
    ),
  );
  app.get('/webhooks.js', serveStatic({ root, path: 'webhooks.js' }));
  return app;
}

const fields = html`<div>
    <label for="url">URL</label>
    <input
      id="url"
      type="text"
      inputmode="url"
      required
      maxlength="2000"
      autocapitalize="none"
      spellcheck="false"
      placeholder="https://example.com/hooks/navwatch"
      aria-describedby="url-hint"
    />
  </div>
  <div>
    <label for="format">Format</label>
    <select id="format">
      <option value="standard">Signed JSON, for a program</option>
      <option value="slack">Slack</option>
      <option value="discord">Discord</option>
      <option value="ntfy">ntfy</option>
      <option value="apprise">Apprise</option>
      <option value="matrix">Matrix</option>
    </select>
  </div>
  <p id="url-hint" class="hint">Alerts are sent there as signed JSON. It must answer with a 2xx status within 15 seconds.</p>`;

const more = html`<template id="endpoint">
    <li>
      <article>
        <h3></h3>
        <p class="url"><code></code></p>
        <p class="state"></p>
        <p class="hint old" hidden></p>
        <div class="actions">
          <a class="alerts">Alerts</a>
          <button type="button" data-action="test">Send a sample event</button>
          <button type="button" data-action="edit">Edit</button>
          <button type="button" data-action="rotate">Rotate secret</button>
          <button type="button" data-action="disable">Disable</button>
          <button type="button" data-action="enable">Enable</button>
          <button type="button" data-action="remove">Remove</button>
        </div>
        <p class="result" role="status"></p>
      </article>
    </li>
  </template>

  <dialog id="edit" aria-labelledby="edit-title">
    <form id="edit-form" autocomplete="off">
      <h2 id="edit-title"></h2>
      <div>
        <label for="edit-name">Name</label>
        <input id="edit-name" type="text" maxlength="60" />
      </div>
      <div>
        <label for="edit-url">URL</label>
        <input id="edit-url" type="text" inputmode="url" maxlength="2000" autocapitalize="none" spellcheck="false" />
      </div>
      <p class="hint" id="edit-hint"></p>
      <p id="edit-trouble" class="trouble" role="alert"></p>
      <div class="row">
        <button type="button" class="quiet" id="edit-cancel">Cancel</button>
        <button type="submit">Save</button>
      </div>
    </form>
  </dialog>

  <dialog id="sure" aria-labelledby="sure-title">
    <form method="dialog">
      <h2 id="sure-title"></h2>
      <p id="sure-says"></p>
      <div class="row">
        <button type="submit" class="quiet" value="no">Cancel</button>
        <button type="submit" value="yes" id="sure-yes"></button>
      </div>
    </form>
  </dialog>`;
