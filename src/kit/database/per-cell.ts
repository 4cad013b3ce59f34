/** What puts the work of many organizations together does so for each cell by itself: one that is away keeps nobody else waiting. */
import type { Database } from './database.ts';

/** One of them for each cell, made when it is first needed. */
export function perCell<T>(db: Database, create: (db: Database) => T): (organizationId: string) => T {
  const made = new Map<Database, T>();
  return (organizationId) => {
    const cell = db.of(organizationId);
    const known = made.get(cell);
    if (known !== undefined) return known;
    const one = create(cell);
    made.set(cell, one);
    return one;
  };
}
