import { describe, expect, it } from 'vitest';
import type { Answer } from '../protocols/dns/answer.ts';
import { fitSpf } from './spf-fit.ts';

const HOST = 'mail.host.test';
const ZONE: Readonly<Record<string, string>> = {
  [HOST]: 'v=spf1 a mx -all',
  'four.test': 'v=spf1 a mx a:one.test -all',
  'two.test': 'v=spf1 a -all',
};
const lookUp = async (name: string): Promise<Answer<string>> =>
  ZONE[name] === undefined ? { kind: 'nxdomain' } : { kind: 'found', records: [ZONE[name]] };
const fitted = (proposed: string, addresses: readonly string[] = ['192.0.2.1', '2001:db8::1']) =>
  fitSpf(lookUp, proposed, { host: HOST, addresses });

describe('a proposed SPF record', () => {
  it('is unchanged within ten lookups', async () => {
    const proposed = `v=spf1 include:${HOST} include:four.test include:two.test a ~all`;
    expect(await fitted(proposed)).toEqual({ record: proposed, leftOut: [], namesAddresses: false });
  });

  it('names our addresses when our include exceeds the limit', async () => {
    expect(await fitted(`v=spf1 include:${HOST} include:four.test include:two.test a mx -all`)).toEqual({
      record: 'v=spf1 ip4:192.0.2.1 ip6:2001:db8::1 include:four.test include:two.test a mx -all',
      leftOut: [],
      namesAddresses: true,
    });
  });

  it('leaves out terms beyond the limit and reports them', async () => {
    const many = 'include:four.test include:two.test a:b.test a:c.test include:two.test a:d.test mx';
    expect(await fitted(`v=spf1 include:${HOST} ${many} redirect=four.test`)).toEqual({
      record:
        'v=spf1 ip4:192.0.2.1 ip6:2001:db8::1 include:four.test include:two.test a:b.test a:c.test include:two.test ~all',
      leftOut: ['a:d.test', 'mx', 'redirect=four.test'],
      namesAddresses: true,
    });
  });

  it('keeps our include first when our addresses are unknown', async () => {
    expect(await fitted(`v=spf1 include:${HOST} include:four.test include:two.test a mx -all`, [])).toEqual({
      record: `v=spf1 include:${HOST} include:four.test include:two.test a -all`,
      leftOut: ['mx'],
      namesAddresses: false,
    });
  });
});
