import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../spec/index.ts';
import { html, ownText } from './base/markup.ts';
import type { Markup } from './base/markup.ts';

/** The style and the script of the page, with a policy by which a browser runs and loads nothing else. */
export function assets(): { readonly policy: Markup; readonly style: Markup; readonly script: Markup } {
  const [style, script] = [ownFile('page.css'), ownFile('page.js')];
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return {
    // A policy is ours: what it quotes need not be escaped twice.
    policy: html`<meta http-equiv="Content-Security-Policy" content="${ownText(policy)}" />`,
    // Not one character may be added: the hash is of all that is between the tags.
    style: ownText(`<style>${style}</style>\n`),
    script: ownText(`<script>${script}</script>\n`),
  };
}

/** As a browser has it: line ends of a checkout are its own. */
function ownFile(name: string): string {
  return readFileSync(packageFile(`reporters/page/browser/${name}`), 'utf8').replaceAll('\r\n', '\n');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
