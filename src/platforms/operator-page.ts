/** Builds the operator's pages that create and list records: head, form, the secret that is shown once, and list. */
import { html, raw } from 'hono/html';

type Html = ReturnType<typeof html>;

export interface OperatorForm {
  readonly title: string;
  /** Further links in the header, after those of every page. */
  readonly links?: Html;
  /** The fields come before the button; the last one has the hint. */
  readonly form: { readonly title: string; readonly fields: Html; readonly button: string };
  /** The box for the secret, which is shown once. */
  readonly secret: { readonly title: string; readonly hint: string };
  readonly list: string;
  /** Templates and dialogs. */
  readonly more?: Html;
  readonly script: string;
}

interface Head {
  readonly title: string;
  readonly styles?: readonly string[];
  readonly script?: string;
}

/** Returns the content of a page's `head`, the same on all platforms' pages. */
export const pageHead = ({ title, styles = [], script }: Head): Html =>
  html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · Navwatch</title>
    <link rel="icon" href="/page/icon.svg" />
    ${['base.css', ...styles].map((file) => html`<link rel="stylesheet" href="/page/${file}" />`)}
    ${
      // `raw` avoids a script end tag in the template, for which some compilers need a helper.
      script === undefined ? '' : raw(`<script type="module" src="${script}"></script>`)
    }`;

/** Builds the page. Its script finds the elements with `console/page/operator-page.js`. */
export const operatorPage = ({ title, links, form, secret, list, more, script }: OperatorForm): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        ${pageHead({ title, styles: ['operator.css', 'operator-page.css'], script })}
      </head>
      <body class="operator records">
        <header class="top">
          <h1>${title}</h1>
          <nav aria-label="Page"><a href="/">Conversation</a><a href="/operator">All chats</a>${links ?? ''}</nav>
        </header>
        <main>
          <section aria-labelledby="new-title">
            <h2 id="new-title">${form.title}</h2>
            <form id="new" autocomplete="off">
              <div>
                <label for="name">Name</label>
                <input id="name" type="text" maxlength="60" placeholder="desk" />
              </div>
              ${form.fields}
              <button type="submit">${form.button}</button>
            </form>
            <p id="trouble" class="trouble" role="alert"></p>
          </section>

          <section id="secret" class="secret" aria-labelledby="secret-title" hidden>
            <h2 id="secret-title" tabindex="-1">${secret.title}</h2>
            <p id="secret-says" hidden></p>
            <div class="entry">
              <code id="secret-text"></code>
              <button type="button" id="copy">Copy</button>
              <button type="button" id="hide">Hide</button>
            </div>
            <p class="hint">${secret.hint}</p>
          </section>

          <section aria-labelledby="all-title">
            <h2 id="all-title">${list}</h2>
            <p id="count" role="status" tabindex="-1"></p>
            <ul id="all"></ul>
          </section>
        </main>
        ${more ?? ''}
      </body>
    </html>`;
