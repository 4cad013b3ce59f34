import { describe, expect, it } from 'vitest';
import { encodeReference, returnPathOf } from '../../protocols/message/return-path.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { newId, uuidv7 } from '../../runtime/ids.ts';
import { createMailboxes } from './mailboxes.ts';

const host = 'mail.example.org';
const key = Buffer.from('the key of this installation');
const NOW_MS = Date.UTC(2026, 10, 15);
const delivery = { organizationId: newId('org'), emailId: uuidv7(NOW_MS), position: 7 };
const keys = { at: () => key, all: () => [key] };
const find = createMailboxes({ host, keys, reportKeys: keys, nowMs: () => NOW_MS });

describe('mailboxes', () => {
  it('are the return paths that this installation signed', () => {
    const address = returnPathOf(encodeReference(delivery, key, NOW_MS), host);
    expect(find(address)).toEqual({ kind: 'return_path', delivery });
    expect(find(address.toUpperCase())).toEqual({ kind: 'return_path', delivery });
  });

  it('are gone when the return path has expired', () => {
    const fresh = encodeReference(delivery, key, NOW_MS - 30 * DAY_MS);
    const old = encodeReference(delivery, key, NOW_MS - 31 * DAY_MS);
    expect(find(returnPathOf(fresh, host))).toMatchObject({ kind: 'return_path' });
    expect(find(returnPathOf(old, host))).toEqual({ kind: 'expired' });
  });

  it('exclude addresses that another installation signed, and unsigned ones', () => {
    const forged = encodeReference(delivery, Buffer.from('another key'), NOW_MS);
    expect(find(returnPathOf(forged, host))).toEqual({ kind: 'unknown' });
    expect(find(`b+@${host}`)).toEqual({ kind: 'unknown' });
    expect(find(`root@${host}`)).toEqual({ kind: 'unknown' });
    expect(find('root')).toEqual({ kind: 'unknown' });
  });

  it.each(['fbl', 'abuse', 'postmaster'])('include %s in any case', (name) => {
    expect(find(`${name}@${host}`)).toEqual({ kind: 'open', name });
    expect(find(`${name.toUpperCase()}@MAIL.Example.ORG`)).toEqual({ kind: 'open', name });
  });

  it('include postmaster without a domain, and no other name', () => {
    expect(find('Postmaster')).toEqual({ kind: 'open', name: 'postmaster' });
    expect(find('abuse')).toEqual({ kind: 'unknown' });
  });

  it.each(['postmaster', 'abuse'])(
    'include %s below the domains of customers, if this installation receives mail there',
    (name) => {
      const perhaps = { kind: 'delegated', name, domain: 'shop.example' };
      expect(find(`${name.toUpperCase()}@Bounces.Shop.example`)).toEqual(perhaps);
      expect(find(`${name}@shop.example`)).toEqual({ kind: 'elsewhere' });
    },
  );

  it('include return paths below the domains of customers, and nothing else there', () => {
    const reference = encodeReference(delivery, key, NOW_MS);
    expect(find(returnPathOf(reference, 'bounces.shop.example'))).toEqual({ kind: 'return_path', delivery });
    expect(find(returnPathOf(reference, 'shop.example'))).toEqual({ kind: 'elsewhere' });
    expect(find(`b+${reference.replace(/.$/, 'i')}@bounces.shop.example`)).toEqual({ kind: 'elsewhere' });
    expect(find('fbl@bounces.shop.example')).toEqual({ kind: 'elsewhere' });
  });

  it('exist on no other host', () => {
    expect(find('postmaster@example.org')).toEqual({ kind: 'elsewhere' });
    expect(find(`fbl@${host}.example.net`)).toEqual({ kind: 'elsewhere' });
    expect(find(`someone@example.net@${host}`)).toEqual({ kind: 'unknown' });
    expect(find(`fbl%example.net@${host}`)).toEqual({ kind: 'unknown' });
    expect(find('"fbl@mail.example.org"@example.net')).toEqual({ kind: 'elsewhere' });
  });
});
