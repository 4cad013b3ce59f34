import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';

describe('auto-validation', () => {
  let zone: DnsZoneServer;
  let server: TestApi;
  let org: TestOrganization;

  beforeAll(async () => {
    // Real-looking names: reserved ones are refused without asking DNS.
    zone = await startDnsZone({
      'siemens.com': { MX: [[10, 'mx.siemens.com']] },
      'mx.siemens.com': { A: ['9.9.9.9'] },
      'mailinator.com': { MX: [[10, 'mx.siemens.com']] },
      'only-a-record.com': { A: ['9.9.9.9'] },
      'silent.com': 'TIMEOUT',
      'broken.com': 'SERVFAIL',
    });
    server = await startApi({ env: { POSTRIDER_DNS_SERVERS: zone.address } });
  });
  afterAll(async () => {
    await server.stop();
    await zone.stop();
  });
  beforeEach(async () => {
    org = await server.createOrganization();
  });

  const api = (method: string, path: string, body?: unknown) => server.api(method, path, body, org.key);
  const setting = (threshold: string) => api('PUT', '/settings/auto-validation', { threshold });
  const send = (to: string | readonly string[], fields: object = {}) =>
    api('POST', '/emails/send', {
      from: { email: `a@${org.domain}` },
      to: [to].flat().map((email) => ({ email })),
      subject: 's',
      text: 't',
      ...fields,
    });
  const stored = async () => {
    const count = adHoc<{ count: number }>('SELECT count(*) AS count FROM emails WHERE organization_id = $1');
    return (await server.db.one(count, [org.id])).count;
  };

  it('is off until it is changed, and says what it is', async () => {
    expect((await api('GET', '/settings/auto-validation')).body.data).toEqual({
      auto_validation_threshold: 'off',
    });
    const answer = await setting('medium');
    expect([answer.status, answer.body.data]).toEqual([200, { auto_validation_threshold: 'medium' }]);
    expect((await api('GET', '/settings/auto-validation')).body.data).toEqual({
      auto_validation_threshold: 'medium',
    });
  });

  it('knows three settings', async () => {
    const wrong = await setting('low');
    expect([wrong.status, wrong.body.error.details[0].field]).toEqual([400, 'threshold']);
    expect((await api('PUT', '/settings/auto-validation', {})).status).toBe(400);
  });

  it('lets everything through while it is off', async () => {
    zone.forgetQueries();
    expect((await send('x@no-such-domain-zzz.com')).status).toBe(201);
    expect(zone.queries).toHaveLength(0);
  });

  it.each([
    ['high', 'jane.doe@siemens.com', 201],
    ['high', 'jane@mailinator.com', 201],
    ['high', 'jane@no-such-domain-zzz.com', 400],
    ['medium', 'jane.doe@siemens.com', 201],
    ['medium', 'support@siemens.com', 201],
    ['medium', 'jane@mailinator.com', 400],
    ['medium', 'jane.doe@only-a-record.com', 400],
  ])('at %s, mail to %s answers %i', async (threshold, address, status) => {
    await setting(threshold);
    const answer = await send(address);
    expect(answer.status).toBe(status);
    if (status === 201) return;
    expect(answer.body.error.code).toBe('RECIPIENTS_REJECTED');
    expect(answer.body.error.details[0]).toMatchObject({ field: 'to[0].email' });
    expect(answer.body.error.details[0].message).toMatch(/risk score of 0\.\d\d: \w/);
    expect(await stored()).toBe(0);
  });

  it('counts every recipient and names each place', async () => {
    await setting('medium');
    const answer = await send(['jane.doe@siemens.com', 'a@mailinator.com'], {
      cc: [{ email: 'b@mailinator.com' }],
      bcc: [{ email: 'A@mailinator.com' }],
    });
    expect(answer.body.error.details.map((one: { field: string }) => one.field)).toEqual([
      'to[1].email',
      'cc[0].email',
      'bcc[0].email',
    ]);
  });

  it('checks scheduled mail when it is accepted', async () => {
    await setting('high');
    const answer = await send('x@no-such-domain-zzz.com', {
      scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect(answer.body.error.code).toBe('RECIPIENTS_REJECTED');
  });

  it.each(['jane.doe@silent.com', 'jane.doe@broken.com', 'support@broken.com'])(
    'never refuses %s because DNS does not answer, and takes at most a second',
    async (address) => {
      await setting('medium');
      const started = performance.now();
      expect((await send(address)).status).toBe(201);
      expect(performance.now() - started).toBeLessThan(2_000);
    },
  );

  it('rejects recipients of a batch one by one', async () => {
    await setting('medium');
    const template = (await api('POST', '/templates', { name: 'T', subject: 's', text: 't' })).body.data;
    const answer = await api('POST', '/emails/batch', {
      template_id: template.id,
      from: { email: `a@${org.domain}` },
      recipients: ['jane.doe@siemens.com', 'x@mailinator.com', 'john.roe@siemens.com'].map((email) => ({
        to: { email },
      })),
    });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ accepted: 2, rejected: [{ index: 1 }] });
    expect(answer.body.data.rejected[0].error).toContain('risk score');
  });

  it('rejects emails of a mixed batch one by one, wherever the recipient stands', async () => {
    await setting('medium');
    const email = { from: { email: `a@${org.domain}` }, subject: 's', text: 't' };
    const emails = [
      { ...email, to: [{ email: 'jane.doe@siemens.com' }] },
      { ...email, to: [{ email: 'jane.doe@siemens.com' }], cc: [{ email: 'x@mailinator.com' }] },
    ];
    const answer = await api('POST', '/emails/batch/mixed', { emails });
    const { accepted, results } = answer.body.data;
    expect([accepted, results[1].error.code]).toEqual([1, 'RECIPIENTS_REJECTED']);
    expect(results[1].error.details[0].field).toBe('cc[0].email');
    const none = await api('POST', '/emails/batch/mixed', { emails, all_or_none: true });
    expect([none.status, none.body.error.details[0].field]).toEqual([400, 'emails[1].cc[0].email']);
  });

  it('leaves suppressed recipients to the suppression list', async () => {
    await setting('high');
    await api('POST', '/suppressions', { email: 'jane.doe@siemens.com', reason: 'manual' });
    expect((await send('jane.doe@siemens.com')).body.error.code).toBe('RECIPIENTS_SUPPRESSED');
  });

  it('belongs to one organization', async () => {
    await setting('high');
    org = await server.createOrganization('Other');
    expect((await send('x@no-such-domain-zzz.com')).status).toBe(201);
  });
});
