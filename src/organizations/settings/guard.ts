/** Whether the guard may hold back mail of an organization that has left what is usual for it. */
import { Type } from 'typebox';
import type { Sql } from '../../kit/database/sql.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { strictObject } from '../../kit/schema.ts';
import { ColumnSetting, columnOf } from './column.ts';
import { defineSetting } from './setting.ts';

const GUARD = columnOf('guard', true);

const enabled = Type.Boolean({
  description:
    'Whether mail that suddenly most servers refuse, or that floods one address, is held back by itself until somebody releases or discards it.',
});

export const setGuardBody = strictObject({ enabled }, { $id: 'SetGuard', examples: [{ enabled: true }] });

export function guardSetting(db: Sql, clock: Clock) {
  const column = new ColumnSetting(GUARD, { db, clock });
  return defineSetting({
    name: 'guard',
    toRead: 'Read whether the guard is on',
    toChange: 'Turn the guard on or off',
    description: 'Holds that it has placed stay as they are.',
    shown: Type.Object({ enabled }, { $id: 'Guard' }),
    taken: setGuardBody,
    audit: { action: 'settings.guard_changed', show: ['enabled'] },
    read: async (organizationId) => ({ enabled: await column.of(organizationId) }),
    change: async (organizationId, asked) => {
      await column.set(organizationId, asked.enabled);
      return { enabled: asked.enabled };
    },
  });
}

/** For the guard itself, which asks on the rare occasion. */
export async function isGuarded(db: Sql, organizationId: string): Promise<boolean> {
  return (await db.maybeOne(GUARD.select, [organizationId]))?.value === true;
}
