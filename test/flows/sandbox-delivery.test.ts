import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Flow, typesOf } from './flow.ts';

describe('in the sandbox', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await Flow.start();
  });
  afterAll(() => flow.stop());

  it('an email is delivered, and its events say by whom and with which words', async () => {
    const id = await flow.send('ada@example.org');
    const email = await flow.final(id);
    expect(email.status).toBe('delivered');
    expect(typesOf(email)).toEqual(['queued', 'processing', 'delivered']);
    const delivered = email.events.at(-1);
    expect(delivered).toMatchObject({
      recipient: 'ada@example.org',
      mx_host: 'sandbox.postrider.test',
      smtp_code: 250,
      attempt: 1,
    });
    expect(delivered?.smtp_message).toMatch(/\S/);
  });

  it('the message can be read in the inbox as it was sent', async () => {
    await flow.final(
      await flow.send('grace@example.org', {
        subject: 'Grüße 🐎',
        html: '<p>Schön</p>',
        text: 'Schön\n.\nEnde',
      }),
    );
    const list = await flow.api('GET', '/sandbox/messages?to=grace@example.org');
    expect(list.body.data).toHaveLength(1);
    const message = (await flow.api('GET', `/sandbox/messages/${list.body.data[0].id}`)).body.data;
    expect(message).toMatchObject({ subject: 'Grüße 🐎' });
    expect(message.html).toContain('<p>Schön</p>');
    expect(message.text.trim()).toBe('Schön\n.\nEnde');
  });

  it('each recipient gets the message once, and bcc is nowhere in it', async () => {
    await flow.final(
      await flow.send(['to@many.example'], {
        cc: [{ email: 'cc@many.example' }, { email: 'TO@many.example' }],
        bcc: [{ email: 'secret@many.example' }],
      }),
    );
    const list = (await flow.api('GET', '/sandbox/messages?limit=100')).body.data;
    const mine = list.filter((message: { to: string }) => message.to.endsWith('@many.example'));
    expect(mine.map((message: { to: string }) => message.to).sort()).toEqual([
      'cc@many.example',
      'secret@many.example',
      'to@many.example',
    ]);
    for (const { id } of mine) {
      const raw = (await flow.api('GET', `/sandbox/messages/${id}/raw`)).body as string;
      expect(raw).not.toContain('secret@');
    }
  });

  it('a bounce ends the email with the words of the server', async () => {
    const email = await flow.final(await flow.send('bounced@simulator.test'));
    expect(email.status).toBe('bounced');
    expect(email.events.at(-1)).toMatchObject({
      type: 'bounced',
      smtp_code: 550,
      enhanced_code: '5.1.1',
      reason: 'unknown_recipient',
    });
  });

  it.each([
    ['full', 'bounced', 552],
    ['blocked', 'bounced', 554],
    ['slow', 'delivered', 250],
    ['delivered+label', 'delivered', 250],
  ])('%s@simulator.test ends %s with %i', async (local, status, code) => {
    const email = await flow.final(await flow.send(`${local}@simulator.test`));
    expect(email.status).toBe(status);
    expect(email.events.at(-1)?.smtp_code).toBe(code);
  });

  it('a slow server is seen at work before it answers', async () => {
    const id = await flow.send('slow@simulator.test');
    const email = await flow.when(id, (seen) => typesOf(seen).includes('processing'));
    expect(email.status).toBe('queued');
    expect((await flow.final(id)).status).toBe('delivered');
  });

  it('the worst outcome of the recipients is the status of the email', async () => {
    const email = await flow.final(await flow.send(['fine@example.org', 'bounced@simulator.test']));
    expect(email.status).toBe('bounced');
    expect(email.recipients.map((one) => one.status)).toEqual(['delivered', 'bounced']);
  });

  it('attachments and inline images arrive byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 256));
    await flow.final(
      await flow.send('files@example.org', {
        html: '<img src="cid:logo">',
        attachments: [
          {
            filename: 'rechnung-ü.bin',
            content: bytes.toString('base64'),
            content_type: 'application/x-thing',
          },
          {
            filename: 'logo.png',
            content: bytes.toString('base64'),
            content_type: 'image/png',
            content_id: 'logo',
          },
        ],
      }),
    );
    const [item] = (await flow.api('GET', '/sandbox/messages?to=files@example.org')).body.data;
    const { attachments } = (await flow.api('GET', `/sandbox/messages/${item.id}`)).body.data;
    const contents = attachments.map((one: { content: string }) =>
      Buffer.from(one.content, 'base64').equals(bytes),
    );
    expect(contents).toEqual([true, true]);
    expect(attachments.map((one: { filename: string }) => one.filename).sort()).toEqual([
      'logo.png',
      'rechnung-ü.bin',
    ]);
  });

  it('a scheduled email waits for its time', async () => {
    const soon = new Date(Date.now() + 1_500);
    const id = await flow.send('later@example.org', { scheduled_at: soon.toISOString() });
    const email = await flow.final(id);
    expect(email.status).toBe('delivered');
    const started = email.events.find((event) => event.type === 'processing');
    expect(Date.parse(started?.created_at ?? '')).toBeGreaterThanOrEqual(soon.getTime());
  });
});
