import type { API_KEY_SCOPES, CreatedApiKey } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { domainsQuery } from '../domains/queries.ts';
import { curlExample } from '../emails/first-mail.tsx';

type Scope = (typeof API_KEY_SCOPES)[number];

/** What each may do, in words; the least first. */
const SCOPES: Readonly<Record<Scope, string>> = {
  send: 'Can send, validate addresses and look up what it sent itself.',
  read: 'Can read everything, including the content of mail, and change nothing.',
  full: 'Can do everything that a member can.',
};

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

function KeyForm({
  onCreated,
  onClose,
}: {
  readonly onCreated: (key: CreatedApiKey) => void;
  readonly onClose: () => void;
}) {
  const domains = useQuery(domainsQuery);
  const { form, set } = useForm({ name: '', scope: 'send', domain: '', expires: '' });
  const create = useMutation({
    mutationFn: () =>
      api.apiKeys.create({
        name: form.name,
        scope: form.scope as Scope,
        ...(form.domain === '' ? {} : { domain: form.domain }),
        ...(form.expires === '' ? {} : { expires_at: form.expires }),
      }),
    onSuccess: onCreated,
  });
  return (
    <DialogForm does={create} action="Create key" known={['name', 'domain', 'expires_at']} onClose={onClose}>
      <TextField
        label="Name"
        required
        placeholder="Shop, production"
        value={form.name}
        onChange={set('name')}
        problem={problemOf(create.error, 'name')}
      />
      <SelectField
        label="Scope"
        value={form.scope}
        onChange={set('scope')}
        hint={SCOPES[form.scope as Scope]}
      >
        {Object.keys(SCOPES).map((scope) => (
          <option key={scope}>{scope}</option>
        ))}
      </SelectField>
      <SelectField
        label="Domain"
        value={form.domain}
        onChange={set('domain')}
        hint="The only domain the key can send from, and whose mail it can read."
        problem={problemOf(create.error, 'domain')}
      >
        <option value="">Any domain</option>
        {domains.data?.map(({ id, domain }) => (
          <option key={id}>{domain}</option>
        ))}
      </SelectField>
      <TextField
        label="Expires on"
        type="date"
        value={form.expires}
        onChange={set('expires')}
        hint="Leave it empty for a key that does not expire."
        problem={problemOf(create.error, 'expires_at')}
      />
    </DialogForm>
  );
}

function ShownOnce({ created, onClose }: { readonly created: CreatedApiKey; readonly onClose: () => void }) {
  return (
    <Dialog title="Copy your key now" onClose={onClose}>
      <div className="stack">
        <div className="shown-once">
          <span>This is the only time it is shown. It cannot be recovered later.</span>
          <CodeBlock text={created.key} label="Copy the key" />
        </div>
        <div className="stack-small">
          <span>Try it:</span>
          <CodeBlock
            text={curlExample(created.key, `hello@${created.domain ?? 'sandbox.test'}`)}
            label="Copy the command"
          />
        </div>
        <div className="row row-end">
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
