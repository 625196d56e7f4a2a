/** Decides who may open which part of the console, and logs operators in. */
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import { isInstalled, programLine } from '../../base/program-line.js';
import { pageHead } from '../operator-page.js';
import { isThisMachine, type OperatorLogin } from '../../base/http-callers.js';

/** Who may ask without a login: nobody, or this machine. `isPortLocal` is the parameter of `isThisMachine`. */
export type OpenTo = 'nobody' | { readonly isPortLocal: boolean };

const LOGIN = programLine('login');
/** Strangers see this text, so it must not name the folder of an installed package. */
const BY_LINE = isInstalled() ? 'Run the line that the bot printed after "login" when it started' : undefined;
const HOW = `${BY_LINE ?? `Run "${LOGIN}" where the bot runs`} and open the link that it prints.`;
const NEEDS_LOGIN = `This needs a login. ${HOW} Programs send "Authorization: Bearer" with CONSOLE_TOKEN, or with the token in the file console-token of the data folder.`;

/** Lets people pass who may ask. Others get 401 under /api/ and the login page elsewhere. */
export const askersOnly =
  (login: OperatorLogin, openTo: OpenTo): MiddlewareHandler =>
  async (c, next) =>
    login.isOperator(c) || (openTo !== 'nobody' && isThisMachine(c, openTo)) ? next() : refuse(c);

/** Lets operators pass. A request from this machine needs a login too, because a proxy without headers looks like this machine. */
export const operatorsOnly =
  (login: OperatorLogin): MiddlewareHandler =>
  async (c, next) =>
    login.isOperator(c) ? next() : refuse(c);

function refuse(c: Context): Response {
  const { path } = c.req;
  if (!path.startsWith('/api/')) return c.redirect(path === '/' ? '/login' : `/login?to=${encodeURIComponent(path)}`, 303);
  c.header('WWW-Authenticate', 'Bearer');
  return c.json({ error: NEEDS_LOGIN }, 401);
}

/** `POST /api/operator/code` gives the code of a login link; the page at `/login` takes it, or the token. */
export function loginRoutes(app: Hono, login: OperatorLogin): void {
  app.use('/login', bodyLimit({ maxSize: 4_096 }));
  app.get('/login', async (c) => c.html(form({ to: target(c.req.query('to')), complaint: '' })));
  app.post('/login', async (c) => {
    const { token, to } = await c.req.parseBody();
    if (typeof token === 'string' && login.logIn(c, token.trim())) return c.redirect(target(to), 303);
    return c.html(form({ to: target(to), complaint: 'That is not the token, or the link was used or is older than ten minutes.' }), 401);
  });
  app.post('/api/operator/code', (c) => c.json({ code: login.giveCode() }));
}

/** Returns only paths of this site, to prevent open redirects. */
const target = (path: unknown): string => (typeof path === 'string' && /^\/operator(\/[a-z]+)?$/u.test(path) ? path : '/');

const form = ({ to, complaint }: { readonly to: string; readonly complaint: string }) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        ${pageHead({ title: 'Log in', script: '/page/login.js' })}
      </head>
      <body class="door">
        <main>
          <h1><img src="/page/icon.svg" alt="" width="28" height="28" />Navwatch</h1>
          <p class="hint">
            ${to === '/' ? 'This page' : 'The operator view'} needs a login.
            ${BY_LINE ?? html`Run <code>${LOGIN}</code> where the bot runs`} and open the link that it prints, or enter the token.
          </p>
          <form id="login" method="post" action="/login" enctype="multipart/form-data">
            <input type="hidden" name="to" value="${to}" />
            <label for="token">Token</label>
            <input id="token" name="token" type="password" autocomplete="current-password" required autofocus />
            <button type="submit">Log in</button>
            <p class="trouble" role="alert">${complaint}</p>
          </form>
        </main>
      </body>
    </html>`;
