import { expect, it } from 'vitest';
import type { Sql } from '../../database/sql.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { TemplateLibrary } from '../../templates/library.ts';
import { createLoader } from './load.ts';

it('an email that cannot be loaded does not fail the rest of its batch', async () => {
  const many = async (_statement: unknown, params: readonly unknown[] = []) => {
    if (JSON.stringify(params).includes('bad')) throw Object.assign(new Error('broken'), { code: 'XX001' });
    return [];
  };
  const load = createLoader({ many } as unknown as Sql, {} as TemplateLibrary);
  const delivery = (emailId: string) =>
    ({ emailId, position: 0, organizationId: 'org', size: 1 }) as ClaimedDelivery;
  const loaded = await Promise.allSettled([delivery('a'), delivery('bad'), delivery('b')].map(load));
  expect(loaded.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
