/** What is around the text of every page. It works without a script; `browser/` adds search, themes and tabs. */
import { escapeHtml } from '../../src/runtime/escape-html.ts';
import type { Assets } from './assets.ts';
import type { Links } from './links.ts';
import { type Section, sectionOf } from './navigation.ts';
import type { Heading, Page } from './page.ts';

interface Frame {
  readonly links: Links;
  readonly sections: readonly Section[];
  readonly assets: Assets;
  /** Beside a dashboard, and an OpenAPI document of its own. */
  readonly isServed: boolean;
}

export function layOut(page: Page, html: string, headings: readonly Heading[], frame: Frame): string {
  const section = sectionOf(frame.sections, page);
  const to = (file: string) => frame.links.toFile(page.path, file);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.path === 'index' ? 'Postrider' : `${page.title} · Postrider`)}</title>
<link rel="icon" href="${to(frame.assets.icon)}" type="image/svg+xml">
<link rel="stylesheet" href="${to(frame.assets.style)}">
<link rel="alternate" type="text/markdown" href="${to(`${page.path}.md`)}">
<script src="${to(frame.assets.theme)}"></script>
<script type="module" src="${to(frame.assets.script)}"></script>
</head>
<body data-root="${to('')}" data-search="${to(frame.assets.search)}"${frame.isServed ? ' data-served' : ''}>
<a class="skip" href="#content">Skip to the text</a>
${header(page, frame)}
<div class="columns">
<main id="content" tabindex="-1">
<article>
${html}</article>
${footer(page, section, frame)}
</main>
${contents(headings)}
${navigation(page, section, frame)}
</div>
</body>
</html>
`;
}

function header(page: Page, { links, isServed }: Frame): string {
  return `<header>
<a class="brand" href="${links.between(page.path, 'index')}">Postrider <span>Docs</span></a>
<button type="button" class="search-button" data-opens="search" hidden>Search <kbd>/</kbd></button>
<span class="grow"></span>
${isServed ? '<a class="to-dashboard" href="/">Dashboard</a>' : ''}
<button type="button" class="theme-button" data-theme-button hidden>Theme</button>
<a class="menu-button" href="#menu" data-menu-button>Menu</a>
</header>`;
}

function navigation(page: Page, current: Section | undefined, frame: Frame): string {
  const items = frame.sections.map((section) => {
    const isOpen = section === current && section.entries.length > 0;
    // A page that is also in the list of its section is marked there.
    const isListed = current !== undefined && listed(current).some(({ path }) => path === section.path);
    const own = link(page, section, frame, !isListed);
    if (!isOpen) return `<li>${own}</li>`;
    const entries = listed(section).map((entry) => `<li>${link(page, entry, frame)}</li>`);
    return `<li class="open">${own}<ul>${entries.join('\n')}</ul></li>`;
  });
  return `<nav id="menu" class="menu" aria-label="Documentation" tabindex="-1">
<ul>
${items.join('\n')}
</ul>
</nav>`;
}

/** The index of a section is its title; a page that only stands for it is one among others. */
function listed({ path: own, entries }: Section): readonly Section['entries'][number][] {
  return entries.filter(({ path }) => path !== own || !path.endsWith('/index'));
}

function link(
  page: Page,
  { path, title }: { path: string; title: string },
  { links }: Frame,
  mayBeCurrent = true,
): string {
  const current = mayBeCurrent && path === page.path ? ' aria-current="page"' : '';
  return `<a href="${links.between(page.path, path)}"${current}>${escapeHtml(title)}</a>`;
}

function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-labelledby="on-this-page">
<p id="on-this-page">On this page</p>
<ul>
${items.join('\n')}
</ul>
</nav>`;
}

function footer(page: Page, section: Section | undefined, frame: Frame): string {
  const entries = section?.entries ?? [];
  const at = entries.findIndex(({ path }) => path === page.path);
  const beside = (entry: (typeof entries)[number] | undefined, kind: string, word: string) =>
    entry && at >= 0
      ? `<a class="${kind}" href="${frame.links.between(page.path, entry.path)}"><span>${word}</span> ${escapeHtml(entry.title)}</a>`
      : '';
  return `<footer>
<p class="beside">${beside(entries[at - 1], 'previous', 'Previous:')}${beside(entries[at + 1], 'next', 'Next:')}</p>
<p><a href="${frame.links.toFile(page.path, `${page.path}.md`)}">This page as Markdown</a></p>
</footer>`;
}
