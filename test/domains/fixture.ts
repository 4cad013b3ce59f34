/** Domains on a database of their own, a DNS server on loopback, a clock that the test moves, and the log's lines. */

import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { CheckDeps } from '../../src/domains/check.ts';
import { dnsRecords } from '../../src/domains/dns-records.ts';
import { KeyPairs, UNBOUNDED } from '../../src/domains/key-pairs.ts';
import { DomainService, type DomainWithRotation } from '../../src/domains/service.ts';
import { DomainKeys, type DomainWithKey } from '../../src/domains/signing-keys.ts';
import { createTxtLookups } from '../../src/domains/verify.ts';
import { claimDueDomains, recheck } from '../../src/operations/domain-checks.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { createResolver } from '../../src/protocols/dns/resolver.ts';
import { KeyRing } from '../../src/runtime/key-ring.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import { domainName } from '../support/addresses.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

export const HOST = 'mail.host.test';

export class DomainFixture {
  readonly test: TestDatabase;
  readonly zone: DnsZoneServer;
  readonly organizationId: string;
  readonly deps: CheckDeps;
  readonly domains: DomainService;
  readonly logged: string[];
  readonly clock: { offsetMs: number; nowMs(): number };
  readonly #close: () => void;

  static async start(): Promise<DomainFixture> {
    const test = await createTestDatabase();
    const clock = { offsetMs: 0, nowMs: () => Date.now() + clock.offsetMs };
    const { id } = await createOrganization(test.db, clock, { name: 'Acme', dailyLimit: 0 });
    return new DomainFixture(test, await startDnsZone(), clock, id);
  }

  private constructor(
    test: TestDatabase,
    zone: DnsZoneServer,
    clock: DomainFixture['clock'],
    organizationId: string,
  ) {
    const logged: string[] = [];
    const lines = new Writable({ write: (chunk, _encoding, done) => done(void logged.push(String(chunk))) });
    const resolver = createResolver({ clock, servers: [zone.address], timeoutMs: 100, tries: 1 });
    this.test = test;
    this.zone = zone;
    this.clock = clock;
    this.logged = logged;
    this.organizationId = organizationId;
    this.deps = {
      db: test.db,
      clock,
      log: pino({ level: 'debug' }, lines),
      keys: new DomainKeys(
        new KeyRing([new SecretKey(Buffer.from(TEST_SECRET_KEY))]),
        new KeyPairs({ clock, limits: UNBOUNDED }),
      ),
      txtLookups: createTxtLookups(resolver, clock),
      host: HOST,
      mode: 'live',
      random: () => 0,
    };
    this.domains = new DomainService(this.deps);
    this.#close = () => resolver.close();
  }

  register(domain: string): Promise<DomainWithKey> {
    return this.domains.register(this.organizationId, domainName(domain));
  }

  /** Puts the domain's two records into the zone. */
  publish(row: DomainWithKey): void {
    this.zone.set(HOST, { TXT: ['v=spf1 a mx -all'] });
    const { domain, selector, public_key: publicKey } = row;
    for (const { name, value } of dnsRecords({ domain, selector, publicKey }, HOST)) {
      this.zone.set(name, { TXT: [value] });
    }
  }

  async verified(domain: string): Promise<DomainWithRotation> {
    const row = await this.register(domain);
    this.publish(row);
    return this.domains.verify({ organizationId: this.organizationId }, row.id);
  }

  find(id: string): Promise<DomainWithRotation> {
    return this.domains.find({ organizationId: this.organizationId }, id);
  }

  /** One round of a worker: claims what is due, checks it. Returns the names. */
  async round(): Promise<string[]> {
    const rows = await claimDueDomains(this.deps, 100);
    await Promise.all(rows.map((row) => recheck(this.deps, row)));
    return rows.map((row) => row.domain).sort();
  }

  /** What the log says of a domain, in order. */
  eventsOf(domain: string): string[] {
    return this.logged
      .map((line) => JSON.parse(line))
      .filter((line) => line.domain === domain && line.event !== undefined)
      .map((line) => line.event);
  }

  async stop(): Promise<void> {
    this.#close();
    await this.zone.stop();
    await this.test.drop();
  }
}
