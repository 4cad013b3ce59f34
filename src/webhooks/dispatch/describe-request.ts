/** Describes a call as the endpoint would get it now, for the log view. */
import type { Sql } from '../../database/sql.ts';
import type { DescribeRequest } from '../endpoints/described-request.ts';
import { loadMessages, type MessageContext } from './message.ts';
import { prefixesOf } from './sign.ts';

export function createDescribeRequest(db: Sql, telling: MessageContext, userAgent: string): DescribeRequest {
  return async (claim, { format }) => {
    const [message = 'removed'] = await loadMessages(db, [{ claim, format }], telling);
    if (typeof message === 'string') return null;
    const ids = prefixesOf(format).map((prefix) => [`${prefix}-id`, message.id]);
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...Object.fromEntries(ids),
    };
    return { headers, body: message.body };
  };
}
