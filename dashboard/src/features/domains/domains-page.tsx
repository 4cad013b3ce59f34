/** Sending domains, and adding one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useOpenDialog } from '../../app/open-dialog.ts';
import { useCan, useMode } from '../../app/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { List } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { domainsQuery } from './queries.ts';

export function DomainsPage() {
  const can = useCan();
  const sandbox = useMode() === 'sandbox';
  const domains = useQuery(domainsQuery);
  const [adding, setAdding] = useOpenDialog('add');
  const add = can.change ? (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      Add a domain
    </Button>
  ) : null;
  return (
    <>
      <PageHead
        title="Domains"
        lead={
          sandbox
            ? 'The domains you can send from. In the sandbox every domain verifies at once, except those under .invalid, which show what a failure looks like.'
            : 'The domains you can send from, once their DNS allows this server.'
        }
        actions={add}
      />
      <Card flush>
        <List
          of={domains}
          rows={domains.data}
          csv="domains"
          empty={
            <Empty icon="domains" title="No domain yet">
              <p>
                Add the domain that your mail comes from. You get two DNS records to publish: a DKIM record,
                with which receivers check the signature, and an SPF record, which allows this server to send
                for you. Postrider checks the records automatically until both are found.
              </p>
              {add}
            </Empty>
          }
        >
          {(rows) => (
            <Table columns={['Domain', 'State', 'DKIM', 'SPF', 'Last checked']}>
              {rows.map((domain) => (
                <tr key={domain.id}>
                  <td>
                    <Link to="/domains/$id" params={{ id: domain.id }} className="row-link">
                      {domain.display_name}
                    </Link>
                  </td>
                  <td>
                    <DomainState verified={domain.is_verified} warning={domain.warning} />
                  </td>
                  <td>{domain.dkim_verified ? 'found' : 'missing'}</td>
                  <td>{domain.spf_verified ? 'found' : 'missing'}</td>
                  <td className="quiet">
                    <Time at={domain.last_checked_at} none="not yet" />
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </List>
      </Card>
      {adding ? <AddDomain onClose={() => setAdding(false)} /> : null}
    </>
  );
}

export function DomainState({
  verified,
  warning,
}: {
  readonly verified: boolean;
  readonly warning: string | null;
}) {
  if (!verified) return <Badge tone="warn">not verified</Badge>;
  return warning ? <Badge tone="bad">failing</Badge> : <Badge tone="good">verified</Badge>;
}

function AddDomain({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const sandbox = useMode() === 'sandbox';
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => api.domains.create(name.trim()),
    onSuccess: async (domain) => {
      // The sandbox's own DNS has the records already.
      if (sandbox) await api.domains.verify(domain.id).catch(() => undefined);
      await client.invalidateQueries({ queryKey: ['domains'] });
      onClose();
      await navigate({ to: '/domains/$id', params: { id: domain.id } });
    },
  });
  return (
    <Dialog title="Add a domain" onClose={onClose}>
      <DialogForm does={create} action="Add domain" known={['domain']} onClose={onClose}>
        <TextField
          label="Domain"
          required
          autoFocus
          placeholder="mail.example.org"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint="A subdomain, such as mail.example.org, keeps its reputation separate from that of your other mail."
          problem={problemOf(create.error, 'domain')}
        />
      </DialogForm>
    </Dialog>
  );
}
