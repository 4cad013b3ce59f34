import type { Site } from '@postrider/sdk';
import { Link } from '@tanstack/react-router';
import { Shortened } from '../../ui/shortened.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { SiteActions } from './site-actions.tsx';
import { NextTry, Reply, SiteState } from './site-parts.tsx';
import { paceOf, waitingOf } from './words.ts';

export function SiteTable({ sites }: { readonly sites: readonly Site[] }) {
  const mayChange = sites.some((site) => site.editable);
  return (
    <Table
      columns={['Server', 'State', 'Since', 'Emails waiting', 'Next attempt']}
      actions={mayChange ? 'Actions' : undefined}
    >
      {sites.map((site) => (
        <SiteRow key={site.id} site={site} mayChange={mayChange} />
      ))}
    </Table>
  );
}

function SiteRow({ site, mayChange }: { readonly site: Site; readonly mayChange: boolean }) {
  return (
    <tr>
      <td className="wrap">
        <Link to="/sites/$id" params={{ id: site.id }} className="row-link">
          <Shortened text={site.name} />
        </Link>
        <Reply site={site} />
      </td>
      <td>
        <SiteState site={site} />
        <div className="quiet small">{paceOf(site)}</div>
      </td>
      <td className="quiet" data-label="Since">
        <Time at={site.since} />
      </td>
      <td className="number" data-label="Emails waiting">
        {waitingOf(site)}
      </td>
      <td data-label="Next attempt">
        <NextTry site={site} />
      </td>
      {mayChange ? (
        <td className="end">
          <SiteActions site={site} size="small" />
        </td>
      ) : null}
    </tr>
  );
}
