/** `GET /events`: the events of all of an organization's mail. For keys of scope `full`. */
import { type Static, Type } from 'typebox';
import { checkOwnKey, keyField } from '../../accounts/api-keys/own-key.ts';
import type { Reads } from '../../database/reads.ts';
import type { Sql } from '../../database/sql.ts';
import { recipientField, typeField } from '../../events/query-schema.ts';
import { parseEventId } from '../../events/read.ts';
import { streamView } from '../../events/stream.ts';
import { toAddress } from '../../http/address-field.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dateField, momentOfDate } from '../../http/fields.ts';
import { cursorFields, cursorPage, cursorPageOf } from '../../http/pagination.ts';
import { checked, strictObject } from '../../http/schema.ts';
import { event } from '../event-schema.ts';
import { type EventFilter, readEvents } from '../lists/events-to.ts';

const query = strictObject({
  ...cursorFields,
  cursor: Type.Optional(
    checked(cursorFields.cursor, (text, problems) => {
      if (parseEventId(text) === null)
        problems.add('', 'is not a cursor of this list: use a next_cursor that this list returned');
    }),
  ),
  type: typeField,
  recipient: recipientField,
  api_key_id: keyField('Only events of mail that was sent with this API key. The key may be revoked.'),
  from_date: Type.Optional(
    dateField('Only events at or after this time. A date means the beginning of that UTC day.'),
  ),
  to_date: Type.Optional(
    dateField('Only events at or before this time. A date means the end of that UTC day.'),
  ),
});

const streamEvent = Type.Object({ ...event.properties, email_id: Type.String() }, { $id: 'StreamEvent' });

const list = {
  tags: ['Events'],
  summary: 'List events, newest first',
  querystring: query,
  response: { 200: cursorPageOf(streamEvent) },
};

interface EventRouteDeps {
  readonly db: Sql;
  readonly reads: Reads;
}

export function eventRoutes({ db, reads }: EventRouteDeps): ApiRoutes {
  return async (app) => {
    app.get('/events', { schema: list }, async ({ principal, query }) => {
      const { organizationId } = principal;
      await checkOwnKey(db, organizationId, 'api_key_id', query.api_key_id);
      const rows = await readEvents(reads.lately(organizationId), organizationId, toFilter(query));
      return cursorPage(rows, query.limit, { view: streamView, cursor: (row) => streamView(row).id });
    });
  };
}

function toFilter(asked: Static<typeof query>): EventFilter {
  return {
    beforeId: asked.cursor === undefined ? null : parseEventId(asked.cursor),
    type: asked.type ?? null,
    recipient: asked.recipient === undefined ? null : toAddress(asked.recipient).email,
    sentWith: asked.api_key_id ?? null,
    fromMs: asked.from_date === undefined ? null : momentOfDate(asked.from_date, 'firstMs'),
    toMs: asked.to_date === undefined ? null : momentOfDate(asked.to_date, 'lastMs'),
    limit: asked.limit + 1,
  };
}
