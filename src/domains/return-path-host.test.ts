import { describe, expect, it } from 'vitest';
import type { Answer, MxRecord } from '../protocols/dns/answer.ts';
import { ReturnPathHosts } from './return-path-host.ts';

const HOST = 'Mail.Host.example';
const TO_US = ['mail.host.example'];
const SPF = 'v=spf1 include:mail.host.example ~all';

interface Zone {
  readonly mx?: readonly string[];
  readonly spf?: string;
}

/** `bounces.shop.example` as given, with a correct sending host. */
function setUp({ mx, spf }: Zone) {
  let nowMs = 0;
  const asked: string[] = [];
  const found = <T>(records: readonly T[] | undefined): Answer<T> =>
    records === undefined ? { kind: 'nxdomain' } : { kind: 'found', records };
  const hosts = new ReturnPathHosts({
    host: HOST,
    clock: { nowMs: () => nowMs },
    resolver: {
      mx: async (name) => {
        asked.push(name);
        return found<MxRecord>(mx?.map((exchange) => ({ priority: 10, exchange })));
      },
      txt: async (name) => {
        if (name === 'mail.host.example') return found(['v=spf1 a mx -all']);
        return found(name === 'bounces.shop.example' && spf !== undefined ? [spf] : undefined);
      },
    },
  });
  return { hosts, asked, wait: (ms: number) => (nowMs += ms) };
}

describe('the host of return paths', () => {
  it('is below the domain when both of its records point to us', async () => {
    expect(await setUp({ mx: TO_US, spf: SPF }).hosts.find('shop.example')).toBe('bounces.shop.example');
  });

  it.each([
    ['nothing is delegated', {}],
    ['only SPF is', { spf: SPF }],
    ['only the MX is', { mx: TO_US }],
    ['SPF names somebody else', { mx: TO_US, spf: 'v=spf1 include:other.example ~all' }],
    ['bounces go to somebody else as well', { mx: [...TO_US, 'mx.other.example'], spf: SPF }],
  ])('is ours when %s', async (_name, zone) => {
    expect(await setUp(zone).hosts.find('shop.example')).toBe(HOST);
  });

  it('is looked up periodically, and the cached answer is used meanwhile', async () => {
    const { hosts, asked, wait } = setUp({ mx: TO_US, spf: SPF });
    await Promise.all([hosts.find('shop.example'), hosts.find('shop.example')]);
    wait(9 * 60_000);
    await hosts.find('shop.example');
    expect(asked).toEqual(['bounces.shop.example']);
    wait(60_000);
    expect(await hosts.find('shop.example')).toBe('bounces.shop.example');
    expect(asked).toHaveLength(2);
  });

  it('is our host when the DNS answer takes too long or fails', async () => {
    const never = new Promise<never>(() => {});
    const txt = async () => ({ kind: 'nxdomain' }) as const;
    const clock = { nowMs: () => 0 };
    const silent = new ReturnPathHosts({ host: HOST, clock, resolver: { txt, mx: () => never } });
    expect(await silent.find('shop.example')).toBe(HOST);
    const mx = () => Promise.reject(new Error('no DNS'));
    expect(await new ReturnPathHosts({ host: HOST, clock, resolver: { txt, mx } }).find('shop.example')).toBe(
      HOST,
    );
  });
});
