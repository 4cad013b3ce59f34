/** Makes PostgreSQL fail with a given SQLSTATE the next `times` times that a matching row is changed. */
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';

/** Temporary errors, which are not caused by the statement: one of each class, and the most common ones. */
export const PASSING_STATES = [
  '08006', // the connection broke
  '25006', // the server only reads
  '25P03', // idle in a transaction for too long
  '40001',
  '40P01', // a deadlock
  '53100', // the disk is full
  '53300', // too many connections
  '55P03', // a lock is held
  '57014', // the statement was cancelled
  '57P01', // an administrator ended the session
  '58030', // the disk cannot be read
  'XX000', // a bug of PostgreSQL's
] as const;

export interface RefusedWhat {
  readonly what: 'DELETE' | 'INSERT' | 'UPDATE';
  readonly table: string;
  /** A condition on the row, in SQL. */
  readonly when?: string;
}

export class Refusals {
  readonly #db: Database;
  readonly #refused = new Set<string>();

  private constructor(db: Database) {
    this.#db = db;
  }

  static async of(db: Database): Promise<Refusals> {
    await db.exec(adHoc('CREATE SEQUENCE refusals'));
    await db.exec(
      // A sequence, because it is not rolled back with the failed statement.
      adHoc(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN
               IF nextval('refusals') <= TG_ARGV[1]::int THEN
                 RAISE EXCEPTION 'refused' USING ERRCODE = TG_ARGV[0];
               END IF;
               RETURN coalesce(NEW, OLD);
             END $$`),
    );
    return new Refusals(db);
  }

  /** Replaces the earlier refusals: the next `times` matching rows are refused. */
  async refuse(state: string, times: number, ...refused: readonly RefusedWhat[]): Promise<void> {
    await this.relent();
    for (const { what, table, when = 'true' } of refused) {
      this.#refused.add(table);
      await this.#db.exec(
        adHoc(`CREATE TRIGGER refuses BEFORE ${what} ON ${table} FOR EACH ROW WHEN (${when})
               EXECUTE FUNCTION refuse('${state}', ${times})`),
      );
    }
  }

  async relent(): Promise<void> {
    for (const table of this.#refused) await this.#db.exec(adHoc(`DROP TRIGGER refuses ON ${table}`));
    this.#refused.clear();
    await this.#db.exec(adHoc(`SELECT setval('refusals', 1, false)`));
  }

  /** How many matching rows were changed, refused or not. */
  async asked(): Promise<number> {
    const { asked } = await this.#db.one(
      adHoc<{ asked: number }>(
        'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS asked FROM refusals',
      ),
    );
    return asked;
  }
}
