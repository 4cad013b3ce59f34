/** Whether DNS is validated: real lookups, against a DNS server on loopback that says so or not. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dnssecCheck } from '../../src/doctor/host/dnssec.ts';
import type { DnsZone } from '../support/dns-zone.ts';
import { type DoctorRoom, openDoctorRoom } from './doctor-context.ts';

let room: DoctorRoom;
beforeAll(async () => {
  room = await openDoctorRoom();
});
afterAll(() => room.stop());

const VALIDATES: DnsZone = { org: { secure: true }, 'dnssec-failed.org': 'SERVFAIL' };
const BELIEVES_ALL: DnsZone = { org: { secure: true }, 'dnssec-failed.org': { A: ['192.0.2.1'] } };
const KNOWS_NOTHING: DnsZone = { org: {}, 'dnssec-failed.org': { A: ['192.0.2.1'] } };

it.each<[string, DnsZone, string | undefined, string, RegExp]>([
  ['validates, on this machine', VALIDATES, undefined, 'ok', /mail is sent by DANE/],
  [
    'validates, and is not to be trusted',
    VALIDATES,
    'false',
    'ok',
    /DANE is not used: POSTRIDER_DANE is false/,
  ],
  ['does not validate', KNOWS_NOTHING, undefined, 'ok', /DANE is not used/],
  ['does not validate, and is trusted to', KNOWS_NOTHING, 'true', 'warn', /do not report DNSSEC validation/],
  ['says that it validates, and believes everything', BELIEVES_ALL, undefined, 'bad', /wrong signatures/],
  ['does not answer', { org: 'SERVFAIL' }, undefined, 'unknown', /ESERVFAIL/],
])('says of a resolver that it %s', async (_, zone, setting, level, seen) => {
  room.zone.replaceZone(zone);
  const env = setting === undefined ? {} : { POSTRIDER_DANE: setting };
  const found = await room.find(dnssecCheck, { env });
  expect(found).toMatchObject([{ check: 'dnssec', level, seen: expect.stringMatching(seen) }]);
});
