import type { CreatedApiKey } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { endOfDay } from '../../ui/day-range.tsx';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { domainsQuery } from '../domains/queries.ts';
import { EMPTY_POLICY, POLICY_FIELDS, PolicyFields, policyOf } from './policy-fields.tsx';
import { SCOPES, type Scope, scopeOf } from './scopes.ts';
import { ShownOnce } from './shown-once.tsx';

export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const onCreated = (key: CreatedApiKey) => {
    setCreated(key);
    void client.invalidateQueries({ queryKey: ['api-keys'] });
  };
  if (created) return <ShownOnce created={created} onClose={onClose} />;
  return (
    <Dialog title="Create an API key" onClose={onClose}>
      <KeyForm onCreated={onCreated} onClose={onClose} />
    </Dialog>
  );
}

const FIELDS = ['name', 'domain', 'expires_at'];

function KeyForm({
  onCreated,
  onClose,
}: {
  readonly onCreated: (key: CreatedApiKey) => void;
  readonly onClose: () => void;
}) {
  const domains = useQuery(domainsQuery);
  const { form, set } = useForm({ name: '', scope: 'send', domain: '', expires: '' });
  const policy = useForm(EMPTY_POLICY);
  const isAgent = form.scope === 'agent';
  const create = useMutation({
    mutationFn: () =>
      api.apiKeys.create({
        name: form.name,
        scope: form.scope as Scope,
        ...(form.domain === '' ? {} : { domain: form.domain }),
        ...(form.expires === '' ? {} : { expires_at: endOfDay(form.expires) }),
        ...(isAgent ? { policy: policyOf(policy.form) } : {}),
      }),
    onSuccess: onCreated,
  });
  return (
    <DialogForm does={create} action="Create key" known={[...FIELDS, ...POLICY_FIELDS]} onClose={onClose}>
      <TextField
        label="Name"
        required
        autoFocus
        placeholder="Shop, production"
        value={form.name}
        onChange={set('name')}
        problem={problemOf(create.error, 'name')}
      />
      <SelectField
        label="Access"
        value={form.scope}
        onChange={set('scope')}
        hint={scopeOf(form.scope as Scope).words}
      >
        {SCOPES.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </SelectField>
      {isAgent ? <PolicyFields form={policy.form} set={policy.set} error={create.error} /> : null}
      <SelectField
        label="Domain"
        value={form.domain}
        onChange={set('domain')}
        hint="The only domain the key can send from, and whose mail it can read."
        problem={problemOf(create.error, 'domain')}
      >
        <option value="">Any domain</option>
        {domains.data?.map(({ id, domain, display_name }) => (
          <option key={id} value={domain}>
            {display_name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Expires on"
        type="date"
        value={form.expires}
        onChange={set('expires')}
        hint="The end of this day in your time zone. Leave it empty for a key that does not expire."
        problem={problemOf(create.error, 'expires_at')}
      />
    </DialogForm>
  );
}
