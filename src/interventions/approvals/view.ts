/** The public form of an approval. */
import { repliesOf } from '../../emails/email.ts';
import { streamOf, tagsBesides } from '../../emails/stream.ts';
import { PRIORITIES } from '../../outbox/states.ts';
import type { ApprovalRow } from './store.ts';

/** `names`: the names of users and keys. */
export function approvalView(row: ApprovalRow, names: ReadonlyMap<string, string>) {
  const {
    from_email,
    from_name,
    addresses,
    tags: _tags,
    metadata: _metadata,
    priority: _rank,
    ...rest
  } = row;
  const { to, cc, bcc, reply_to } = addresses;
  return {
    ...rest,
    ...optionsView(row),
    api_key_name: names.get(row.api_key_id) ?? null,
    decided_by_name: row.decided_by === null ? null : (names.get(row.decided_by) ?? null),
    from: { email: from_email, name: from_name },
    ...{ to: [...to], cc: [...cc], bcc: [...bcc], reply_to, reply_to_list: [...repliesOf(addresses)] },
  };
}

function optionsView({ options, tags, metadata, priority }: ApprovalRow) {
  return {
    receive_replies: options.receive_replies === true,
    track_clicks: options.track_clicks ?? ('off' as const),
    require_tls: options.tls === 'required',
    locale: options.locale ?? null,
    stream: streamOf(tags ?? []),
    tags: tagsBesides(tags ?? []),
    metadata: { ...metadata },
    priority: PRIORITIES[priority] as (typeof PRIORITIES)[number],
  };
}

/** The users and keys whose names these rows show. */
export function actorsIn(rows: readonly ApprovalRow[]): string[] {
  return rows.flatMap((row) => [row.api_key_id, ...(row.decided_by === null ? [] : [row.decided_by])]);
}
