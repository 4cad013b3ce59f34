import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETUP_TOKEN } from '../support/secret-key.ts';
import { CHROMIUM, PASSWORD, type Visitor, World } from './world.ts';

describe.skipIf(CHROMIUM === null)('somebody without a mouse', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  it('signs up, jumps by palette and shortcuts, sends an email and looks at it', async () => {
    const visitor = await world.visitor();
    const { page } = visitor;
    const { keyboard } = page;
    await visitor.open(`/#setup=${SETUP_TOKEN}`);
    await tabTo(visitor, 'Email address');
    await keyboard.type('ada@example.org');
    await keyboard.press('Tab');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await visitor.heading('Overview').waitFor();

    await keyboard.press('Control+K');
    await keyboard.type('compose');
    await keyboard.press('Enter');
    await visitor.heading('Compose').waitFor();
    await tabTo(visitor, 'To');
    await keyboard.type('grace@example.org');
    await keyboard.press('Tab');
    await keyboard.type('By keyboard');
    await keyboard.press('Tab');
    await keyboard.type('No mouse was used.');
    await tabTo(visitor, 'Send');
    await keyboard.press('Enter');
    await visitor.heading('By keyboard').waitFor();
    await page.getByText(/said 250/).waitFor();

    await tabTo(visitor, 'Preview');
    await keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { name: 'Text', selected: true }).count()).toBe(1);
    await page.getByText('No mouse was used.').waitFor();

    await keyboard.press('g');
    await keyboard.press('d');
    await visitor.heading('Domains').waitFor();
    await tabTo(visitor, 'Add a domain');
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await nameOfFocus(visitor)).toBe('Add a domain');
  });

  it('can leave the template editor, in which Tab indents', async () => {
    const visitor = await world.visitor();
    await visitor.call('POST', '/auth/sign-in', { email: 'ada@example.org', password: PASSWORD });
    const made = await visitor.call('POST', '/templates', {
      name: 'T',
      subject: 'S',
      text: 'x',
      html: '<p>x</p>',
    });
    await visitor.open(`/templates/${made.body.data.id}`);
    const editor = visitor.page.getByRole('textbox', { name: 'HTML', exact: true });
    await editor.focus();
    await visitor.page.keyboard.press('Control+Home');
    await visitor.page.keyboard.press('Tab');
    expect(await editor.inputValue()).toBe('  <p>x</p>');
    await visitor.page.keyboard.press('Escape');
    await visitor.page.keyboard.press('Tab');
    expect(await editor.evaluate((element) => element === document.activeElement)).toBe(false);
  });
});

/** Goes on with Tab until something of that name has the focus; nobody presses it more than a hundred times. */
async function tabTo(visitor: Visitor, name: string): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    if ((await nameOfFocus(visitor)) === name) return;
    await visitor.page.keyboard.press('Tab');
  }
  throw new Error(`${name} cannot be reached with the Tab key.`);
}

function nameOfFocus(visitor: Visitor): Promise<string> {
  return visitor.page.evaluate(() => {
    const focused = document.activeElement;
    const labels = (focused as HTMLInputElement | null)?.labels;
    const label =
      labels?.[0]?.textContent ?? focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
    return label.trim();
  });
}
