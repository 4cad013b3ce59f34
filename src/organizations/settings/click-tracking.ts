/** The default for click tracking of an organization's links. */

import type { Sql } from '../../database/sql.ts';
import type { ClickTracking } from '../../emails/email.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ColumnSetting, columnOf } from './column.ts';

const TRACK_CLICKS = columnOf<ClickTracking>('track_clicks', 'off');

export class ClickTrackingDefault {
  readonly #column: ColumnSetting<ClickTracking>;

  constructor(db: Sql, clock: Clock) {
    this.#column = new ColumnSetting(TRACK_CLICKS, { db, clock });
  }

  of(organizationId: string): Promise<ClickTracking> {
    return this.#column.of(organizationId);
  }

  set(organizationId: string, which: ClickTracking): Promise<void> {
    return this.#column.set(organizationId, which);
  }
}
