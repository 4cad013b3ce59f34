/** One site: why mail waits for it, at what pace it goes, and whose mail that is. */
import type { Site } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { isGone, siteQuery } from './queries.ts';
import { SiteActions } from './site-actions.tsx';
import { NextTry, SiteState } from './site-parts.tsx';
import { isSilent, paceOf, waitingOf } from './words.ts';

const BACK = { to: '/sites', label: 'Receiving servers' };

export function SitePage() {
  const { id } = useParams({ from: '/app/sites/$id' });
  const site = useQuery(siteQuery(id));
  if (isGone(site.error)) return <NothingWaits />;
  if (!site.data)
    return (
      <>
        <PageHead title="Receiving server" back={BACK} />
        <QueryState of={site} />
      </>
    );
  const { data } = site;
  return (
    <>
      <PageHead
        title={data.name}
        back={BACK}
        lead={
          <>
            <SiteState site={data} /> {data.message}
          </>
        }
        actions={<SiteActions site={data} />}
      />
      <div className="stack">
        <ErrorNote error={site.error} onRetry={site.refetch} />
        <div className="columns">
          <div className="stack">
            <Why site={data} />
            <Domains site={data} />
          </div>
          <Facts site={data} />
        </div>
      </div>
    </>
  );
}

/** It may have been here a moment ago. */
function NothingWaits() {
  return (
    <>
      <PageHead title="Receiving server" back={BACK} />
      <Card flush>
        <Empty icon="sites" title="No mail waits for this server">
          <p>None of your mail waits for this server, and the server has no problem.</p>
          <Link to="/sites">Show all servers that mail waits for</Link>
        </Empty>
      </Card>
    </>
  );
}

function Why({ site }: { readonly site: Site }) {
  const isPaused = site.state === 'paused';
  if (site.reply === null || isPaused)
    return (
      <Card title="Why">
        <p>{isPaused ? 'An operator paused sending to this server.' : 'None of its replies delays mail.'}</p>
      </Card>
    );
  const silent = isSilent(site.reason);
  return (
    <Card title={silent ? 'What happened' : 'Reply of the server'}>
      <div className="stack-small">
        <pre className="code">{site.reply}</pre>
        <p className="quiet small">
          {silent
            ? 'No server answered. Postrider wrote this description.'
            : 'The reply of the server, without addresses. The reply may be about other mail.'}
        </p>
      </div>
    </Card>
  );
}

function Domains({ site }: { readonly site: Site }) {
  if (site.domains.length === 0) return null;
  return (
    <Card title="Mail to these domains waits">
      <ul>
        {site.domains.map((domain) => (
          <li key={domain} className="wrap">
            <Link to="/emails" search={{ status: 'queued', to: `@${domain}` }}>
              {domain}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Facts({ site }: { readonly site: Site }) {
  return (
    <Card title={site.editable ? 'Mail of all organizations' : 'Your mail'}>
      <dl className="facts">
        <dt>Waiting</dt>
        <dd>{waitingOf(site)}</dd>
        <dt>Oldest due</dt>
        <dd>
          <Time at={site.oldest_due_at} />
        </dd>
        <dt>Next attempt</dt>
        <dd>
          <NextTry site={site} />
        </dd>
        <dt>Pace</dt>
        <dd>{paceOf(site)}</dd>
        <dt>Since</dt>
        <dd>
          <Time at={site.since} style="exact" />
        </dd>
      </dl>
    </Card>
  );
}
