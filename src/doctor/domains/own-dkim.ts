/** The DKIM record of the installation's own domain, which signs all mail in addition to its sender's. */
import { findOwnKey } from '../../domains/own-dkim/store.ts';
import { checkDkim, type DnsCheck } from '../../domains/verify.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext, databaseOf } from '../doctor-context.ts';
import { CheckInconclusive, dnsRecordLine, type Observation } from '../finding.ts';

export const ownDkimCheck = doctorCheck({
  name: 'own_dkim',
  needsDatabase: true,
  needsDns: ({ dkimDomain }) => dkimDomain !== undefined,
  matters: 'Mail is sent without the signature by which feedback loops count complaints.',
  gather: gatherOwnDkim,
  judge: judgeOwnDkim,
});

/** Null without an own signing domain. */
async function gatherOwnDkim(context: DoctorContext): Promise<DnsCheck | null> {
  const { config, resolver } = context;
  if (config.dkimDomain === undefined) return null;
  const key = await findOwnKey(databaseOf(context), config.dkimDomain);
  if (key === undefined)
    throw new CheckInconclusive(
      `${config.dkimDomain} has no key yet.`,
      'Run npx postrider dkim: the command creates the key and shows the record.',
    );
  const { domain, selector, public_key: publicKey } = key;
  return checkDkim((name) => resolver.txt(name, DOCTOR_LOOKUP), { domain, selector, publicKey });
}

function judgeOwnDkim(check: DnsCheck | null): Observation[] {
  if (check === null) return [];
  const { status, name, expected, message: seen } = check;
  if (status === 'pass') return [{ level: 'ok', seen }];
  if (status === 'unknown') return [{ level: 'unknown', seen }];
  return [{ level: 'warn', seen, fix: `Publish: ${dnsRecordLine(name, 'TXT', expected)}` }];
}
