/** Above the results: that somebody who is looked for gets no mail at all, since when, why, and because of which email. */
import type { Suppression } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { words } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import { isWhole, suppressionsQuery } from '../suppressions/queries.ts';
import type { EmailSearch } from './search.ts';

/** More would push down what was looked for. */
const MOST_SHOWN = 3;
/** Fewer characters are the beginning of too many addresses. */
const LEAST_CHARS = 3;

export function SuppressedNotes({ search }: { readonly search: EmailSearch }) {
  const address = addressIn(search);
  const found = useQuery({
    ...suppressionsQuery(isWhole(address) ? { email: address } : { search: address ?? '' }),
    enabled: address !== undefined,
    placeholderData: () => undefined,
  });
  if (address === undefined || found.data === undefined || found.data.data.length === 0) return null;
  const more = found.data.pagination.total_count - MOST_SHOWN;
  return (
    <div className="stack-small above-list" role="status">
      {found.data.data.slice(0, MOST_SHOWN).map((entry) => (
        <SuppressedNote key={entry.id} entry={entry} />
      ))}
      {more > 0 ? (
        <p className="small">
          <Link to="/suppressions" search={{ search: address }}>
            {more === 1
              ? 'One more suppressed address matches'
              : `${more.toLocaleString()} more suppressed addresses match`}
          </Link>
        </p>
      ) : null}
    </div>
  );
}

function SuppressedNote({ entry }: { readonly entry: Suppression }) {
  const group = entry.unsubscribe_group;
  return (
    <div className="note warn">
      <Icon name="suppressions" />
      <span className="wrap">
        <strong>{entry.email}</strong>{' '}
        {group ? `gets no mail of the group ${group}` : 'is suppressed and gets no mail'}:{' '}
        {words(entry.reason)}
        {entry.cause ? ` (${words(entry.cause)})` : ''}, since <Time at={entry.created_at} style="exact" />.{' '}
        {entry.email_id ? (
          <Link to="/emails/$id" params={{ id: entry.email_id }}>
            Show the email that caused the suppression
          </Link>
        ) : (
          <Link to="/suppressions" search={{ email: entry.email }}>
            Show the suppression
          </Link>
        )}
      </span>
    </div>
  );
}

/** The recipient who is asked for, or what may be the beginning or the end of an address. */
function addressIn({ to, search }: EmailSearch): string | undefined {
  if (to !== undefined && !to.startsWith('@')) return to;
  const texts = (search ?? '').split(/\s+/);
  const asked = texts.find((text) => text.includes('@')) ?? (texts.length === 1 ? texts[0] : undefined);
  return asked !== undefined && asked.length >= LEAST_CHARS ? asked : undefined;
}
