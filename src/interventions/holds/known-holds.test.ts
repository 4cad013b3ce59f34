import { expect, it } from 'vitest';
import type { Sql } from '../../database/sql.ts';
import type { NewEmail } from '../../emails/email.ts';
import { KnownHolds } from './known-holds.ts';

const email = {
  organizationId: 'org_1',
  fromDomain: 'shop.example',
  tags: null,
  template: null,
  scheduledAtMs: null,
  recipients: [{ address: { email: 'ada@example.org', domain: 'example.org' } }],
} as unknown as NewEmail;

it('reads the holds at most once a second, however many emails are accepted', async () => {
  const statements: string[] = [];
  const many = async ({ name }: { name: string }) => {
    statements.push(name);
    return [];
  };
  let nowMs = 0;
  const holds = new KnownHolds({ many } as unknown as Sql, { nowMs: () => nowMs });
  for (let i = 0; i < 100; i++) expect(await holds.on([email])).toEqual([null]);
  expect(statements).toEqual(['holds.in_force_described']);
  nowMs = 1_000;
  await holds.on([email]);
  expect(statements).toHaveLength(2);
});
