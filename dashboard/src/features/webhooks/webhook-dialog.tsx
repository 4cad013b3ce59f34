/** Adds a webhook, or changes one. A new one shows its secret once. */
import { WEBHOOK_EVENT_TYPES, WEBHOOK_FORMATS, type Webhook } from '@postrider/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useMode } from '../../app/session.ts';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { Check, SelectField, TextField } from '../../ui/field.tsx';
import { FORMAT_NAMES } from './format-names.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { StreamChoice } from './stream-choice.tsx';

interface Props {
  readonly webhook?: Webhook;
  readonly onClose: () => void;
}

export function WebhookDialog({ webhook, onClose }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  if (made)
    return (
      <SecretDialog
        secret={made.secret}
        onClose={() => {
          onClose();
          void navigate({ to: '/webhooks/$id', params: { id: made.id } });
        }}
      />
    );
  const saved = async (result: { id: string; secret?: string }) => {
    await client.invalidateQueries({ queryKey: ['webhooks'] });
    if (result.secret) setMade({ id: result.id, secret: result.secret });
    else onClose();
  };
  return (
    <Dialog title={webhook ? 'Edit webhook' : 'Add a webhook'} onClose={onClose}>
      <WebhookForm webhook={webhook} onSaved={saved} onClose={onClose} />
    </Dialog>
  );
}

/** What a webhook gets that names nothing; others have to be asked for. */
const NAMED_ONLY = /^(attention|canary|suppression)\./;
const OF_ALL = WEBHOOK_EVENT_TYPES.filter((type) => !NAMED_ONLY.test(type));

function isAll(types: readonly string[]): boolean {
  return types.length === OF_ALL.length && OF_ALL.every((type) => types.includes(type));
}

interface FormProps {
  readonly webhook: Webhook | undefined;
  readonly onSaved: (result: { id: string; secret?: string }) => Promise<void>;
  readonly onClose: () => void;
}

function WebhookForm({ webhook, onSaved, onClose }: FormProps) {
  const sandbox = useMode() === 'sandbox';
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [format, setFormat] = useState<Webhook['format']>(webhook?.format ?? 'postrider');
  const [types, setTypes] = useState<ReadonlySet<string>>(new Set(webhook?.event_types ?? OF_ALL));
  const [streams, setStreams] = useState<readonly string[] | null>(webhook?.streams ?? null);
  const save = useMutation({
    mutationFn: async (): Promise<{ id: string; secret?: string }> => {
      const wanted = WEBHOOK_EVENT_TYPES.filter((type) => types.has(type));
      const body = {
        url,
        description: description.trim() === '' ? null : description,
        format,
        event_types: isAll(wanted) ? null : wanted,
        streams: streams && [...streams],
      };
      return webhook ? api.webhooks.update(webhook.id, body) : api.webhooks.create(body);
    },
    onSuccess: onSaved,
  });
  const toggle = (type: string) => {
    const next = new Set(types);
    if (!next.delete(type)) next.add(type);
    setTypes(next);
  };
  return (
    <DialogForm
      does={save}
      action={webhook ? 'Save' : 'Add webhook'}
      known={['url', 'description', 'event_types', 'streams']}
      disabled={types.size === 0 || streams?.length === 0}
      onClose={onClose}
    >
      <TextField
        label="URL"
        type="url"
        required
        placeholder="https://example.org/hooks/mail"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        hint={
          sandbox
            ? 'In the sandbox http and your own machine are allowed, too.'
            : 'Use https and a public address.'
        }
        problem={problemOf(save.error, 'url')}
      />
      <TextField
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
        hint="Optional. A note for your colleagues."
        problem={problemOf(save.error, 'description')}
      />
      <SelectField
        label="Format"
        value={format}
        onChange={(event) => setFormat(event.target.value as Webhook['format'])}
        hint="For code that was written for another service: calls look as if that service made them. Events that the format cannot express are left out."
        problem={problemOf(save.error, 'event_types')}
      >
        {WEBHOOK_FORMATS.map((one) => (
          <option key={one} value={one}>
            {FORMAT_NAMES[one]}
          </option>
        ))}
      </SelectField>
      <fieldset>
        <legend>Events</legend>
        <div className="choices">
          {WEBHOOK_EVENT_TYPES.map((type) => (
            <Check key={type} label={type} checked={types.has(type)} onChange={() => toggle(type)} />
          ))}
        </div>
      </fieldset>
      <StreamChoice value={streams} onChange={setStreams} problem={problemOf(save.error, 'streams')} />
    </DialogForm>
  );
}
