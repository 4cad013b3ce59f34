/** A block of code, coloured when the site is made: browsers get classes, and nothing to run. */
import highlighter from 'highlight.js/lib/common';
import { escapeHtml } from '../../src/runtime/escape-html.ts';

/** What the pages call a language, where the library calls it something else. */
const NAMES: Readonly<Record<string, string>> = {
  sh: 'bash',
  console: 'bash',
  dotenv: 'ini',
  properties: 'ini',
  html: 'xml',
};

/** `info` is what stands behind the fence: a language, and the name of its tab in a group (`sh [curl]`). */
export function codeBlock(code: string, info: string): string {
  const [, language = '', label] = /^(\S*)(?:\s+\[(.+)\])?/.exec(info.trim()) ?? [];
  const text = code.replace(/\n$/, '');
  const pre = `<pre tabindex="0"><code>${coloured(text, NAMES[language] ?? language)}</code></pre>`;
  if (label === undefined) return `<div class="code">${pre}</div>\n`;
  const name = escapeHtml(label);
  return `<div class="code" data-label="${name}"><p class="code-label">${name}</p>${pre}</div>\n`;
}

function coloured(code: string, language: string): string {
  if (highlighter.getLanguage(language) === undefined) return escapeHtml(code);
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}
