/** Operations on one organization's sending domains. */
import { isUniqueViolation } from '../database/errors.ts';
import type { DomainName } from '../protocols/message/domain-name.ts';
import { type ReceivingName, receivingNames } from '../received/receiving-names.ts';
import { newId } from '../runtime/ids.ts';
import type { DomainReach } from '../runtime/permissions.ts';
import { orNotFound, ServiceError } from '../runtime/service-error.ts';
import { type CheckDeps, checkAndRecord, checkOnly } from './check.ts';
import { checkBy } from './check-store.ts';
import type { HostSts, ReportsTo } from './dns-records.ts';
import { type DnsExport, type ExportChoice, exportRecords } from './export/records.ts';
import { beginRotation, waitsAlready } from './rotate.ts';
import type { RotationRow } from './rotation.ts';
import { cancelRotation, findRotation, rotationsOf } from './rotation-store.ts';
import type { DomainWithKey } from './signing-keys.ts';
import { type DomainRow, deleteDomain, findByName, findDomain, insertDomain, listDomains } from './store.ts';
import type { DomainTracking } from './tracking/domain-tracking.ts';
import { changeTracking, nextHostCheckAt, type TrackingChange } from './tracking/service.ts';
import { type DomainTrackingRow, findTracking, trackingOfDomains } from './tracking/store.ts';
import { firstCheckAt } from './verification-state.ts';

export type DomainWithRotation = DomainWithKey & {
  readonly rotation: RotationRow | null;
  readonly tracking?: DomainTrackingRow | undefined;
};

export class DomainService {
  readonly #deps: CheckDeps;
  readonly #remembered: Pick<DomainTracking, 'forget'> | undefined;

  /** `remembered`: the cache of tracking settings, which is invalidated by changes. */
  constructor(deps: CheckDeps, remembered?: Pick<DomainTracking, 'forget'>) {
    this.#deps = deps;
    this.#remembered = remembered;
  }

  /** The host that all domains' SPF records include. */
  get host(): string {
    return this.#deps.host;
  }

  /** The MTA-STS policy of that host. */
  get sts(): HostSts | null {
    return this.#deps.sts ?? null;
  }

  /** The address for receivers' reports about the domain. */
  reportsTo(row: DomainRow): ReportsTo {
    const { reports } = this.#deps;
    return { dmarc: reports?.of('dmarc', row) ?? null, tls: reports?.of('tlsrpt', row) ?? null };
  }

  async register(organizationId: string, domain: DomainName): Promise<DomainWithKey> {
    const { db, clock, keys } = this.#deps;
    // Checked before the insert as well, because generating a key is expensive.
    if ((await findByName(db, organizationId, domain)) !== undefined) throw alreadyThere(domain);
    const id = newId('dom');
    const key = await keys.make(organizationId, id);
    const nowMs = clock.nowMs();
    const row = {
      id,
      organization_id: organizationId,
      domain,
      spf_verified: false,
      dkim_verified: false,
      verified_at: null,
      next_check_at: firstCheckAt(nowMs),
      created_at: new Date(nowMs),
      key,
    };
    const stored = await insertDomain(db, row).catch((error) => {
      throw isUniqueViolation(error, 'domains_organization_id_domain_key') ? alreadyThere(domain) : error;
    });
    return { ...stored, public_key: key.publicKey };
  }

  async list({ organizationId, domain = null }: DomainReach): Promise<DomainWithRotation[]> {
    const { db, keys } = this.#deps;
    const all = await listDomains(db, organizationId);
    const rows = all.filter((row) => domain === null || row.domain === domain);
    const withKeys = await Promise.all(rows.map((row) => keys.ensure(db, row)));
    const rotations = await rotationsOf(
      db,
      organizationId,
      rows.map(({ id }) => id),
    );
    const tracking = await trackingOfDomains(db, organizationId);
    return withKeys
      .filter((row) => row !== undefined)
      .map((row) => ({ ...row, rotation: rotations.get(row.id) ?? null, tracking: tracking.get(row.id) }));
  }

