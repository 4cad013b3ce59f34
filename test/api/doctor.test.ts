/** The doctor over HTTP: only for operators, so that others cannot make this installation connect to foreign servers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertMembership } from '../../src/accounts/members/store.ts';
import { OUTSIDE } from '../../src/doctor/reference-servers.ts';
import { packageVersion } from '../../src/processes/package-version.ts';
import { join, type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';

let zone: DnsZoneServer;
let server: TestApi;
let first: TestOrganization;
let operator: Person;
let nowMs = Date.now();
beforeAll(async () => {
  zone = await startDnsZone({ 'mail.host.example': { A: ['8.8.4.4'] } });
  server = await startApi({
    clock: { nowMs: () => nowMs },
    outside: { ...OUTSIDE, blocklists: [], timeServers: [] },
    env: { POSTRIDER_DNS_SERVERS: zone.address, POSTRIDER_HOSTNAME: 'mail.host.example' },
  });
  first = await server.createOrganization('First');
  operator = await signUpOwner(server);
});
afterAll(async () => {
  await server.stop();
  await zone.stop();
});

describe('the doctor over HTTP', () => {
  it('has not examined anything at first', async () => {
    const answer = await operator.api('GET', '/doctor');
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      ...{ examined_at: null, machine: expect.any(String), version: packageVersion(), findings: [] },
    });
  });

  it('examines once for everybody who asks at the same time, and once a minute', async () => {
    zone.forgetQueries();
    const answers = await Promise.all([1, 2, 3].map(() => operator.api('POST', '/doctor')));
    const [one] = answers;
    expect(one?.status).toBe(200);
    expect(one?.body.data.findings).toContainEqual({
      check: 'host_address',
      level: 'ok',
      seen: 'mail.host.example has the address 8.8.4.4.',
      why: expect.any(String),
      fix: null,
    });
    expect(zone.count('gmail.com', 'MX')).toBe(1);
    nowMs += 59_000;
    expect((await operator.api('POST', '/doctor')).body).toEqual(one?.body);
    expect((await operator.api('GET', '/doctor')).body).toEqual(one?.body);
    expect(zone.count('gmail.com', 'MX')).toBe(1);
    nowMs += 2_000;
    const later = await operator.api('POST', '/doctor');
    expect(zone.count('gmail.com', 'MX')).toBe(2);
    expect(later.body.data.examined_at).not.toBe(one?.body.data.examined_at);
  });

  it('says which version runs, which the health checks tell nobody', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const response = await fetch(new URL(path, server.url));
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain(packageVersion());
    }
  });

  it('is for operators only', async () => {
    zone.forgetQueries();
    const member = await join(server, operator, 'member@example.org', 'member');
    const other = await server.createOrganization('Other');
    const joined = {
      organizationId: other.id,
      userId: operator.id,
      role: 'owner',
      joinedAt: new Date(),
    } as const;
    await insertMembership(server.db, joined);
    await operator.api('POST', '/auth/organization', { organization_id: other.id });
    nowMs += 120_000;
    for (const method of ['GET', 'POST']) {
      expect((await server.api(method, '/doctor', undefined, first.key)).status).toBe(403);
      expect((await server.api(method, '/doctor')).status).toBe(401);
      expect((await member.api(method, '/doctor')).status).toBe(403);
      // As the owner of an organization that is not the first.
      expect((await operator.api(method, '/doctor')).status).toBe(403);
    }
    expect(zone.queries).toEqual([]);
  });
});
