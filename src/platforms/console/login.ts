/** Console's token: a bearer or a cookie. */
import { createHmac } from 'node:crypto';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { isBearer, isSameSecret } from '../../base/http-callers.js';

const COOKIE = 'navwatch-console';
const MONTH_SECONDS = 30 * 24 * 60 * 60;

/** 401 under /api/, the form elsewhere. */
export function login(token: string): MiddlewareHandler {
  return async (c, next) => {
    const cookie = getCookie(c, COOKIE);
    if (isBearer(c, token) || (cookie !== undefined && isSameSecret(cookie, ticket(token)))) return next();
    if (c.req.path.startsWith('/api/')) {
      c.header('WWW-Authenticate', 'Bearer');
      return c.json({ error: 'This console needs its token: send "Authorization: Bearer" with the value of CONSOLE_TOKEN.' }, 401);
    }
    return c.redirect('/login', 303);
  };
}

export function loginForm(app: Hono, token: string): void {
  app.get('/login', async (c) => c.html(form('')));
  app.post('/login', async (c) => {
    const body = await c.req.parseBody();
    if (typeof body['token'] !== 'string' || !isSameSecret(body['token'].trim(), token))
      return c.html(form('That is not the token. It is the value of CONSOLE_TOKEN in the configuration.'), 401);
    const secure = isSecure(c);
    setCookie(c, COOKIE, ticket(token), { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: MONTH_SECONDS, secure });
    return c.redirect('/', 303);
  });
}

/** The Origin tells, also through a proxy. */
const isSecure = (c: Context): boolean => c.req.header('origin')?.startsWith('https:') ?? false;

/** Cookies reach every port of a host. */
const ticket = (token: string): string => createHmac('sha256', token).update('console cookie').digest('base64url');

const form = (complaint: string) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Navwatch</title>
        <link rel="icon" href="/page/icon.svg" />
        <link rel="stylesheet" href="/page/style.css" />
        <link rel="stylesheet" href="/page/frame.css" />
        <link rel="stylesheet" href="/page/door.css" />
      </head>
      <body class="door">
        <main>
          <h1><img src="/page/icon.svg" alt="" width="28" height="28" />Navwatch</h1>
          <form method="post" action="/login" enctype="multipart/form-data">
            <label for="token">Console token</label>
            <input id="token" name="token" type="password" autocomplete="current-password" required autofocus />
            <button type="submit">Open the console</button>
            <p class="complaint" role="alert">${complaint}</p>
          </form>
        </main>
      </body>
    </html>`;
