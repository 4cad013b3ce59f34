/** Where mail waits, and why. */
import type { Site } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMe } from '../../app/session.ts';
import { List } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { SavedViews } from '../views/saved-views.tsx';
import { sitesQuery } from './queries.ts';
import { SiteTable } from './site-table.tsx';

const OPTIONS = [
  { key: 'organization', label: 'Your mail' },
  { key: 'installation', label: 'All organizations' },
] as const;

const LEADS = {
  organization:
    'The servers that your mail waits for, with their state, their replies and the time of the next attempt.',
  installation: 'All servers that mail of any organization waits for. Changes here affect all organizations.',
} as const;

export function SitesPage() {
  const { is_operator: isOperator } = useMe();
  const search = useSearch({ from: '/app/sites' });
  const navigate = useNavigate();
  const view = isOperator ? (search.view ?? 'organization') : 'organization';
  const sites = useQuery(sitesQuery(view));
  return (
    <>
      <PageHead
        title="Receiving servers"
        lead={LEADS[view]}
        actions={
          isOperator ? (
            <Segments
              label="Whose mail"
              options={OPTIONS}
              chosen={view}
              onChoose={(key) =>
                navigate({ to: '/sites', search: key === 'organization' ? {} : { view: key } })
              }
            />
          ) : null
        }
      />
      <Card flush>
        <SavedViews list="sites" />
        <List of={sites} rows={sites.data} csv="sites" empty={<NoSites isOfAll={view === 'installation'} />}>
          {(rows) => <SiteTable sites={rows} />}
        </List>
      </Card>
      {view === 'organization' && sites.data ? <Counted sites={sites.data} /> : null}
    </>
  );
}

function NoSites({ isOfAll }: { readonly isOfAll: boolean }) {
  return (
    <Empty
      icon="sites"
      title={isOfAll ? 'No mail waits, and no server has a problem' : 'No mail waits for a server'}
    >
      <p>
        Mail waits for a receiving server that throttles it, cannot be reached or is paused. The server is
        then listed here with its reply and the time of the next attempt. Mail hosts that several domains
        share are listed once. The API calls them a site.
      </p>
      <Link to="/emails" search={{ status: 'queued' }}>
        Show all queued emails
      </Link>
    </Empty>
  );
}

/** The server looks at no more than this of an organization's queue. */
const MAX_COUNTED = 10_000;

function Counted({ sites }: { readonly sites: readonly Site[] }) {
  const total = sites.reduce((sum, { due, scheduled }) => sum + due + scheduled, 0);
  if (total < MAX_COUNTED) return null;
  return <p className="quiet small">Only the first 10,000 emails of a long queue are counted.</p>;
}
