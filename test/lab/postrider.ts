/** The installation under test, as users have it: the built code in live mode, spoken to over its API alone. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEY, SupervisedInstallation } from '../storm/installation.ts';
import type { DnsRecords, DnsZoneServer } from '../support/dns-zone.ts';
import { TEMPLATE } from './corpus.ts';
import { LAB_ZONE, SENDER_DOMAIN, SENDING_HOST } from './hosts.ts';
import { SENDING_ADDRESS } from './network.ts';

const TIMEOUT_MS = 60_000;

export interface EmailEvent {
  readonly type: string;
  readonly recipient: string | null;
  readonly smtp_code: number | null;
  readonly smtp_message: string | null;
  readonly mx_host: string | null;
  readonly reason: string | null;
  readonly tls: unknown;
}

export interface Explanation {
  readonly status: string;
  readonly problem: { readonly reason: string; readonly responsible: string } | null;
  readonly attempts: readonly { readonly outcome: string; readonly reason: string }[];
}

export class Postrider {
  readonly #installation: SupervisedInstallation;
  templateId = '';

  private constructor(installation: SupervisedInstallation) {
    this.#installation = installation;
  }

  static async start(folder: string, dns: DnsZoneServer): Promise<Postrider> {
    const installation = await SupervisedInstallation.start({
      dataDir: join(folder, 'postrider'),
      workers: 1,
      outside: { at: { kind: 'listening', dnsAddress: dns.address, smtpPort: 25, hooksPort: 0 } },
      env: {
        POSTRIDER_HOSTNAME: SENDING_HOST,
        POSTRIDER_SENDING_ADDRESSES: SENDING_ADDRESS,
        POSTRIDER_PUBLIC_URL: `https://${SENDING_HOST}`,
        POSTRIDER_UNSUBSCRIBE_BY_MAIL: 'true',
      },
    });
    const postrider = new Postrider(installation);
    await postrider.#furnish(dns);
    return postrider;
  }

  /** Publishes what it asks for, the recommended records too, and has the domain verified. */
  async #furnish(dns: DnsZoneServer): Promise<void> {
    const domain = await this.post<Domain>('/domains', { domain: SENDER_DOMAIN });
    publish(dns, [...domain.dns_records, ...domain.recommended_records]);
    const { is_verified, ...rest } = await this.get<{ is_verified: boolean }>(`/domains/${domain.id}/verify`);
    if (!is_verified) throw new Error(`The domain could not be verified: ${JSON.stringify(rest)}`);
    this.templateId = (await this.post<{ id: string }>('/templates', TEMPLATE)).id;
  }

  async send(body: object): Promise<string> {
    return (await this.post<{ message_id: string }>('/emails/send', body)).message_id;
  }

  get<Data>(path: string): Promise<Data> {
    return this.#ask<Data>(path, {});
  }

  post<Data>(path: string, body: object): Promise<Data> {
    return this.#ask<Data>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  stop(): Promise<boolean> {
    return this.#installation.stop();
  }

  /** A busy machine may have asked for patience: nothing was done then. */
  async #ask<Data>(path: string, init: RequestInit): Promise<Data> {
    const deadline = performance.now() + TIMEOUT_MS;
    for (;;) {
      const response = await fetch(`${this.#installation.url}/api/v1${path}`, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${KEY}` },
      });
      const text = await response.text();
      if (response.ok) return (JSON.parse(text) as { data: Data }).data;
      const isLater = response.status === 429 || response.status === 503;
      if (!isLater || performance.now() > deadline)
        throw new Error(`${path} answered ${response.status}: ${text}`);
      await sleep(500);
    }
  }
}

interface DnsRecord {
  readonly type: string;
  readonly name: string;
  readonly value: string;
}

interface Domain {
  readonly id: string;
  readonly dns_records: readonly DnsRecord[];
  readonly recommended_records: readonly DnsRecord[];
}

/** Adds the records to those that the zone of the lab already has under the name. */
function publish(dns: DnsZoneServer, records: readonly DnsRecord[]): void {
  const names = new Map<string, DnsRecords>();
  for (const { type, name, value } of records) {
    const known = names.get(name) ?? LAB_ZONE[name];
    const [preference, exchange = ''] = value.split(' ');
    names.set(name, {
      ...(typeof known === 'object' ? known : {}),
      ...(type === 'MX' ? { MX: [[Number(preference), exchange]] } : { TXT: [value] }),
    });
  }
  for (const [name, all] of names) dns.set(name, all);
}
