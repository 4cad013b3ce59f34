/** What a domain has of its own about tracking: whether its mail is tracked, and the host of its links. */
import type { Domain } from '@postrider/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Status } from '../../ui/badge.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { onSubmit } from '../../ui/form.ts';
import { Card } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SaveRow } from '../settings/save-row.tsx';
import { CLICK_WORDS } from '../settings/tracking-card.tsx';
import { domainQuery } from './queries.ts';
import { RecordFacts } from './record-facts.tsx';

type Tracking = Domain['tracking'];
/** As the fields of the form have it: an empty text is the organization's setting. */
type Fields = { readonly opens: string; readonly clicks: string; readonly host: string };

const OPEN_WORDS = { '': 'Same as the organization', true: 'Yes', false: 'No' } as const;

export function TrackingCard({ domain }: { readonly domain: Domain }) {
  const can = useCan();
  const client = useQueryClient();
  const say = useToast();
  const [edited, setEdited] = useState<Partial<Fields>>({});
  const current = fieldsOf(domain.tracking);
  const fields = { ...current, ...edited };
  const isChanged = JSON.stringify(fields) !== JSON.stringify(current);
  const save = useMutation({
    mutationFn: () => api.domains.setTracking(domain.id, bodyOf(fields)),
    onSuccess: (found) => {
      client.setQueryData(domainQuery(domain.id).queryKey, found);
      setEdited({});
      say('Saved.');
    },
  });
  const edit = (change: Partial<Fields>) => setEdited({ ...edited, ...change });
  return (
    <Card title="Tracking">
      <form className="stack" onSubmit={onSubmit(save.mutate)}>
        <SelectField
          label="Track opens of mail from this domain"
          value={fields.opens}
          disabled={!can.change}
          onChange={(event) => edit({ opens: event.target.value })}
        >
          {Object.entries(OPEN_WORDS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Track clicks in mail from this domain"
          value={fields.clicks}
          disabled={!can.change}
          onChange={(event) => edit({ clicks: event.target.value })}
        >
          <option value="">Same as the organization</option>
          {Object.entries(CLICK_WORDS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Tracking domain"
          hint={`A name below the domain, such as links.${domain.domain}, instead of the address of this installation.`}
          value={fields.host}
          disabled={!can.change}
          problem={problemOf(save.error, 'host')}
          onChange={(event) => edit({ host: event.target.value })}
        />
        {domain.tracking.host ? <Host host={domain.tracking.host} /> : null}
        <ErrorNote error={save.error} />
        <SaveRow changed={isChanged} busy={save.isPending} />
      </form>
    </Card>
  );
}

function Host({ host }: { readonly host: NonNullable<Tracking['host']> }) {
  return (
    <div className="stack-small">
      <div className="row">
        <Status value={host.status} />
        <span className="quiet small">
          {host.in_use
            ? 'Tracked links use this domain.'
            : 'Tracked links do not use this domain yet. They lead to the address of this installation.'}
        </span>
      </div>
      <p>{host.message}</p>
      <RecordFacts type={host.type} name={host.name} value={host.expected} record="CNAME record" />
    </div>
  );
}

function fieldsOf({ track_opens, track_clicks, host }: Tracking): Fields {
  return {
    opens: track_opens === null ? '' : String(track_opens),
    clicks: track_clicks ?? '',
    host: host?.name ?? '',
  };
}

function bodyOf({ opens, clicks, host }: Fields) {
  return {
    track_opens: opens === '' ? null : opens === 'true',
    track_clicks: clicks === '' ? null : (clicks as NonNullable<Tracking['track_clicks']>),
    host: host.trim() === '' ? null : host.trim(),
  };
}
