import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan, useMe, useSwitchOrganization } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { onSubmit } from '../../ui/form.ts';
import { Card } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';

export function OrganizationCard() {
  const me = useMe();
  const can = useCan();
  const client = useQueryClient();
  const say = useToast();
  const [name, setName] = useState(me.organization.name);
  const [creating, setCreating] = useState(false);
  const organization = useQuery({ queryKey: ['organization'], queryFn: () => api.organization.get() });
  const rename = useMutation({
    mutationFn: () => api.organization.update({ name }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['auth'] });
      say('Renamed.');
    },
  });
  return (
    <Card
      title="Organization"
      actions={
        can.own && organization.data?.organization_creation === 'owners' ? (
          <Button size="small" onClick={() => setCreating(true)}>
            New organization
          </Button>
        ) : null
      }
    >
      <form className="stack" onSubmit={onSubmit(rename.mutate)}>
        <TextField
          label="Name"
          required
          value={name}
          disabled={!can.own}
          onChange={(event) => setName(event.target.value)}
          problem={problemOf(rename.error, 'name')}
        />
        <div className="spread">
          <Copyable text={me.organization.id} label="Copy the id of the organization" />
          {can.own ? (
            <Button
              kind="primary"
              type="submit"
              disabled={name === me.organization.name}
              busy={rename.isPending}
            >
              Rename
            </Button>
          ) : null}
        </div>
        <ErrorNote error={rename.error} known={['name']} />
      </form>
      {creating ? <NewOrganization onClose={() => setCreating(false)} /> : null}
    </Card>
  );
}

function NewOrganization({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const switchTo = useSwitchOrganization();
  const create = useMutation({
    mutationFn: () => api.organization.create({ name }),
    onSuccess: ({ id }) => switchTo.mutate(id),
  });
  return (
    <Dialog title="New organization" onClose={onClose}>
      <form className="stack" onSubmit={onSubmit(create.mutate)}>
        <p className="quiet">
          The new organization has its own mail, keys, domains and members. You become its owner and switch to
          it.
        </p>
        <TextField
          label="Name"
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
          problem={problemOf(create.error, 'name')}
        />
        <ErrorNote error={create.error ?? switchTo.error} known={['name']} />
        <div className="row row-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={create.isPending || switchTo.isPending}>
            Create organization
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
