import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETUP_TOKEN } from '../support/secret-key.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { runAxe } from './axe.ts';
import { BrowserFixture, CHROMIUM, PASSWORD, type Visitor } from './fixture.ts';

const PICTURES = process.env.POSTRIDER_SCREENSHOTS;

describe.skipIf(CHROMIUM === null)('the first steps', () => {
  let fixture: BrowserFixture;
  let visitor: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    visitor = await fixture.visitor();
  });
  afterAll(() => fixture.stop());

  const step = (title: string) => visitor.page.getByRole('button', { name: new RegExp(`^${title}`) });

  it('lead from the setup link to a message that was read with three clicks', async () => {
    const { page } = visitor;
    await visitor.open(`/#setup=${SETUP_TOKEN}`);
    // The first field has the focus, so nobody has to look for it.
    await page.keyboard.type('ada@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await visitor.button('Create the first user').click();
    await visitor.button('Send me a first message').click();
    await page.getByRole('link', { name: 'Read the message' }).click();
    await visitor.heading('Your first message').waitFor();
  });

  it('show a password that is typed, when asked', async () => {
    const stranger = await fixture.visitor();
    await stranger.open('/sign-in');
    await stranger.field('Password').fill('what I typed');
    expect(await stranger.field('Password').getAttribute('type')).toBe('password');
    await stranger.button('Show password').click();
    expect(await stranger.field('Password').getAttribute('type')).toBe('text');
    await stranger.context.close();
  });

  it('are ticked off by themselves as they get done', async () => {
    const { page } = visitor;
    await visitor.open('/');
    await step('Send a first message \\(done\\)').waitFor();
    await step('Receive events about your mail \\(not done yet\\)').waitFor();
    const receiver = await startWebhookReceiver();
    await visitor.call('POST', '/webhooks', { url: receiver.url });
    await step('Receive events about your mail \\(done\\)').waitFor();
    await receiver.close();

    await step('Add a domain of your own').click();
    await page.getByRole('link', { name: 'Add your domain' }).click();
    await visitor.field('Domain').fill('müller.example');
    await visitor.button('Add domain').click();
    // In the sandbox nobody has to press anything for it to be verified, and it is called what people call it.
    await visitor.heading('müller.example').waitFor();
    await page.getByText('verified', { exact: true }).waitFor();
    await visitor.heading('DMARC: tells receivers what to do').waitFor();
    await visitor.open('/');
    await step('Publish a DMARC record \\(done\\)').waitFor();
  });

  it('have the code to send with in every language, and what SMTP needs', async () => {
    const { page } = visitor;
    await visitor.open('/');
    for (const [tab, words] of [
      ['Python', 'import json, os, urllib.request'],
      ['PHP', 'file_get_contents'],
      ['Ruby', "require 'net/http'"],
      ['Go', 'package main'],
      ['Node.js', 'await fetch'],
      ['SMTP', '1025'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByText(words).waitFor();
    }
    // The tab stands in the address.
    await page.reload();
    await page.getByText('1025').waitFor();
  });

  it('can be read in light, in dark and on a phone', async () => {
    const { page } = visitor;
    await visitor.open('/');
    await step('Go live').click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations, passes } = await runAxe(page);
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      expect(passes).toBeGreaterThan(10);
      if (PICTURES) await picture(visitor, `first-steps-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    if (PICTURES) await picture(visitor, 'first-steps-phone');
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('go away when somebody has had enough of them', async () => {
    await visitor.open('/');
    await visitor.button('Hide this list').click();
    await visitor.heading('Needs attention').waitFor();
    await visitor.open('/');
    await visitor.heading('Needs attention').waitFor();
    expect(await visitor.page.getByText('First steps').count()).toBe(0);
  });
});

async function picture({ page }: Visitor, name: string): Promise<void> {
  await mkdir(PICTURES as string, { recursive: true });
  await writeFile(path.join(PICTURES as string, `${name}.png`), await page.screenshot());
}
