/** Sends an email from the browser: written here, or from a template. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { api } from '../../app/api.ts';
import { useLeaveWarning } from '../../app/leave-warning.ts';
import { useCan, useMode } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { onSubmit } from '../../ui/form.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { useToast } from '../../ui/toast.tsx';
import { domainsQuery } from '../domains/queries.ts';
import { type Draft, EMPTY_DRAFT, toRequest } from './draft.ts';
import { TemplatePart } from './template-part.tsx';

const KNOWN = ['from.email', 'subject', 'html', 'text', 'scheduled_at', 'to', 'cc', 'bcc'];

/** What takes somebody a while to write. */
const WRITTEN = ['to', 'subject', 'text', 'html', 'templateData'] as const;

function begunWith({ to = '', template }: { readonly to?: string; readonly template?: string }): Draft {
  return { ...EMPTY_DRAFT, to, templateId: template ?? '', by: template ? 'template' : 'hand' };
}

export function ComposePage() {
  const can = useCan();
  const search = useSearch({ from: '/app/compose' });
  const navigate = useNavigate();
  const say = useToast();
  const [draft, setDraft] = useState<Draft>(() => begunWith(search));
  useLeaveWarning(can.change && WRITTEN.some((name) => draft[name] !== begunWith(search)[name]));
  const set = useCallback((changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })), []);
  const domains = useQuery(domainsQuery);
  const verified = domains.data?.filter(({ is_verified }) => is_verified).map(({ domain }) => domain) ?? [];
  const fromDomain = draft.fromDomain || (verified[0] ?? '');
  const send = useMutation({
    mutationFn: () => api.emails.send(toRequest({ ...draft, fromDomain })),
    onSuccess: async ({ message_id }) => {
      say('Accepted.');
      await navigate({ to: '/emails/$id', params: { id: message_id }, ignoreBlocker: true });
    },
  });
  return (
    <>
      <PageHead title="Compose" lead="Send one email from here, to try a domain, a template or an address." />
      {can.change ? null : (
        <p className="note warn">Your role is read-only: you can see everything but cannot send.</p>
      )}
      <form className="columns" onSubmit={onSubmit(send.mutate)}>
        <Card title="Message" actions={<Way by={draft.by} onChoose={(by) => set({ by })} />}>
          <div className="stack">
            <Sender
              draft={{ ...draft, fromDomain }}
              verified={verified}
              onChange={set}
              problem={problemOf(send.error, 'from.email')}
            />
            <TextField
              label="To"
              required
              placeholder="ada@example.org, Grace Hopper <grace@example.org>"
              value={draft.to}
              onChange={(event) => set({ to: event.target.value })}
              problem={problemOf(send.error, 'to')}
            />
            <TextField
              label="Subject"
              required
              value={draft.subject}
              onChange={(event) => set({ subject: event.target.value })}
              problem={problemOf(send.error, 'subject')}
            />
            {draft.by === 'hand' ? (
              <>
                <TextArea
                  label="Text"
                  rows={6}
                  value={draft.text}
                  onChange={(event) => set({ text: event.target.value })}
                  problem={problemOf(send.error, 'text')}
                />
                <TextArea
                  label="HTML"
                  rows={6}
                  className="input mono"
                  spellCheck={false}
                  hint="Text, HTML or both; with both, the mail client chooses."
                  value={draft.html}
                  onChange={(event) => set({ html: event.target.value })}
                  problem={problemOf(send.error, 'html')}
                />
              </>
            ) : (
              <TemplatePart draft={draft} onChange={set} error={send.error} />
            )}
            <ErrorNote error={send.error} known={KNOWN} />
            <div className="row row-end">
              <Button kind="primary" type="submit" icon="arrow" busy={send.isPending} disabled={!can.change}>
                {draft.scheduledAt === '' ? 'Send' : 'Schedule'}
              </Button>
            </div>
          </div>
        </Card>
        <div className="stack">
          <Options draft={draft} onChange={set} error={send.error} />
          <SimulatorHelp onChoose={(to) => set({ to })} />
        </div>
      </form>
    </>
  );
}

interface PartProps {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
}

function Way({ by, onChoose }: { readonly by: Draft['by']; readonly onChoose: (by: Draft['by']) => void }) {
  return (
    <Segments
      label="Content"
      options={[
        { key: 'hand', label: 'Written here' },
        { key: 'template', label: 'From a template' },
      ]}
      chosen={by}
      onChoose={onChoose}
    />
  );
}

interface SenderProps extends PartProps {
  readonly verified: readonly string[];
  readonly problem: string | undefined;
}

function Sender({ draft, verified, onChange, problem }: SenderProps) {
  return (
    <div className="sender">
      <TextField
        label="From"
        required
        value={draft.fromLocal}
        onChange={(event) => onChange({ fromLocal: event.target.value })}
        problem={problem}
      />
      <SelectField
        label="at"
        value={draft.fromDomain}
        onChange={(event) => onChange({ fromDomain: event.target.value })}
      >
        {verified.length === 0 ? <option value="">No verified domain yet</option> : null}
        {verified.map((domain) => (
          <option key={domain} value={domain}>
            @{domain}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Name"
        placeholder="Optional"
        value={draft.fromName}
        onChange={(event) => onChange({ fromName: event.target.value })}
      />
    </div>
  );
}

function Options({ draft, onChange, error }: PartProps & { readonly error: unknown }) {
  return (
    <Card title="Options">
      <div className="stack">
        <TextField
          label="Cc"
          value={draft.cc}
          onChange={(event) => onChange({ cc: event.target.value })}
          problem={problemOf(error, 'cc')}
        />
        <TextField
          label="Bcc"
          value={draft.bcc}
          onChange={(event) => onChange({ bcc: event.target.value })}
          problem={problemOf(error, 'bcc')}
        />
        <TextField
          label="Reply to"
          value={draft.replyTo}
          onChange={(event) => onChange({ replyTo: event.target.value })}
          problem={problemOf(error, 'reply_to')}
        />
        <TextField
          label="Send at"
          type="datetime-local"
          hint="Leave it empty to send now."
          value={draft.scheduledAt}
          onChange={(event) => onChange({ scheduledAt: event.target.value })}
          problem={problemOf(error, 'scheduled_at')}
        />
        <TextField
          label="Tags"
          placeholder="kind:receipt, team:shop"
          value={draft.tags}
          onChange={(event) => onChange({ tags: event.target.value })}
          problem={problemOf(error, 'tags')}
        />
      </div>
    </Card>
  );
}

const PARTS = ['delivered', 'bounced', 'greylisted', 'full', 'blocked', 'deferred'] as const;

function SimulatorHelp({ onChoose }: { readonly onChoose: (address: string) => void }) {
  if (useMode() !== 'sandbox') return null;
  return (
    <Card title="Simulator addresses">
      <div className="stack-small">
        <p className="quiet small">
          <Icon name="sandbox" size={14} /> In the sandbox these answer like servers you may meet:
        </p>
        <div className="row">
          {PARTS.map((part) => (
            <Button key={part} size="small" onClick={() => onChoose(`${part}@simulator.test`)}>
              {part}
            </Button>
          ))}
        </div>
      </div>
    </Card>
  );
}
