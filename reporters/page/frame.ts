import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../spec/index.ts';
import { html, type Markup, nothing, ownText } from './markup.ts';
import { looks, states } from './states.ts';

/** What a page has around its content. */
interface Frame {
  readonly title: string;
  /** The text of its style, or a file of the same site that has it. */
  readonly style: { readonly text: string } | { readonly file: string };
  /** The text of its script; absent where it has none. */
  readonly script?: string;
  /** What made it, for a program that finds it. */
  readonly generator?: string;
}

/** The head of a page, with a policy by which a browser runs and loads nothing but its own style and script. */
export function headOf({ title, style, script, generator }: Frame): Markup {
  const policy = [
    "default-src 'none'",
    // To some browsers a file beside the page is no part of the page's own place.
    `style-src ${'text' in style ? hashOf(style.text) : "'self' file:"}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // A policy is ours: what it quotes need not be escaped twice.
  return html`<head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${ownText(policy)}" />
    ${generator === undefined ? nothing : html`<meta name="generator" content="${generator}" />`}
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    ${'text' in style ? ownText(`<style>${style.text}</style>`) : html`<link rel="stylesheet" href="${style.file}" />`}
  </head> `;
}

/** The script of a page, at its end. Not one character may be added: the policy has the hash of all that is between the tags. */
export function scriptElement(script: string): Markup {
  return ownText(`<script>${script}</script>\n`);
}

/** The style that every page has. */
export function pageStyle(): string {
  return ownFile('reporters/page/browser/page.css');
}

/** The script of pages with a {@link toolbar}. */
export function pageScript(): string {
  return ownFile('reporters/page/browser/page.js');
}

/** A file of this package as a browser has it: line ends of a checkout are its own. */
export function ownFile(path: string): string {
  return readFileSync(packageFile(path), 'utf8').replaceAll('\r\n', '\n');
}

/** Search and filters. The script shows it: without it there is nothing to search with. */
export function toolbar(): Markup {
  const boxes = states.map(
    (state) =>
      html`<label class="box ${state}"
        ><input type="checkbox" name="state" value="${state}" />
        <span aria-hidden="true">${looks[state].sign}</span> ${looks[state].name} <span class="count"></span
      ></label>`,
  );
  const levels = ['must', 'inferred', 'silent'].map(
    (level) => html`<option value="${level}">${level}</option>`,
  );
  return html`<div id="toolbar" role="search" hidden>
    <label class="find"
      ><span>Search</span>
      <input
        id="text"
        type="search"
        autocomplete="off"
        spellcheck="false"
        placeholder="clause, check, text  ( / )"
    /></label>
    <fieldset>
      <legend>Verdict</legend>
      ${boxes}
    </fieldset>
    <label class="pick"
      ><span>Level</span>
      <select id="level">
        <option value="">every level</option>
        ${levels}
      </select></label
    >
    <button type="button" id="clear">clear</button> <output id="matches" for="text level"></output>
  </div> `;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