  /** All required and recommended records of the domains of these organizations. */
  async dnsRecords(reaches: readonly DomainReach[], choice: ExportChoice = {}): Promise<DnsExport> {
    const { db, tracking } = this.#deps;
    const rows: DomainWithRotation[] = [];
    const receiving: ReceivingName[] = [];
    for (const reach of reaches) {
      rows.push(...(await this.list(reach)));
      receiving.push(...(await receivingNames(db, reach.organizationId)));
    }
    const source = {
      rows,
      receiving,
      host: this.host,
      trackingTarget: tracking?.isUsed === true ? new URL(tracking.publicUrl).hostname : null,
      reportsTo: (row: DomainRow) => this.reportsTo(row),
      sts: this.sts,
    };
    return exportRecords(source, choice);
  }

  async find(reach: DomainReach, id: string): Promise<DomainWithRotation> {
    return this.#withRotation(await this.#findWithKey(reach, id));
  }

  async verify(reach: DomainReach, id: string): Promise<DomainWithRotation> {
    const row = await this.#findRow(reach, id);
    return this.#withRotation(orNotFound(await checkAndRecord(this.#deps, row, true)));
  }

  /** Creates a second DKIM key, which signs once its record is found in DNS. */
  async rotateDkim(organizationId: string, id: string): Promise<DomainWithRotation> {
    const row = await this.#findWithKey({ organizationId }, id);
    // Checked before the insert as well, because generating a key is expensive.
    if ((await findRotation(this.#deps.db, row))?.status === 'waiting_for_dns') throw waitsAlready();
    const rotation = await beginRotation(this.#deps, row);
    return { ...(await this.#findWithKey({ organizationId }, id)), rotation };
  }

  async cancelDkimRotation(organizationId: string, id: string): Promise<DomainWithRotation> {
    const row = await this.#findWithKey({ organizationId }, id);
    if (!(await cancelRotation(this.#deps.db, row))) {
      throw new ServiceError(
        'CONFLICT',
        'No rotation is waiting for its DNS record. POST /domains/:id/dkim/rotate starts a rotation.',
      );
    }
    return { ...row, rotation: null };
  }

  /** Sets the domain's tracking options, which override the organization's, and its tracking host. */
  async setTracking(organizationId: string, id: string, change: TrackingChange): Promise<DomainWithRotation> {
    const { db, tracking } = this.#deps;
    if (tracking === undefined) throw new Error('The tracking of domains cannot be changed here.');
    const row = await this.#findWithKey({ organizationId }, id);
    const lookAt = nextHostCheckAt(tracking, await changeTracking(tracking, row, change));
    if (lookAt !== null) await checkBy(db, row, lookAt);
    this.#remembered?.forget(organizationId);
    return this.find({ organizationId }, id);
  }

  /** The current DNS results, without changing the stored domain. */
  async look(reach: DomainReach, id: string): Promise<DomainWithRotation> {
    const row = await this.#findRow(reach, id);
    return this.#withRotation(orNotFound(await checkOnly(this.#deps, row)));
  }

  /** Returns the name of the removed domain. */
  async remove(organizationId: string, id: string): Promise<string> {
    return orNotFound(await deleteDomain(this.#deps.db, organizationId, id));
  }

  async #withRotation(row: DomainWithKey): Promise<DomainWithRotation> {
    const { db } = this.#deps;
    const tracking = await findTracking(db, row.organization_id, row.id);
    return { ...row, rotation: await findRotation(db, row), tracking };
  }

  async #findWithKey(reach: DomainReach, id: string): Promise<DomainWithKey> {
    const row = await this.#findRow(reach, id);
    return orNotFound(await this.#deps.keys.ensure(this.#deps.db, row));
  }

  async #findRow({ organizationId, domain = null }: DomainReach, id: string): Promise<DomainRow> {
    const row = orNotFound(await findDomain(this.#deps.db, organizationId, id));
    return orNotFound(domain === null || row.domain === domain ? row : undefined);
  }
}

function alreadyThere(domain: string): ServiceError {
  const message = `${domain} is already registered in this organization.`;
  const problems = [{ field: 'domain', message: 'is already registered' }];
  return new ServiceError('CONFLICT', message, { problems });
}
