/** Whether senders of bounces find our MTA-STS policy, and whether it matches our records. */
import { describeDnsFailure } from '../../domains/advice.ts';
import type { Answer, MxRecord } from '../../protocols/dns/answer.ts';
import { createPolicyFetch } from '../../protocols/dns/mta-sts-fetch.ts';
import { allowsHost, policyId, type StsPolicy } from '../../protocols/dns/mta-sts-policy.ts';
import {
  ownStsPolicy,
  STS_PATH,
  stsHostOf,
  stsPolicyText,
  stsRecordName,
  stsRecordValue,
} from '../../protocols/dns/own-sts-policy.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import { CheckInconclusive, dnsRecordLine, type Level, type Observation } from '../finding.ts';
import { publicHostName } from './known-host.ts';

interface StsFacts {
  readonly host: string;
  readonly policy: StsPolicy;
  readonly txt: Answer<string>;
  readonly mx: Answer<MxRecord>;
  readonly stsHost: Answer<string>;
  /** The policy as served; null when this machine cannot fetch it. */
  readonly served: string | null;
  readonly hasCertificate: boolean;
  /** Where the policy's host should point. */
  readonly servedBy: string;
}

export const stsCheck = doctorCheck({
  name: 'mta_sts',
  needsDns: true,
  matters:
    'With a policy, senders encrypt bounces and reports to this host. With a wrong policy, senders do not deliver them.',
  gather: gatherSts,
  judge: judgeSts,
});

async function gatherSts({ config, resolver, outside }: DoctorContext): Promise<StsFacts> {
  if (config.mode !== 'live')
    throw new CheckInconclusive(
      'In sandbox mode, senders do not look for a policy.',
      'Run the doctor again after live mode is started.',
    );
  const host = publicHostName(config);
  const policy = ownStsPolicy(host, config.inbound.sts);
  const fetchPolicy = createPolicyFetch({
    resolver,
    accepts: () => true,
    port: outside.httpsPort,
    trustedCertificates: outside.trustedCertificates,
    deadlineMs: outside.timeoutMs,
  });
  const [txt, mx, stsHost, served] = await Promise.all([
    resolver.txt(stsRecordName(host), DOCTOR_LOOKUP),
    resolver.mx(host, DOCTOR_LOOKUP),
    resolver.addresses(stsHostOf(host), DOCTOR_LOOKUP),
    policy.mode === 'none' ? null : fetchPolicy(host),
  ]);
  const hasCertificate = config.inbound.certificateFile !== undefined || config.acme !== undefined;
  const servedBy = new URL(config.publicUrl).hostname;
  return { host, policy, txt, mx, stsHost, served, hasCertificate, servedBy };
}

function judgeSts(facts: StsFacts): Observation[] {
  const { host, policy, txt } = facts;
  const name = stsRecordName(host);
  if (txt.kind === 'unavailable') return [{ level: 'unknown', seen: describeDnsFailure(name, txt.code) }];
  const id = txt.kind === 'found' ? policyId(txt.records) : null;
  const expected = policyId([stsRecordValue(policy)]);
  if (policy.mode === 'none') return [judgeNone(host, id, expected)];
  const wrong = [
    ...judgeRecord(facts, id, expected),
    ...judgeMx(facts),
    ...judgeServed(facts),
    ...judgeReceiver(facts),
  ];
  if (wrong.length > 0) return wrong;
  return [
    { level: 'ok', seen: `The MTA-STS policy of ${host} (${policy.mode}), its record and its MX agree.` },
  ];
}

/** Without an enforced policy senders deliver as before; with one, not at all. */
function graver({ policy }: StsFacts): Level {
  return policy.mode === 'enforce' ? 'bad' : 'warn';
}

function judgeNone(host: string, id: string | null, expected: string | null): Observation {
  if (id === null) return { level: 'ok', seen: `${host} has no MTA-STS policy (POSTRIDER_MTA_STS is none).` };
  if (id === expected)
    return {
      level: 'ok',
      seen: `The MTA-STS policy of ${host} is withdrawn. A week later, you can remove the record ${stsRecordName(host)}.`,
    };
  return {
    level: 'warn',
    seen: `${stsRecordName(host)} announces an MTA-STS policy, and POSTRIDER_MTA_STS is none.`,
    why: 'Senders that have cached the earlier policy follow it for up to a week.',
    fix: `Set POSTRIDER_MTA_STS, or withdraw it: ${publishing(host, ownStsPolicy(host, { mode: 'none', mx: undefined }))}`,
  };
}

function judgeRecord({ host, policy }: StsFacts, id: string | null, expected: string | null): Observation[] {
  if (id === expected) return [];
  const name = stsRecordName(host);
  const seen =
    id === null
      ? `${name} has no MTA-STS record, or more than one.`
      : `The MTA-STS record at ${name} has the id of another policy.`;
  const why =
    id === null ? 'Senders do not look for the policy.' : 'Senders keep the policy that they have cached.';
  return [{ level: 'warn', seen, why, fix: publishing(host, policy) }];
}

function judgeMx(facts: StsFacts): Observation[] {
  const { host, mx, policy } = facts;
  if (mx.kind === 'unavailable') return [{ level: 'unknown', seen: describeDnsFailure(host, mx.code) }];
  const names = mx.kind === 'found' ? mx.records.map(({ exchange }) => exchange) : [host];
  const missing = names.filter((name) => name !== '' && !allowsHost(policy, name));
  if (missing.length === 0) return [];
  return [
    {
      level: graver(facts),
      seen: `The MTA-STS policy of ${host} does not name ${missing.join(', ')}, which its MX records name.`,
      fix: `Set POSTRIDER_MTA_STS_MX=${names.join(',')}, or correct the MX records; then publish the record with the new id.`,
    },
  ];
}

function judgeServed(facts: StsFacts): Observation[] {
  const { host, policy, stsHost, served, servedBy } = facts;
  const url = `https://${stsHostOf(host)}${STS_PATH}`;
  if (served === null && stsHost.kind === 'unavailable')
    return [{ level: 'unknown', seen: describeDnsFailure(stsHostOf(host), stsHost.code) }];
  if (served === null)
    return [
      {
        level: 'warn',
        seen: `${url} cannot be fetched from this machine with a valid certificate.`,
        fix: `Publish: ${dnsRecordLine(stsHostOf(host), 'CNAME', `${servedBy}.`)} and let the proxy answer for the name, with a certificate. From elsewhere: curl ${url}`,
      },
    ];
  if (served.trim() === stsPolicyText(policy).trim()) return [];
  return [
    {
      level: graver(facts),
      seen: `${url} is not the policy of POSTRIDER_MTA_STS=${policy.mode}.`,
      fix: 'Restart the API with these settings, or let the proxy forward requests for this name to the API.',
    },
  ];
}

function judgeReceiver(facts: StsFacts): Observation[] {
  if (facts.hasCertificate) return [];
  const seen =
    'The receiver of bounces uses a self-signed certificate, which senders that follow the policy refuse.';
  const fix =
    'Set POSTRIDER_ACME=true, or POSTRIDER_INBOUND_TLS_CERT and POSTRIDER_INBOUND_TLS_KEY, or POSTRIDER_MTA_STS=none.';
  return [{ level: graver(facts), seen, fix }];
}

function publishing(host: string, policy: StsPolicy): string {
  return `Publish: ${dnsRecordLine(stsRecordName(host), 'TXT', stsRecordValue(policy))}`;
}
