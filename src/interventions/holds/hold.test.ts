import { describe, expect, it } from 'vitest';
import { guardedLaneOf, type HoldableMail, HoldIndex, type HoldTarget } from './hold.ts';

const MAIL: HoldableMail = {
  organizationId: 'org_a',
  site: { name: '(mx1|mx2).example.net', provider: 'google' },
  fromDomain: 'shop.example',
  templateId: 'tmpl_1',
  tags: [{ name: 'kind', value: 'a:b' }],
  keyId: 'key_1',
};

const found = (target: HoldTarget, mail: HoldableMail = MAIL) =>
  new HoldIndex([{ id: 'hold_1', withWebhooks: false, ...target }]).find(mail)?.id ?? null;

describe('a hold', () => {
  it.each<HoldTarget>([
    { organizationId: null, scope: 'all', value: null },
    { organizationId: 'org_a', scope: 'organization', value: null },
    { organizationId: 'org_a', scope: 'domain', value: 'shop.example' },
    { organizationId: null, scope: 'domain', value: 'shop.example' },
    { organizationId: 'org_a', scope: 'template', value: 'tmpl_1' },
    { organizationId: 'org_a', scope: 'tag', value: 'kind' },
    { organizationId: 'org_a', scope: 'key', value: 'key_1' },
    { organizationId: null, scope: 'tag', value: 'kind:a:b' },
    { organizationId: null, scope: 'provider', value: 'google' },
    { organizationId: 'org_a', scope: 'provider', value: '(mx1|mx2).example.net' },
  ])('stops mail of its scope: %j', (target) => {
    expect(found(target)).toBe('hold_1');
  });

  it.each<HoldTarget>([
    { organizationId: 'org_b', scope: 'organization', value: null },
    { organizationId: 'org_b', scope: 'domain', value: 'shop.example' },
    { organizationId: null, scope: 'domain', value: 'example' },
    { organizationId: 'org_a', scope: 'template', value: 'tmpl_2' },
    { organizationId: 'org_a', scope: 'tag', value: 'kind:a' },
    { organizationId: 'org_b', scope: 'key', value: 'key_1' },
    { organizationId: 'org_a', scope: 'tag', value: 'Kind' },
    { organizationId: null, scope: 'provider', value: 'microsoft' },
  ])('lets other mail pass: %j', (target) => {
    expect(found(target)).toBeNull();
  });

  it.each<[string, Partial<HoldableMail>]>([
    ['message-stream', { stream: 'news' }],
    ['message-stream:news', { stream: 'news' }],
    ['message-stream:news', { stream: 'news', tags: null }],
    ['message-stream:transactional', { stream: null }],
  ])('of the tag %s stops mail whose stream it names: %j', (value, changes) => {
    expect(found({ organizationId: 'org_a', scope: 'tag', value }, { ...MAIL, ...changes })).toBe('hold_1');
  });

  it.each<[string, Partial<HoldableMail>]>([
    ['message-stream', { stream: null }],
    ['message-stream:news', { stream: 'bulk' }],
    ['message-stream:transactional', { stream: 'bulk' }],
    ['message-stream:transactional', {}],
  ])('of the tag %s lets other mail pass: %j', (value, changes) => {
    expect(found({ organizationId: 'org_a', scope: 'tag', value }, { ...MAIL, ...changes })).toBeNull();
  });

  it('of a template does not match mail that is not loaded yet', () => {
    const known = { organizationId: 'org_a', site: null };
    expect(found({ organizationId: 'org_a', scope: 'template', value: 'tmpl_1' }, known)).toBeNull();
    expect(found({ organizationId: 'org_a', scope: 'organization', value: null }, known)).toBe('hold_1');
  });
});

describe('the lane of a mail', () => {
  const inStream = (stream: string): HoldableMail => ({ ...MAIL, stream });

  it.each<[string, HoldableMail]>([
    ['tmpl_1 version 3 to google', { ...MAIL, templateVersion: 3 }],
    ['tmpl_1 version 3 in bulk to google', { ...inStream('bulk'), templateVersion: 3 }],
    ['shop.example to google', { ...MAIL, templateId: null }],
    ['shop.example to google', { ...MAIL, templateId: null, stream: null }],
    ['shop.example to google', { ...MAIL, templateId: null, tags: null }],
    ['shop.example in bulk to google', { ...inStream('bulk'), templateId: null }],
  ])('is %s', (lane, mail) => {
    expect(guardedLaneOf(mail)).toBe(lane);
  });
});
