/**
 * All checks of the doctor in the order of display; checks that others depend on come first. Add a new check
 * here.
 */
import { blocklistCheck } from './blocklists/check.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { domainsCheck } from './domains/check.ts';
import { ownDkimCheck } from './domains/own-dkim.ts';
import { acmeCheck } from './host/acme.ts';
import { certificateCheck } from './host/certificate.ts';
import { dnsServersCheck } from './host/dns-servers.ts';
import { dnssecCheck } from './host/dnssec.ts';
import { hostAddressCheck } from './host/host-address.ts';
import { ehloNameCheck, hostNameCheck } from './host/host-name.ts';
import { hostSpfCheck } from './host/host-spf.ts';
import { httpsCheck } from './host/https.ts';
import { stsCheck } from './host/mta-sts.ts';
import { proxyCheck, publicUrlCheck } from './host/public-url.ts';
import { reverseDnsCheck } from './host/reverse-dns.ts';
import { cellsCheck } from './machine/cells.ts';
import { clockCheck, databaseClockCheck } from './machine/clock.ts';
import { contentStoreCheck } from './machine/content-store.ts';
import { databaseCheck } from './machine/database.ts';
import { diskCheck, durableWritesCheck } from './machine/disk.ts';
import { poolerCheck } from './machine/pooler.ts';
import { queueCheck } from './machine/queue.ts';
import { replicationCheck } from './machine/replication.ts';
import { secretKeyCheck } from './machine/secret-key.ts';
import { inboundCheck } from './smtp/inbound.ts';
import { outboundCheck } from './smtp/outbound.ts';
import { receivingCheck } from './smtp/receiving.ts';
import { relayCheck } from './smtp/relay.ts';
import { tlsReportsCheck } from './smtp/tls-reports.ts';

/** What receivers see of the host. Live mode does not start if one of the first two fails. */
export const HOST_CHECKS: readonly DoctorCheck[] = [
  hostNameCheck,
  hostAddressCheck,
  ehloNameCheck,
  reverseDnsCheck,
  hostSpfCheck,
  publicUrlCheck,
];

export const ALL_CHECKS: readonly DoctorCheck[] = [
  dnsServersCheck,
  databaseCheck,
  ...HOST_CHECKS,
  dnssecCheck,
  outboundCheck,
  relayCheck,
  inboundCheck,
  receivingCheck,
  stsCheck,
  tlsReportsCheck,
  blocklistCheck,
  domainsCheck,
  ownDkimCheck,
  certificateCheck,
  acmeCheck,
  httpsCheck,
  proxyCheck,
  cellsCheck,
  poolerCheck,
  replicationCheck,
  durableWritesCheck,
  diskCheck,
  contentStoreCheck,
  clockCheck,
  databaseClockCheck,
  secretKeyCheck,
  queueCheck,
];

/** The quick checks only query DNS, the disk and the database if available. */
export const QUICK_CHECKS: readonly DoctorCheck[] = ALL_CHECKS.filter(({ isQuick }) => isQuick);
