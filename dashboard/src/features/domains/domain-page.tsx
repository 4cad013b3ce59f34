/** One domain, in tabs: its DNS records, the reports of receivers, its DKIM key and its tracking. */
import type { Domain } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useChoice } from '../../app/choice.ts';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PageHead } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { LocalTimes, Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { DkimRotation } from './dkim-rotation.tsx';
import { DnsTab } from './dns-tab.tsx';
import { DomainState } from './domains-page.tsx';
import { domainQuery } from './queries.ts';
import { DomainReports } from './reports.tsx';
import { TrackingCard } from './tracking-card.tsx';

const TABS = [
  { key: 'dns', label: 'DNS records' },
  { key: 'reports', label: 'Reports' },
  { key: 'dkim', label: 'DKIM key' },
  { key: 'tracking', label: 'Tracking' },
] as const;

type Tab = (typeof TABS)[number]['key'];

export function DomainPage() {
  const [tab, setTab] = useChoice('tab', TABS, 'dns');
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
            <div>
              <LocalTimes text={data.warning} />
            </div>
          </div>
        ) : null}
        {data.is_verified ? null : (
          <div className="note info">
            <Icon name="domains" />
            <div>
              Publish the DKIM record and the SPF record at the DNS provider of {data.display_name}, then
              verify. DNS changes can take minutes to hours. Postrider checks the records automatically
              meanwhile.
            </div>
          </div>
        )}
        <Tabs label="Domain" tabs={tabsOf(data)} chosen={tab} onChoose={setTab}>
          <div className="tab-body">
            <Panel tab={tab} domain={data} />
          </div>
        </Tabs>
      </div>
    </>
  );
}

function tabsOf({ dkim_rotation: rotation }: Domain) {
  if (rotation?.status !== 'waiting_for_dns') return TABS;
  return TABS.map(({ key, label }) => ({ key, label: key === 'dkim' ? `${label} (rotating)` : label }));
}

function Panel({ tab, domain }: { readonly tab: Tab; readonly domain: Domain }) {
  switch (tab) {
    case 'dns':
      return <DnsTab domain={domain} />;
    case 'reports':
      return <DomainReports id={domain.id} isVerified={domain.is_verified} />;
    case 'dkim':
      return <DkimRotation domain={domain} />;
    case 'tracking':
      return <TrackingCard domain={domain} />;
  }
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
          : 'The domain is not verified yet. The DNS records show what was found.',
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
