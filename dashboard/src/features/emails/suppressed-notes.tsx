/** Above the results: that somebody who is looked for gets no mail at all, since when, why, and because of which email. */
import type { SearchHit } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { words } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import type { EmailSearch } from './search.ts';

/** More would push down what was looked for. */
const MOST_SHOWN = 3;
/** Fewer characters are part of too many names and addresses. */
const LEAST_CHARS = 3;

export function SuppressedNotes({ search }: { readonly search: EmailSearch }) {
  const asked = personIn(search);
  const found = useQuery({
    queryKey: ['suppressions', 'named', asked],
    queryFn: ({ signal }) => api.search.find({ q: asked, kinds: 'suppressions' }, { signal }),
    enabled: asked.length >= LEAST_CHARS,
  });
  const [group] = found.data ?? [];
  if (group === undefined || group.hits.length === 0) return null;
  return (
    <div className="stack-small above-list" role="status">
      {group.hits.slice(0, MOST_SHOWN).map((hit) => (
        <SuppressedNote key={hit.id} hit={hit} />
      ))}
      {group.has_more || group.hits.length > MOST_SHOWN ? (
        <p className="small">
          <Link to="/suppressions" search={{ search: asked }}>
            More suppressed addresses match
          </Link>
        </p>
      ) : null}
    </div>
  );
}

function SuppressedNote({ hit }: { readonly hit: SearchHit }) {
  const { title: address, name, state, message } = hit;
  return (
    <div className="note warn">
      <Icon name="suppressions" />
      <span className="wrap">
        <strong>{name === null ? address : `${name} <${address}>`}</strong> is suppressed:{' '}
        {words(state ?? '')}, since <Time at={hit.at} style="exact" />. {message}{' '}
        {hit.email_id ? (
          <Link to="/emails/$id" params={{ id: hit.email_id }}>
            Show the email that caused the suppression
          </Link>
        ) : (
          <Link to="/suppressions" search={{ email: address }}>
            Show the suppression
          </Link>
        )}
      </span>
    </div>
  );
}

/** The recipient who is asked for, or the words of a search, which may be a name or a part of an address. */
function personIn({ to, search }: EmailSearch): string {
  return to === undefined || to.startsWith('@') ? (search ?? '').trim() : to;
}
