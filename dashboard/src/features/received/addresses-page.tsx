/** Where mail is received: the domains with their MX records, and the addresses at them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useOpenDialog } from '../../app/open-dialog.ts';
import { useCan } from '../../app/session.ts';
import { Badge, Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { ConfirmDialog, Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { List } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { useToast } from '../../ui/toast.tsx';
import {
  type InboundRoute,
  inboundRoutesQuery,
  type ReceivingDomain,
  receivingDomainsQuery,
} from './queries.ts';

export function AddressesPage() {
  const can = useCan();
  const [addingDomain, setAddingDomain] = useOpenDialog('domain');
  const [addingRoute, setAddingRoute] = useOpenDialog('route');
  return (
    <>
      <PageHead
        title="Inbound addresses"
        lead="A route receives the mail of one address. Mail to an address without a route is refused."
        actions={
          can.change ? (
            <>
              <Button icon="plus" onClick={() => setAddingDomain(true)}>
                Add a domain
              </Button>
              <Button kind="primary" icon="plus" onClick={() => setAddingRoute(true)}>
                Add a route
              </Button>
            </>
          ) : null
        }
      />
      <div className="stack">
        <Card title="Routes" flush>
          <Routes />
        </Card>
        <Card title="Receiving domains" flush>
          <Domains />
        </Card>
      </div>
      {addingDomain ? <AddDomain onClose={() => setAddingDomain(false)} /> : null}
      {addingRoute ? <AddRoute onClose={() => setAddingRoute(false)} /> : null}
    </>
  );
}

function Routes() {
  const routes = useQuery(inboundRoutesQuery);
  const empty = (
    <Empty icon="received" title="No address receives mail yet">
      <p>Replies to emails that you send with receive_replies need no route.</p>
    </Empty>
  );
  return (
    <List of={routes} rows={routes.data} empty={empty}>
      {(rows) => (
        <Table columns={['Address', 'State']} actions="Actions">
          {rows.map((route) => (
            <tr key={route.id}>
              <td className="wrap">
                <span className="strong">{route.address}</span>
                <div className="quiet small">{route.description}</div>
              </td>
              <td>{route.enabled ? <Badge tone="good">receives</Badge> : <Badge>off</Badge>}</td>
              <td className="end">
                <RouteActions route={route} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </List>
  );
}

function RouteActions({ route }: { readonly route: InboundRoute }) {
  const can = useCan();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const turn = useMutation({
    mutationFn: () => api.inbound.routes.update(route.id, { enabled: !route.enabled }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['received', 'routes'] }),
  });
  if (!can.change) return null;
  return (
    <span className="row row-end">
      <Button
        size="small"
        busy={turn.isPending}
        onClick={() => turn.mutate()}
        aria-label={`${route.enabled ? 'Turn off' : 'Turn on'} ${route.address}`}
      >
        {route.enabled ? 'Turn off' : 'Turn on'}
      </Button>
      <Button
        size="small"
        kind="danger"
        onClick={() => setAsking(true)}
        aria-label={`Delete ${route.address}`}
      >
        Delete
      </Button>
      {asking ? (
        <ConfirmDialog
          title={`Delete ${route.address}?`}
          action="Delete route"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api.inbound.routes.delete(route.id);
            await client.invalidateQueries({ queryKey: ['received', 'routes'] });
          }}
        >
          Mail to this address is refused from then on. Received mail stays.
        </ConfirmDialog>
      ) : null}
    </span>
  );
}

function Domains() {
  const domains = useQuery(receivingDomainsQuery);
  const empty = (
    <Empty icon="domains" title="No domain receives mail yet">
      <p>
        Use a subdomain of a verified domain, such as reply.example.org. Existing mailboxes of the domain keep
        their mail.
      </p>
    </Empty>
  );
  return (
    <List of={domains} rows={domains.data} empty={empty}>
      {(rows) => (
        <Table columns={['Domain', 'MX record', 'Found']} actions="Actions">
          {rows.map((one) => (
            <tr key={one.domain}>
              <td className="wrap">
                <span className="strong">{one.domain}</span>{' '}
                {one.is_verified ? null : <Badge tone="warn">not verified</Badge>}
              </td>
              <td>
                <Copyable text={one.mx.expected} label="Copy the MX record" />
              </td>
              <td className="wrap">
                <Status value={one.mx.status} /> <span className="small quiet">{one.mx.message}</span>
              </td>
              <td className="end">
                <DomainActions domain={one} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </List>
  );
}

function DomainActions({ domain: { domain } }: { readonly domain: ReceivingDomain }) {
  const can = useCan();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const check = useMutation({
    mutationFn: () => api.inbound.domains.verify(domain),
    onSuccess: () => client.invalidateQueries({ queryKey: ['received', 'domains'] }),
  });
  return (
    <span className="row row-end">
      <Button
        size="small"
        busy={check.isPending}
        onClick={() => check.mutate()}
        aria-label={`Check ${domain}`}
      >
        Check
      </Button>
      {can.change ? (
        <Button size="small" kind="danger" onClick={() => setAsking(true)} aria-label={`Remove ${domain}`}>
          Remove
        </Button>
      ) : null}
      {asking ? (
        <ConfirmDialog
          title={`Stop receiving mail at ${domain}?`}
          action="Remove domain"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api.inbound.domains.remove(domain);
            await client.invalidateQueries({ queryKey: ['received'] });
          }}
        >
          The routes of this domain are deleted, too. Received mail stays.
        </ConfirmDialog>
      ) : null}
    </span>
  );
}

function AddDomain({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const say = useToast();
  const { form, set } = useForm({ domain: '' });
  const add = useMutation({
    mutationFn: () => api.inbound.domains.add(form.domain.trim()),
    onSuccess: async ({ domain }) => {
      await client.invalidateQueries({ queryKey: ['received', 'domains'] });
      say(`${domain} receives mail once its MX record is published.`);
      onClose();
    },
  });
  return (
    <Dialog title="Receive mail at a domain" onClose={onClose}>
      <DialogForm does={add} action="Add domain" known={['domain']} onClose={onClose}>
        <TextField
          label="Domain"
          required
          placeholder="reply.example.org"
          value={form.domain}
          onChange={set('domain')}
          hint="A verified domain of yours, or a subdomain of it."
          problem={problemOf(add.error, 'domain')}
        />
      </DialogForm>
    </Dialog>
  );
}

function AddRoute({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const say = useToast();
  const { form, set } = useForm({ address: '', description: '' });
  const add = useMutation({
    mutationFn: () =>
      api.inbound.routes.create({
        address: form.address.trim(),
        description: form.description.trim() === '' ? null : form.description,
      }),
    onSuccess: async ({ address }) => {
      await client.invalidateQueries({ queryKey: ['received', 'routes'] });
      say(`${address} receives mail.`);
      onClose();
    },
  });
  return (
    <Dialog title="Receive mail at an address" onClose={onClose}>
      <DialogForm does={add} action="Add route" known={['address', 'description']} onClose={onClose}>
        <TextField
          label="Address"
          required
          placeholder="support@reply.example.org"
          value={form.address}
          onChange={set('address')}
          hint="Write * before the @ to receive mail for all addresses without a route."
          problem={problemOf(add.error, 'address')}
        />
        <TextField
          label="Description"
          value={form.description}
          onChange={set('description')}
          hint="Optional. A note for your colleagues."
          problem={problemOf(add.error, 'description')}
        />
      </DialogForm>
    </Dialog>
  );
}
