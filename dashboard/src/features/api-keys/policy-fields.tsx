/** What a key may send: the fields of its policy, when it is made and when it is changed. */
import type { ApiKey } from '@postrider/sdk';
import { problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';

type Policy = NonNullable<ApiKey['policy']>;

export const EMPTY_POLICY = {
  recipients: '',
  from: '',
  templates: '',
  budget: '',
  approval: 'none',
  attachments: 'no',
  read: 'own',
  inbound: 'no',
};
type PolicyForm = typeof EMPTY_POLICY;

export function formOf(policy: Policy | null): PolicyForm {
  if (policy === null) return EMPTY_POLICY;
  return {
    recipients: policy.recipients?.join('\n') ?? '',
    from: policy.from?.join('\n') ?? '',
    templates: policy.templates?.join('\n') ?? '',
    budget: policy.daily_budget === null ? '' : String(policy.daily_budget),
    approval: policy.approval,
    attachments: policy.attachments ? 'yes' : 'no',
    read: policy.read,
    inbound: policy.inbound ? 'yes' : 'no',
  };
}

/** Null where nothing is restricted. */
export function policyOf(form: PolicyForm): Policy | null {
  const listed = (text: string, between: RegExp) => {
    const found = text
      .split(between)
      .map((one) => one.trim())
      .filter((one) => one !== '');
    return found.length === 0 ? null : found;
  };
  const policy: Policy = {
    recipients: listed(form.recipients, /[\s,]+/),
    // A display name has spaces, and may have commas.
    from: listed(form.from, /\n/),
    templates: listed(form.templates, /[\s,]+/),
    daily_budget: form.budget === '' ? null : Number(form.budget),
    approval: form.approval === 'required' ? 'required' : 'none',
    attachments: form.attachments === 'yes',
    read: form.read === 'organization' ? 'organization' : 'own',
    inbound: form.inbound === 'yes',
  };
  const isOpen =
    policy.recipients === null &&
    policy.from === null &&
    policy.read === 'own' &&
    !policy.inbound &&
    policy.templates === null &&
    policy.daily_budget === null &&
    policy.approval === 'none' &&
    policy.attachments;
  return isOpen ? null : policy;
}

interface Props {
  readonly form: PolicyForm;
  readonly set: (field: keyof PolicyForm) => (event: { readonly target: { readonly value: string } }) => void;
  readonly error: Parameters<typeof problemOf>[0];
}

export const POLICY_FIELDS = [
  ...['policy', 'policy.recipients', 'policy.from', 'policy.templates', 'policy.daily_budget', 'policy.read'],
  'policy.inbound',
];

export function PolicyFields({ form, set, error }: Props) {
  return (
    <>
      <TextArea
        label="Allowed recipients"
        rows={3}
        placeholder={'ops@acme.example\nacme.example\n*.acme.example'}
        value={form.recipients}
        onChange={set('recipients')}
        hint="Addresses, domains or *.domain, one per line. Empty: all recipients."
        problem={problemOf(error, 'policy.recipients')}
      />
      <TextArea
        label="Allowed templates"
        rows={2}
        placeholder="welcome"
        value={form.templates}
        onChange={set('templates')}
        hint="Ids or aliases, one per line, or * for all templates. Empty: all templates, and content without a template."
        problem={problemOf(error, 'policy.templates')}
      />
      <TextArea
        label="Allowed senders"
        rows={2}
        placeholder={'Acme Support <support@acme.example>\nbilling@acme.example'}
        value={form.from}
        onChange={set('from')}
        hint="Addresses or domains, one per line, each with its allowed display name. Required if templates are restricted. Empty: all senders."
        problem={problemOf(error, 'policy.from')}
      />
      <TextField
        label="Recipients per day"
        type="number"
        min={0}
        max={1_000_000}
        value={form.budget}
        onChange={set('budget')}
        hint="Per UTC day. Empty: the limit of the organization."
        problem={problemOf(error, 'policy.daily_budget')}
      />
      <SelectField label="Approval" value={form.approval} onChange={set('approval')}>
        <option value="none">Mail is sent without approval</option>
        <option value="required">A person approves each email</option>
      </SelectField>
      <SelectField label="Attachments" value={form.attachments} onChange={set('attachments')}>
        <option value="no">No attachments</option>
        <option value="yes">Attachments and raw messages</option>
      </SelectField>
      <SelectField
        label="Read access"
        value={form.read}
        onChange={set('read')}
        problem={problemOf(error, 'policy.read')}
      >
        <option value="own">Its own mail</option>
        <option value="organization">All mail of the organization, suppressions and statistics</option>
      </SelectField>
      <SelectField
        label="Inbound"
        value={form.inbound}
        onChange={set('inbound')}
        problem={problemOf(error, 'policy.inbound')}
      >
        <option value="no">No access to received mail</option>
        <option value="yes">Read received mail and reply to it</option>
      </SelectField>
    </>
  );
}

/** In a few words, for the list. */
export function policyWords(policy: Policy): string {
  const parts = [
    policy.recipients === null ? '' : `to ${policy.recipients.length} listed`,
    policy.from === null ? '' : `from ${policy.from.length} listed`,
    policy.templates === null ? '' : 'only with templates',
    policy.approval === 'required' ? 'with approval' : '',
    policy.attachments ? '' : 'no attachments',
    policy.read === 'organization' ? 'reads all mail' : '',
    policy.inbound ? 'replies to received mail' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
