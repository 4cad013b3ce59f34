import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import type { NameProof, SmtpTarget } from '../../protocols/smtp/facts.ts';
import { TLS_POLICIES } from '../../protocols/smtp/facts.ts';
import { demanding } from './require-tls.ts';

const hop: SmtpTarget = {
  ...{ host: 'mx.example.org', address: '192.0.2.1', port: 25, ehloName: 'us.test' },
  ...{ tls: 'opportunistic', tlsPolicy: 'opportunistic' },
};
const records = [{ usage: 3, selector: 1, matching: 1, data: Buffer.alloc(32) }];
const daneOf = (usable: boolean) => ({
  ...{ records: usable ? records : [], serverName: hop.host, names: [hop.host], key: 'key' },
});

const anyHop = fc.record({
  tls: fc.constantFrom('opportunistic', 'required', 'implicit', 'never'),
  tlsPolicy: fc.constantFrom(...TLS_POLICIES),
  verifyCertificate: fc.boolean(),
  nameProof: fc.constantFrom<NameProof>('dnssec', 'mta_sts', 'domain', 'ours'),
  dane: fc.option(fc.boolean().map(daneOf), { nil: undefined }),
});

describe('a host for mail that demands TLS', () => {
  it('is contacted over TLS with a verified certificate, whatever other mail requires', () => {
    fc.assert(
      fc.property(anyHop, ({ dane, ...more }) => {
        const asked = demanding({ ...hop, ...more, ...(dane ? { dane } : {}) } as SmtpTarget);
        if ('kind' in asked) throw new Error('It is proved to be the one.');
        const isVouchedFor = (asked.dane?.records.length ?? 0) > 0;
        expect(isVouchedFor || asked.verifyCertificate).toBe(true);
        expect(isVouchedFor || asked.tls === 'required' || asked.tls === 'implicit').toBe(true);
      }),
      runs(300),
    );
  });

  it('is not contacted without proof that it is the recipient’s host', () => {
    expect(demanding(hop)).toMatchObject({ kind: 'local', problem: 'server_unproven', host: hop.host });
  });

  it('defers the mail if the proof could not be looked up', () => {
    const unknown = demanding({ ...hop, nameProof: 'unknown' });
    expect(unknown).toMatchObject({ kind: 'local', problem: 'server_proof_unknown' });
  });
});
