/** The parts of the site, in the order that readers need them, and the pages of each. */
import path from 'node:path';
import type { Page } from './page.ts';
import { targetOf } from './sources.ts';

interface Entry {
  readonly path: string;
  readonly title: string;
}

export interface Section {
  readonly title: string;
  /** What its title leads to. */
  readonly path: string;
  readonly entries: readonly Entry[];
  /** Searches prefer what people use to what explains how it is built. */
  readonly weight: number;
}

interface Plan {
  readonly title: string;
  readonly path: string;
  /** Its pages; those that its index names come first, under the name that they have there. */
  readonly folder?: string;
  readonly more?: readonly string[];
  readonly weight: number;
}

/** By task, in the order in which most readers meet them. */
const PLANS: readonly Plan[] = [
  { title: 'Start', path: 'start/index', folder: 'start', more: ['concepts'], weight: 2 },
  { title: 'Send', path: 'send/index', folder: 'send', weight: 1.6 },
  { title: 'Receive', path: 'receive/index', folder: 'receive', weight: 1.5 },
  { title: 'Track', path: 'track/index', folder: 'track', weight: 1.5 },
  { title: 'Domains', path: 'domains/index', folder: 'domains', weight: 1.5 },
  { title: 'Migrate', path: 'migrate/index', folder: 'migrate', weight: 1.4 },
  { title: 'Deploy', path: 'deploy/index', folder: 'deploy', weight: 1.5 },
  { title: 'Operate', path: 'operate/index', folder: 'operate', weight: 1.4 },
  { title: 'Scale', path: 'scale/index', folder: 'scale', weight: 1.2 },
  {
    title: 'Reference',
    path: 'reference/index',
    folder: 'reference',
    more: ['clients/javascript', 'clients/python', 'clients/php', 'security', 'changelog'],
    weight: 0.9,
  },
  { title: 'Project', path: 'internals/index', folder: 'internals', weight: 0.4 },
  { title: 'Decisions', path: 'decisions/index', folder: 'decisions', weight: 0.3 },
];

export function sectionsOf(pages: readonly Page[]): Section[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return PLANS.filter((plan) => byPath.has(plan.path)).map((plan) => ({
    title: plan.title,
    path: plan.path,
    weight: plan.weight,
    entries: entriesOf(plan, pages, byPath),
  }));
}

/** A page that is in two has its home in the one that lists it and is not a single page. */
export function sectionOf(sections: readonly Section[], { path: wanted }: Page): Section | undefined {
  const home = wanted.split('/')[0];
  const listing = sections.filter(({ entries }) => entries.some((entry) => entry.path === wanted));
  return (
    listing.find((section) => section.path.split('/')[0] === home) ??
    listing[0] ??
    sections.find((section) => section.path === wanted)
  );
}

function entriesOf(plan: Plan, pages: readonly Page[], byPath: ReadonlyMap<string, Page>): Entry[] {
  if (plan.folder === undefined) return [];
  const index = byPath.get(`${plan.folder}/index`);
  const named = index ? namedBy(index, pages) : [];
  const others = pages.filter(
    (page) => page.path.startsWith(`${plan.folder}/`) || plan.more?.includes(page.path),
  );
  const known = new Set([...named.map((entry) => entry.path), index?.path]);
  return [...named, ...others.filter((page) => !known.has(page.path)).map(asEntry)];
}

/** The lists of an index say what belongs together, and in which order. */
function namedBy(index: Page, pages: readonly Page[]): Entry[] {
  const bySource = new Map(pages.map((page) => [page.source, page]));
  const links = index.markdown.matchAll(/^[-*] \[([^\]]+)\]\(([^)#\s]+)\)/gm);
  return [...links].flatMap(([, title = '', link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const page = bySource.get(targetOf(index.source, link));
    return page ? [{ path: page.path, title: title.replaceAll('`', '') }] : [];
  });
}

function asEntry(page: Page): Entry {
  const number = /^(\d{4})-/.exec(path.posix.basename(page.path))?.[1];
  const title = page.title.replace(/^\d+[.:]\s*/, '');
  return { path: page.path, title: number === undefined ? title : `${number} ${title}` };
}
