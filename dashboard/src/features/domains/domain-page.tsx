/** One domain: its records to copy, and what DNS was found to say. */
import type { Domain, DomainCheck } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useChoice } from '../../app/choice.ts';
import { useCan } from '../../app/session.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, Copyable } from '../../ui/copy.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { DkimRotation } from './dkim-rotation.tsx';
import { DomainState } from './domains-page.tsx';
import { domainQuery } from './queries.ts';
import { DomainReports } from './reports.tsx';
import { TrackingCard } from './tracking-card.tsx';
import { zoneFile } from './zone-file.ts';

export function DomainPage() {
  const { id } = useParams({ from: '/app/domains/$id' });
  const domain = useQuery(domainQuery(id));
  const back = { to: '/domains', label: 'Domains' };
  if (!domain.data)
    return (
      <>
        <PageHead title="Domain" back={back} />
        <QueryState of={domain} />
      </>
    );
  const { data } = domain;
  return (
    <>
      <PageHead
        title={data.display_name}
        back={back}
        lead={
          <>
            <DomainState verified={data.is_verified} warning={data.warning} />{' '}
            {data.last_checked_at ? (
              <>
                Last checked <Time at={data.last_checked_at} />
              </>
            ) : (
              'Not checked yet'
            )}
            {data.next_check_at ? (
              <>
                , next{' '}
                {new Date(data.next_check_at).getTime() > Date.now() ? (
                  <Time at={data.next_check_at} />
                ) : (
                  'any moment'
                )}
              </>
            ) : null}
          </>
        }
        actions={<Actions domain={data} />}
      />
      <div className="stack">
        {data.warning ? (
          <div className="note bad">
            <Icon name="alert" />
            <div>{data.warning}</div>
          </div>
        ) : null}
        {data.is_verified ? null : (
          <div className="note info">
            <Icon name="domains" />
            <div>
              Publish the records below at the DNS provider of {data.display_name} , then verify. DNS changes
              can take minutes to hours. Postrider checks the records automatically meanwhile.
            </div>
          </div>
        )}
        <Records checks={data.checks} />
        <Recommended domain={data} />
        <DkimRotation domain={data} />
        <DomainReports id={data.id} isVerified={data.is_verified} />
        <TrackingCard domain={data} />
      </div>
    </>
  );
}

function Actions({ domain }: { readonly domain: Domain }) {
  const can = useCan();
  const client = useQueryClient();
  const navigate = useNavigate();
  const say = useToast();
  const [removing, setRemoving] = useState(false);
  const verify = useMutation({
    mutationFn: () => api.domains.verify(domain.id),
    onSuccess: (found) => {
      client.setQueryData(domainQuery(domain.id).queryKey, found);
      void client.invalidateQueries({ queryKey: ['domains'], exact: true });
      say(
        found.is_verified
          ? `${found.display_name} is verified.`
          : 'The domain is not verified yet. The records below show what was found.',
        found.is_verified ? 'good' : 'bad',
      );
    },
  });
  if (!can.change) return null;
  return (
    <>
      <Button kind="primary" icon="refresh" busy={verify.isPending} onClick={() => verify.mutate()}>
        Verify now
      </Button>
      <Button kind="danger" icon="trash" onClick={() => setRemoving(true)}>
        Delete
      </Button>
      {removing ? (
        <ConfirmDialog
          title={`Delete ${domain.display_name}?`}
          action="Delete domain"
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await api.domains.delete(domain.id);
            client.removeQueries({ queryKey: ['domains', domain.id] });
            await client.invalidateQueries({ queryKey: ['domains'], exact: true });
            await navigate({ to: '/domains' });
          }}
        >
          Mail can no longer be sent from this domain, and its DKIM key is destroyed. If you add the domain
          again, you have to publish a new record.
        </ConfirmDialog>
      ) : null}
      <ErrorNote error={verify.error} />
    </>
  );
}

const TITLES: Readonly<Record<DomainCheck['record'], string>> = {
  dkim: 'DKIM: proves that a message is yours',
  spf: 'SPF: lets this server send for you',
  dmarc: 'DMARC: tells receivers what to do with mail that only claims to be yours',
  sending_host: 'The sending host',
};

/** What mail goes out without, and is trusted less. */
function Recommended({ domain }: { readonly domain: Domain }) {
  return (
    <Card title="Recommended: the return path">
      <div className="stack">
        {domain.recommended_records
          .filter(({ name }) => !/^_dmarc\.|^_smtp\._tls\.|\._report\._dmarc\./.test(name))
          .map(({ type, name, value, purpose }) => (
            <div key={`${type} ${name}`} className="stack-small">
              <p>{purpose}</p>
              <dl className="facts">
                <dt>Type</dt>
                <dd>{type}</dd>
                <dt>Name</dt>
                <dd>
                  <Copyable text={name} label={`Copy the name of the ${type} record of ${name}`} />
                </dd>
                <dt>Value</dt>
                <dd>
                  <Copyable text={value} label={`Copy the value of the ${type} record of ${name}`} />
                </dd>
              </dl>
            </div>
          ))}
      </div>
    </Card>
  );
}

const SHAPES = [
  { key: 'one', label: 'One by one' },
  { key: 'zone', label: 'As a zone file' },
] as const;

function Records({ checks }: { readonly checks: readonly DomainCheck[] }) {
  const [shape, setShape] = useChoice('records', SHAPES, 'one');
  return (
    <>
      <div className="spread">
        <h2>DNS records</h2>
        <Segments label="Show records" options={SHAPES} chosen={shape} onChoose={setShape} />
      </div>
      {shape === 'zone' ? (
        <CodeBlock
          label="Copy the zone file"
          text={zoneFile(checks.map(({ type, name, expected }) => ({ type, name, value: expected })))}
        />
      ) : (
        checks.map((check) => <Check key={`${check.record} ${check.name}`} check={check} />)
      )}
    </>
  );
}

function Check({ check }: { readonly check: DomainCheck }) {
  return (
    <Card title={TITLES[check.record]} actions={<Status value={check.status} />}>
      <div className="stack">
        <p>{check.message}</p>
        <dl className="facts">
          <dt>Type</dt>
          <dd>{check.type}</dd>
          <dt>Name</dt>
          <dd>
            <Copyable text={check.name} label={`Copy the name of the ${check.record} record`} />
          </dd>
          <dt>Expected</dt>
          <dd>
            <Copyable text={check.expected} label={`Copy the value of the ${check.record} record`} />
          </dd>
          <dt>Found</dt>
          <dd>
            {check.found.length === 0 ? <span className="quiet">nothing</span> : null}
            {check.found.map((value) => (
              <code key={value} className="wrap">
                {value}
              </code>
            ))}
          </dd>
        </dl>
      </div>
    </Card>
  );
}
