/** What Postmark's client reads and changes beside sending: messages, bounces, suppressions, templates, the server. */
import { Errors, type Message, Models, ServerClient } from 'postmark';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { appendEvents } from '../../src/events/append.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { inboxOf } from '../support/inbox.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { until } from '../support/until.ts';
import { READER } from '../tracking/fixture.ts';

let server: TestApi;
let org: TestOrganization;
let other: TestOrganization;
let worker: TestWorker;
let postmark: ServerClient;
let theirs: ServerClient;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization('Acme');
  other = await server.createOrganization('Other');
  worker = await startMailWorker(server.database, { POSTRIDER_PUBLIC_URL: server.url });
  postmark = client(org.key);
  theirs = client(other.key);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

const client = (key: string) =>
  new ServerClient(key, { useHttps: false, requestHost: `${new URL(server.url).host}/compat/postmark` });
const send = async (To: string, changes: object = {}) => {
  const letter = {
    From: `Shop <hello@${org.domain}>`,
    To,
    Subject: `For ${To}`,
    HtmlBody: '<p>Hi</p>',
    ...changes,
  };
  return (await postmark.sendEmail(letter as Message)).MessageID;
};
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: Errors.HttpError) => error,
  );
const bounceOf = (messageID: string) =>
  until(
    async () => (await postmark.getBounces({ messageID })).Bounces[0],
    (bounce) => bounce !== undefined,
  );

