/** The pages behind the unsubscribe link: no scripts, no external resources, accessible. */
import { createHash } from 'node:crypto';
import { DEFAULT_GROUP } from '../protocols/message/tracking-token.ts';
import { escapeHtml } from '../runtime/escape-html.ts';

export interface Page {
  readonly title: string;
  /** HTML. */
  readonly body: string;
}

/** Colours have a contrast of at least 7:1 in both schemes. */
const STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --back: #ffffff; --accent: #0b4f9e; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #eceef0; --back: #16181a; --accent: #a8cbff; --on-accent: #101418; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--back); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
p { margin: 0 0 1.5rem; overflow-wrap: anywhere; }
button { min-height: 2.75rem; padding: 0.5rem 1.25rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 2px solid var(--accent); border-radius: 0.375rem; }
button.quiet { color: var(--accent); background: transparent; }
button:focus-visible { outline: 3px solid var(--text); outline-offset: 3px; }
`;

export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  // The URL of the page authorises unsubscribing, so it must not be cached.
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
};

/** The recipient and the kind of mail. */
interface Subject {
  readonly address: string;
  readonly group: string;
}

/** `action` is needed when the page's URL is not the one that unsubscribes. */
export function askPage({ address, group }: Subject, action: string): Page {
  return {
    title: 'Unsubscribe',
    body: `<p>Should <strong>${escapeHtml(address)}</strong> stop getting ${mailOf(group)} from this sender?</p>
<p>${STILL_COMES}</p>
${button(action, 'Unsubscribe', false)}`,
  };
}

/** Links are relative, so that they work behind a proxy that adds a path prefix. */
export function unsubscribedPage({ address, group }: Subject, token: string): Page {
  return {
    title: 'You are unsubscribed',
    body: `<p><strong>${escapeHtml(address)}</strong> will get no more ${mailOf(group)} from this sender. ${STILL_COMES}</p>
<p>Was that a mistake?</p>
${button(`${token}/resubscribe`, 'Subscribe again', true)}`,
  };
}

export function resubscribedPage({ address, group }: Subject, token: string): Page {
  return {
    title: 'You are subscribed again',
    body: `<p><strong>${escapeHtml(address)}</strong> will get ${mailOf(group)} from this sender again.</p>
${button(`../${token}`, 'Unsubscribe', true)}`,
  };
}

const STILL_COMES = 'Other mail, such as receipts or password resets, will still arrive.';

function mailOf(group: string): string {
  return group === DEFAULT_GROUP
    ? 'mail like this one'
    : `mail of the kind <strong>${escapeHtml(group)}</strong>`;
}

export const INVALID_PAGE: Page = {
  title: 'This link does not work',
  body: '<p>It may have been cut off. Please open it again from the mail, or write to the sender.</p>',
};

export const UNAVAILABLE_PAGE: Page = {
  title: 'Please try again in a moment',
  body: '<p>Nothing was changed: we could not save it just now.</p>',
};

export function renderPage({ title, body }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

/** Without `action` the form is submitted to the page's own URL. */
function button(action: string, label: string, quiet: boolean): string {
  const to = action === '' ? '' : ` action="${escapeHtml(action)}"`;
  return `<form method="post"${to}><button${quiet ? ' class="quiet"' : ''}>${label}</button></form>`;
}
