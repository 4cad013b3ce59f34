/**
 * Examines every page of the dashboard: accessibility, width on a small phone, errors in the console. With POSTRIDER_SCREENSHOTS=FOLDER
 * it also takes pictures of all of them and leaves them there.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SETUP_TOKEN } from '../support/secret-key.ts';
import { runAxe } from './axe.ts';
import { BrowserFixture, type Visitor } from './fixture.ts';
import { furnish, furnishOrdinaryDay } from './pages.ts';

const PICTURES = process.env.POSTRIDER_SCREENSHOTS;
const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 320, height: 640 };

const BEFORE_SET_UP = [
  ['set-up-without-link', '/'],
  ['setup', `/#setup=${SETUP_TOKEN}`],
] as const;
const BEFORE_SIGN_IN = ['/sign-in', '/reset-password', '/reset-password?token=x', '/nowhere'];

export type Theme = 'light' | 'dark';

/**
 * Opens every page once and examines it at the width of a phone and in one theme: the themes take turns, and `first` says which one the
 * first page gets.
 */
export async function walkEveryPage(fixture: BrowserFixture, first: Theme): Promise<Found> {
  const inTurns = themesInTurns(first);
  const found: Found = { problems: [], tooWide: [], complaints: [], checked: 0 };
  if (PICTURES) {
    await mkdir(PICTURES, { recursive: true });
    await pictureOrdinaryDay(PICTURES);
  }
  const look = async (visitor: Visitor, name: string, shows?: string) => {
    await examine({ visitor, name, theme: inTurns() }, found);
    if (PICTURES) await takePictures({ fixture, visitor, name, folder: PICTURES }, shows);
  };
  const stranger = await fixture.visitor();
  for (const [name, path] of BEFORE_SET_UP) {
    await stranger.open(path);
    await look(stranger, name);
  }
  const owner = await fixture.owner();
  for (const path of BEFORE_SIGN_IN) {
    await stranger.page.goto(path);
    await stranger.page.locator('h1').first().waitFor();
    await look(stranger, path.replace(/\W+/g, '-').slice(1));
  }
  for (const page of await furnish(fixture, owner)) {
    await owner.page.setViewportSize(DESKTOP);
    await owner.open(page.path);
    await page.act?.(owner);
    await owner.page.getByText(page.ready).locator('visible=true').first().waitFor();
    await look(owner, page.name, page.shows);
  }
  const unproven = await fixture.unproven(owner, 'by-hand@example.org');
  await unproven.open('/');
  await unproven.button('Email me a link').waitFor();
  await look(unproven, 'unproven-note');
  await unproven.open('/confirm-address?token=x');
  await unproven.button('Yes, confirm').waitFor();
  await look(unproven, 'confirm-address');
  for (const visitor of [owner, stranger, unproven]) found.complaints.push(...visitor.complaints);
  return found;
}

/** The overview for the README: that of `furnish` shows a problem of every kind. */
async function pictureOrdinaryDay(folder: string): Promise<void> {
  const fixture = await BrowserFixture.start();
  try {
    const visitor = await fixture.owner();
    await furnishOrdinaryDay(fixture, visitor);
    await visitor.open('/');
    await visitor.page.getByText(/^shop\.invalid is not verified/).waitFor();
    await visitor.button('Hide this list').click();
    await takePictures({ fixture, visitor, name: 'ordinary-day', folder });
  } finally {
    await fixture.stop();
  }
}

interface Found {
  readonly problems: string[];
  readonly tooWide: string[];
  readonly complaints: string[];
  checked: number;
}

function themesInTurns(first: Theme): () => Theme {
  let next = first;
  return () => {
    const theme = next;
    next = theme === 'light' ? 'dark' : 'light';
    return theme;
  };
}

interface Examined {
  readonly visitor: Visitor;
  readonly name: string;
  readonly theme: Theme;
}

async function examine({ visitor: { page }, name, theme }: Examined, found: Found): Promise<void> {
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: theme });
  const { violations, passes } = await runAxe(page);
  found.checked += passes;
  for (const { id, nodes } of violations)
    found.problems.push(...nodes.map(({ html }) => `${name}, ${theme}: ${id}: ${html.slice(0, 160)}`));
  await page.setViewportSize(PHONE);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > PHONE.width) found.tooWide.push(`${name}: ${width}`);
}

interface Sitting {
  readonly fixture: BrowserFixture;
  readonly visitor: Visitor;
  readonly name: string;
  readonly folder: string;
}

async function takePictures({ fixture, visitor, name, folder }: Sitting, shows?: string): Promise<void> {
  const { page } = visitor;
  const picture = async (kind: string) => {
    const image = await page.screenshot({ animations: 'disabled' });
    await writeFile(path.join(folder, `${name}-${kind}.webp`), await toWebp(fixture, image));
  };
  const scroll = async () => {
    if (shows !== undefined) await visitor.heading(shows).evaluate((heading) => heading.scrollIntoView());
  };
  await page.emulateMedia({ colorScheme: 'light' });
  await scroll();
  await picture('phone');
  await page.setViewportSize(DESKTOP);
  await scroll();
  await picture('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture('dark');
}

/** The browser itself is the encoder: no picture library is needed. */
async function toWebp(fixture: BrowserFixture, png: Buffer): Promise<Buffer> {
  const studio = await fixture.visitor();
  try {
    const url = await studio.page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.7);
    }, png.toString('base64'));
    return Buffer.from(url.split(',')[1] ?? '', 'base64');
  } finally {
    await studio.context.close();
  }
}