describe('messages', () => {
  it('are listed by window and by what they are about', async () => {
    const ids: string[] = [];
    for (const to of ['list-1', 'list-2', 'list-3'])
      ids.unshift(await send(`${to}@example.org`, { Tag: 'listed', Metadata: { n: 1, is: true } }));
    const all = await postmark.getOutboundMessages({ tag: 'listed' });
    expect(all.TotalCount).toBe(3);
    expect(all.Messages.map(({ MessageID }) => MessageID)).toEqual(ids);
    expect(all.Messages[0]).toMatchObject({
      Tag: 'listed',
      To: [{ Email: 'list-3@example.org', Name: '' }],
      Recipients: ['list-3@example.org'],
      From: `Shop <hello@${org.domain}>`,
      Subject: 'For list-3@example.org',
      Metadata: { n: '1', is: 'true' },
      MessageStream: 'outbound',
      Sandboxed: true,
    });
    const middle = await postmark.getOutboundMessages({ tag: 'listed', count: 2, offset: 1 });
    expect(middle.Messages.map(({ MessageID }) => MessageID)).toEqual(ids.slice(1));
    const one = await postmark.getOutboundMessages({
      recipient: 'list-2@example.org',
      fromEmail: `hello@${org.domain}`,
    });
    expect(one.Messages.map(({ MessageID }) => MessageID)).toEqual([ids[1]]);
    expect((await theirs.getOutboundMessages()).TotalCount).toBe(0);
  });

  it('refuse filters that would list something else than was asked for', async () => {
    for (const filter of [
      { metadata_n: '1' },
      { status: 'sent' },
      { count: 501 },
      { offset: 9_999 },
      { fromDate: 'x' },
    ]) {
      const error = await refusal(postmark.getOutboundMessages(filter as object));
      expect([error.code, error]).toEqual([700, expect.any(Errors.ApiInputError)]);
    }
  });

  it('show what was in them and what happened to them', async () => {
    const file = { Name: 'a.txt', Content: 'YQ==', ContentType: 'text/plain', ContentID: null };
    const id = await send('details@example.org', { TextBody: 'Hi', Attachments: [file] });
    const details = await until(
      () => postmark.getOutboundMessageDetails(id),
      ({ Status, MessageEvents }) => Status === 'Sent' && MessageEvents.length > 0,
    );
    expect(details).toMatchObject({
      MessageID: id,
      HtmlBody: '<p>Hi</p>',
      TextBody: 'Hi',
      Attachments: ['a.txt'],
      Status: 'Sent',
      MessageEvents: [{ Type: 'Delivered', Recipient: 'details@example.org' }],
    });
    expect(details.MessageEvents[0]?.Details).toMatchObject({
      DeliveryMessage: expect.stringMatching(/^250 /),
    });
    expect(await postmark.getOutboundMessageDump(id)).toEqual({ Body: '' });
    for (const [asking, of] of [
      [theirs, id],
      [postmark, 'x'],
    ] as const)
      expect(await refusal(asking.getOutboundMessageDetails(of))).toMatchObject({
        code: 701,
        statusCode: 422,
      });
  });

  it('show who opened them', async () => {
    const id = await send('opened@example.org', { TrackOpens: true, Tag: 'watched' });
    const { html } = await inboxOf(server, org.key, 'opened@example.org');
    await fetch(/http[^"]+\.gif/.exec(html)?.[0] ?? '', { headers: { 'user-agent': READER } });
    const { TotalCount, Opens } = await until(
      () => postmark.getMessageOpensForSingleMessage(id),
      ({ Opens: opens }) => opens.length > 0,
    );
    expect(TotalCount).toBe(1);
    expect(Opens[0]).toMatchObject({
      MessageID: id,
      Recipient: 'opened@example.org',
      Tag: 'watched',
      UserAgent: READER,
    });
    const all = await postmark.getMessageOpens({ recipient: 'opened@example.org' });
    expect(all.Opens.map(({ MessageID }) => MessageID)).toEqual([id]);
  });

  it('show who followed their links', async () => {
    const link = 'https://shop.example/?a=1';
    const id = await send('clicked@example.org', {
      TrackLinks: Models.LinkTrackingOptions.HtmlOnly,
      HtmlBody: `<a href="${link}">Shop</a>`,
    });
    const { html } = await inboxOf(server, org.key, 'clicked@example.org');
    const tracked = /http[^"]+\/t\/c\/[\w-]+/.exec(html)?.[0] ?? '';
    await fetch(tracked, { headers: { 'user-agent': READER }, redirect: 'manual' });
    const { Clicks } = await until(
      () => postmark.getMessageClicksForSingleMessage(id),
      ({ Clicks: clicks }) => clicks.length > 0,
    );
    expect(Clicks[0]).toMatchObject({ MessageID: id, Recipient: 'clicked@example.org', OriginalLink: link });
    const all = await postmark.getMessageClicks({ recipient: 'clicked@example.org' });
    expect(all.Clicks.map(({ MessageID }) => MessageID)).toEqual([id]);
  });
});

describe('bounces', () => {
  it('are of the type that says whether the address is the reason', async () => {
    const hard = await bounceOf(await send('bounced@simulator.test', { Tag: 'lost' }));
    expect(hard).toMatchObject({
      Type: 'HardBounce',
      TypeCode: 1,
      Email: 'bounced@simulator.test',
      Tag: 'lost',
      From: `hello@${org.domain}`,
      Subject: 'For bounced@simulator.test',
      Inactive: false,
    });
    expect(hard?.Details).toMatch(/^550 5\.1\.1 </);
    const blocked = await bounceOf(await send('blocked@simulator.test'));
    expect(blocked).toMatchObject({ Type: 'Blocked', TypeCode: 100006, Inactive: false });
  });

  it('are found by number, by those whose they are', async () => {
    const messageID = await send('full@simulator.test');
    const bounce = await bounceOf(messageID);
    const number = bounce?.ID as number;
    expect(Number.isSafeInteger(number)).toBe(true);
    expect(await postmark.getBounce(number)).toEqual(bounce);
    const { MessageEvents } = await postmark.getOutboundMessageDetails(messageID);
    expect(MessageEvents).toMatchObject([{ Type: 'Bounced', Details: { BounceID: number } }]);
    expect(await postmark.getBounceDump(number)).toEqual({ Body: '' });
    for (const ask of [
      () => theirs.getBounce(number),
      () => theirs.activateBounce(number),
      () => postmark.getBounce(number + 1),
    ])
      expect(await refusal(ask())).toMatchObject({ code: 407, statusCode: 422 });
  });

  it('are listed by type, address and window, and counted', async () => {
    const emailId = await send('spam@example.org');
    const complaint = { organizationId: org.id, emailId, position: 0, recipient: 'spam@example.org' };
    await server.db.transaction((tx) =>
      appendEvents(tx, [{ ...complaint, type: 'complained', atMs: Date.now() }]),
    );
    const spam = await postmark.getBounces({ type: 'SpamComplaint' as never });
    expect(spam).toMatchObject({ TotalCount: 1, Bounces: [{ Email: 'spam@example.org' }] });
    const one = await postmark.getBounces({ emailFilter: 'blocked@simulator.test' });
    expect(one).toMatchObject({ TotalCount: 1, Bounces: [{ Type: 'Blocked' }] });
    const all = await postmark.getBounces();
    expect(all.TotalCount).toBe(all.Bounces.length);
    const later = await postmark.getBounces({ count: 2, offset: 1 });
    expect(later.Bounces).toEqual(all.Bounces.slice(1, 3));
    const { InactiveMails, Bounces } = await postmark.getDeliveryStatistics();
    expect(InactiveMails).toBe(0);
    expect(Bounces[0]).toEqual({ Name: 'All', Count: all.TotalCount });
    expect(Bounces).toContainEqual({ Type: 'SpamComplaint', Name: 'Spam complaint', Count: 1 });
    expect(await refusal(postmark.getBounces({ inactive: true }))).toMatchObject({ code: 408 });
  });

  it('can be activated: then the address may be mailed again', async () => {
    await server.api(
      'POST',
      '/suppressions',
      { email: 'bounced@simulator.test', reason: 'hard_bounce' },
      org.key,
    );
    const { Bounces } = await postmark.getBounces({ emailFilter: 'bounced@simulator.test' });
    expect(Bounces[0]).toMatchObject({ Inactive: true, CanActivate: true });
    expect(await refusal(send('bounced@simulator.test'))).toMatchObject({ code: 406 });
    const { Message: words, Bounce } = await postmark.activateBounce(Bounces[0]?.ID as number);
    expect([words, Bounce.Inactive]).toEqual(['OK', false]);
    await send('bounced@simulator.test');
  });
});

describe('suppressions', () => {
  const entry = (...addresses: string[]) => ({
    Suppressions: addresses.map((EmailAddress) => ({ EmailAddress })),
  });

  it('are added, listed and removed', async () => {
    const added = await postmark.createSuppressions('outbound', entry('stop@example.org', 'nobody'));
    expect(added.Suppressions).toEqual([
      { EmailAddress: 'stop@example.org', Status: 'Suppressed', Message: null },
      { EmailAddress: 'nobody', Status: 'Failed', Message: expect.any(String) },
    ]);
    const { Suppressions } = await postmark.getSuppressions('outbound', { emailAddress: 'stop@example.org' });
    expect(Suppressions).toEqual([
      {
        EmailAddress: 'stop@example.org',
        SuppressionReason: 'ManualSuppression',
        Origin: 'Customer',
        CreatedAt: expect.any(String),
      },
    ]);
    await server.api('POST', '/suppressions', { email: 'spam@example.org', reason: 'complaint' }, org.key);
    const spam = await postmark.getSuppressions('outbound', { suppressionReason: 'SpamComplaint' as never });
    expect(spam.Suppressions).toMatchObject([{ EmailAddress: 'spam@example.org', Origin: 'Customer' }]);
    const removed = await postmark.deleteSuppressions(
      'outbound',
      entry('stop@example.org', 'never@example.org'),
    );
    expect(removed.Suppressions.map(({ Status }) => Status)).toEqual(['Deleted', 'Deleted']);
    await send('stop@example.org');
    expect((await theirs.getSuppressions('outbound')).Suppressions).toEqual([]);
    const entries = adHoc<{ action: string; target_name: string | null }>(
      "SELECT action, target_name FROM audit_log WHERE organization_id = $1 AND target_name LIKE '%stop@%' ORDER BY id",
    );
    expect(await server.db.many(entries, [org.id])).toEqual([
      { action: 'suppression.created', target_name: 'stop@example.org' },
      { action: 'suppression.deleted', target_name: 'stop@example.org, never@example.org' },
    ]);
  });

  it('of broadcasts stop broadcasts alone', async () => {
    await postmark.createSuppressions('broadcast', entry('news@example.org'));
    expect((await postmark.getSuppressions('broadcast')).Suppressions).toMatchObject([
      { EmailAddress: 'news@example.org' },
    ]);
    await send('news@example.org');
    expect(await refusal(send('news@example.org', { MessageStream: 'broadcast' }))).toMatchObject({
      code: 406,
    });
    await postmark.deleteSuppressions('broadcast', entry('news@example.org'));
    await send('news@example.org', { MessageStream: 'broadcast' });
  });

  it('take 50 at a time', async () => {
    const many = entry(...Array.from({ length: 51 }, (_, i) => `s${i}@example.org`));
    expect(await refusal(postmark.createSuppressions('outbound', many))).toMatchObject({ statusCode: 422 });
  });
});

describe('templates', () => {
  it('are made, read, changed and deleted, by alias and by number', async () => {
    const made = await postmark.createTemplate({
      Name: 'Welcome',
      Alias: 'welcome',
      Subject: 'Hi {{name}}',
      TextBody: 'Hi',
    });
    expect(made).toMatchObject({ Alias: 'welcome', TemplateId: expect.any(Number), Active: true });
    const changed = await postmark.editTemplate('welcome', { HtmlBody: '<b>{{name}}</b>' });
    expect(changed.TemplateId).toBe(made.TemplateId);
    for (const idOrAlias of ['welcome', made.TemplateId])
      expect(await postmark.getTemplate(idOrAlias)).toMatchObject({
        TemplateId: made.TemplateId,
        Subject: 'Hi {{name}}',
        HtmlBody: '<b>{{name}}</b>',
        TextBody: 'Hi',
        AssociatedServerId: (await postmark.getServer()).ID,
      });
    expect(await postmark.getTemplates()).toMatchObject({ TotalCount: 1, Templates: [{ Alias: 'welcome' }] });
    expect((await theirs.getTemplates()).TotalCount).toBe(0);
    expect(await postmark.deleteTemplate(made.TemplateId)).toEqual({
      ErrorCode: 0,
      Message: `Template ${made.TemplateId} removed.`,
    });
    for (const idOrAlias of ['welcome', made.TemplateId])
      expect(await refusal(postmark.getTemplate(idOrAlias))).toMatchObject({ code: 1101 });
  });

  it('have numbers of their own, however many there are', async () => {
    const numbers = [];
    for (const name of ['a', 'b', 'c']) {
      const { TemplateId } = await postmark.createTemplate({ Name: name, Subject: name, TextBody: name });
      numbers.push(TemplateId);
      expect(await postmark.getTemplate(TemplateId)).toMatchObject({ Name: name });
    }
    expect(new Set(numbers).size).toBe(3);
  });

  it('refuse layouts, sections and an alias that is taken, and say what to write instead', async () => {
    const template = { Name: 'x', Subject: 'x', TextBody: 'x' };
    const cases: readonly [object, RegExp][] = [
      [{ TemplateType: 'Layout' }, /TemplateType: can only be Standard/],
      [{ LayoutTemplate: 'base' }, /LayoutTemplate: cannot be given/],
      [
        { HtmlBody: '{{#user}}x{{/user}}' },
        /HtmlBody: line 1, column 1: Sections like \{\{#user\}\}.*\{\{#with user\}\}/,
      ],
      [{ HtmlBody: '{{^user}}x{{/user}}' }, /HtmlBody: line 1, column 1: /],
      [{ HtmlBody: '{{{@content}}}' }, /HtmlBody: line 1, column 4: There is no @content/],
    ];
    for (const [changes, words] of cases) {
      const error = await refusal(postmark.createTemplate({ ...template, ...changes }));
      expect([error.code, error.message]).toEqual([1122, expect.stringMatching(words)]);
    }
    await postmark.createTemplate({ ...template, Alias: 'taken' });
    expect(await refusal(postmark.createTemplate({ ...template, Alias: 'taken' }))).toMatchObject({
      code: 1122,
    });
  });

  it('are validated without being saved', async () => {
    const valid = await postmark.validateTemplate({
      Subject: 'Hi {{user.name}}',
      HtmlBody: '{{#each items}}{{price}}{{/each}}',
      TestRenderModel: { user: { name: 'Ada' }, items: [{ price: 1 }, { price: 2 }] },
    });
    expect(valid).toMatchObject({
      AllContentIsValid: true,
      Subject: { ContentIsValid: true, ValidationErrors: [], RenderedContent: 'Hi Ada' },
      HtmlBody: { RenderedContent: '12' },
      TextBody: null,
      SuggestedTemplateModel: { user: { name: 'name_Value' }, items: [{ price: 'price_Value' }] },
    });
    const wrong = await postmark.validateTemplate({ Subject: 'Hi', HtmlBody: 'a\n{{#if x}}' });
    expect(wrong).toMatchObject({
      AllContentIsValid: false,
      Subject: { ContentIsValid: true },
      HtmlBody: { ContentIsValid: false, ValidationErrors: [{ Line: 2, CharacterPosition: 1 }] },
    });
  });
});

describe('the server', () => {
  it('is the organization, with two streams and those of its own', async () => {
    expect(await postmark.getServer()).toMatchObject({
      Name: 'Acme',
      DeliveryType: 'Sandbox',
      ApiTokens: [],
    });
    expect((await theirs.getServer()).ID).not.toBe((await postmark.getServer()).ID);
    const { MessageStreams } = await postmark.getMessageStreams();
    expect(MessageStreams.map(({ ID }) => ID)).toEqual(['outbound', 'broadcast']);
    await server.api('POST', '/streams', { name: 'digest', priority: 'low' }, org.key);
    expect(await postmark.getMessageStream('digest')).toMatchObject({ MessageStreamType: 'Broadcasts' });
    expect(await refusal(theirs.getMessageStream('digest'))).toMatchObject({ code: 1226 });
    expect(await postmark.getMessageStream('outbound')).toMatchObject({ MessageStreamType: 'Transactional' });
    expect(await refusal(postmark.getMessageStream('x'))).toMatchObject({ code: 1226 });
  });

  it('has statistics', async () => {
    const { Sent, Bounced, SpamComplaints } = await postmark.getOutboundOverview();
    expect(Sent).toBeGreaterThan(5);
    expect(Bounced).toBeGreaterThan(1);
    expect(SpamComplaints).toBe(0);
    expect(await postmark.getOutboundOverview({ toDate: '2020-01-01' })).toMatchObject({
      Sent: 0,
      BounceRate: 0,
    });
    const { Sent: ever } = await postmark.getOutboundOverview({ toDate: '9999-12-31T23:59:59-23:59' });
    expect(ever).toBe(Sent);
    expect(await refusal(postmark.getOutboundOverview({ tag: 'x' }))).toMatchObject({ code: 900 });
  });
});
