/**
 * Looks at every page in light, dark and at the width of a small phone. With POSTRIDER_SCREENSHOTS=FOLDER it also takes
 * pictures of them all and leaves them there.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETUP_TOKEN } from '../support/secret-key.ts';
import { runAxe } from './axe.ts';
import { furnish } from './pages.ts';
import { CHROMIUM, type Visitor, World } from './world.ts';

const PICTURES = process.env.POSTRIDER_SCREENSHOTS;
const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 320, height: 640 };

describe.skipIf(CHROMIUM === null)('every page', () => {
  let world: World;
  let seen: Awaited<ReturnType<typeof walk>>;

  beforeAll(async () => {
    world = await World.start();
    if (PICTURES) await mkdir(PICTURES, { recursive: true });
    seen = await walk(world);
  }, 600_000);
  afterAll(() => world.stop());

  it('has no serious accessibility problem, in light and in dark', () => {
    expect(seen.problems).toEqual([]);
    // Whoever checks nothing finds nothing.
    expect(seen.checked).toBeGreaterThan(200);
  });

  it('fits on a small phone without scrolling sideways', () => {
    expect(seen.tooWide).toEqual([]);
  });

  it('does nothing that its policy forbids, and throws nothing', () => {
    expect(seen.complaints).toEqual([]);
  });
});

const BEFORE_SET_UP = [
  ['set-up-without-link', '/'],
  ['setup', `/#setup=${SETUP_TOKEN}`],
] as const;
const BEFORE_SIGN_IN = ['/sign-in', '/reset-password', '/reset-password?token=x', '/nowhere'];

/** Every page is opened once and looked at in light, in dark and at the width of a phone. */
async function walk(world: World) {
  const found = { problems: [] as string[], tooWide: [] as string[], complaints: [] as string[], checked: 0 };
  const look = async (visitor: Visitor, name: string, shows?: string) => {
    await lookAt(visitor, name, found);
    if (PICTURES) await takePictures({ world, visitor, name, folder: PICTURES }, shows);
  };
  const stranger = await world.visitor();
  for (const [name, path] of BEFORE_SET_UP) {
    await stranger.open(path);
    await look(stranger, name);
  }
  const owner = await world.owner();
  for (const path of BEFORE_SIGN_IN) {
    await stranger.page.goto(path);
    await stranger.page.locator('h1, h2').first().waitFor();
    await look(stranger, path.replace(/\W+/g, '-').slice(1));
  }
  for (const page of await furnish(world, owner)) {
    await owner.page.setViewportSize(DESKTOP);
    await owner.open(page.path);
    await page.act?.(owner);
    await owner.page.getByText(page.ready).locator('visible=true').first().waitFor();
    await look(owner, page.name, page.shows);
  }
  const unproven = await world.unproven(owner, 'by-hand@example.org');
  await unproven.open('/');
  await unproven.button('Email me a link').waitFor();
  await look(unproven, 'unproven-note');
  await unproven.open('/confirm-address?token=x');
  await unproven.button('Yes, confirm').waitFor();
  await look(unproven, 'confirm-address');
  for (const visitor of [owner, stranger, unproven]) found.complaints.push(...visitor.complaints);
  return found;
}

interface Found {
  readonly problems: string[];
  readonly tooWide: string[];
  checked: number;
}

async function lookAt({ page }: Visitor, name: string, found: Found): Promise<void> {
  await page.setViewportSize(DESKTOP);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Only the colours differ in the dark.
    const { violations, passes } = await runAxe(page, colorScheme === 'dark' ? ['color-contrast'] : null);
    found.checked += passes;
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        found.problems.push(
          ...nodes.map(({ html }) => `${name}, ${colorScheme}: ${id}: ${html.slice(0, 160)}`),
        );
  }
  await page.setViewportSize(PHONE);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > PHONE.width) found.tooWide.push(`${name}: ${width}`);
}

interface Sitting {
  readonly world: World;
  readonly visitor: Visitor;
  readonly name: string;
  readonly folder: string;
}

async function takePictures({ world, visitor, name, folder }: Sitting, shows?: string): Promise<void> {
  const { page } = visitor;
  const picture = async (kind: string) => {
    const image = await page.screenshot({ animations: 'disabled' });
    await writeFile(path.join(folder, `${name}-${kind}.webp`), await toWebp(world, image));
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
async function toWebp(world: World, png: Buffer): Promise<Buffer> {
  const studio = await world.visitor();
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
