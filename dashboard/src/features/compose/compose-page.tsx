/** Sends an email from the browser: written here, or from a template. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useLeaveWarning } from '../../app/leave-warning.ts';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { onSubmit } from '../../ui/form.ts';
import { Card, PageHead } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { useToast } from '../../ui/toast.tsx';
import { domainsQuery } from '../domains/queries.ts';
import { type AttachedFile, AttachFiles } from './attach-files.tsx';
import { ComposePreview } from './compose-preview.tsx';
import { type Draft, toRequest } from './draft.ts';
import { DryRunCard } from './dry-run-card.tsx';
import { Options } from './options.tsx';
import { Sender } from './sender.tsx';
import { SimulatorHelp } from './simulator-help.tsx';
import { TemplatePart } from './template-part.tsx';
import { useDraft } from './use-draft.ts';

const KNOWN = ['from.email', 'subject', 'html', 'text', 'scheduled_at', 'to', 'cc', 'bcc'];

export function ComposePage() {
  const can = useCan();
  const search = useSearch({ from: '/app/compose' });
  const navigate = useNavigate();
  const say = useToast();
  const { draft, set: change, isEarlier, isKept, discard } = useDraft(search);
  const [files, setFiles] = useState<readonly AttachedFile[]>([]);
  // The draft is kept; files are not.
  useLeaveWarning(can.change && (files.length > 0 || !isKept));
  const domains = useQuery(domainsQuery);
  const verified = domains.data?.filter(({ is_verified }) => is_verified).map(({ domain }) => domain) ?? [];
  const fromDomain = draft.fromDomain || (verified[0] ?? '');
  const send = useMutation({
    mutationFn: () => api.emails.send(toRequest({ ...draft, fromDomain }, files)),
    onSuccess: async ({ message_id }) => {
      discard();
      say('Accepted.');
      await navigate({ to: '/emails/$id', params: { id: message_id }, ignoreBlocker: true });
    },
  });
  const dryRun = useMutation({
    mutationFn: () => api.emails.dryRun(toRequest({ ...draft, fromDomain }, files)),
    onMutate: () => send.reset(),
  });
  const set: typeof change = (changes) => {
    dryRun.reset();
    change(changes);
  };
  const error = send.error ?? dryRun.error;
  return (
    <>
      <PageHead title="Compose" lead="Send one email from here, to try a domain, a template or an address." />
      {can.change ? null : (
        <p className="note warn">Your role is read-only: you can see everything but cannot send.</p>
      )}
      {isEarlier ? (
        <p className="note info" role="status">
          <span className="grow">This is the draft that you began earlier.</span>
          <Button size="small" onClick={discard}>
            Discard the draft
          </Button>
        </p>
      ) : null}
      <form className="columns" onSubmit={onSubmit(send.mutate)}>
        <div className="stack">
          <Card title="Message" actions={<Way by={draft.by} onChoose={(by) => set({ by })} />}>
            <div className="stack">
              <Sender
                draft={{ ...draft, fromDomain }}
                verified={verified}
                onChange={set}
                problem={problemOf(error, 'from.email')}
              />
              <TextField
                label="To"
                required
                placeholder="ada@example.org, Grace Hopper <grace@example.org>"
                value={draft.to}
                onChange={(event) => set({ to: event.target.value })}
                problem={problemOf(error, 'to')}
              />
              <TextField
                label="Subject"
                required
                value={draft.subject}
                onChange={(event) => set({ subject: event.target.value })}
                problem={problemOf(error, 'subject')}
              />
              {draft.by === 'hand' ? (
                <>
                  <TextArea
                    label="Text"
                    rows={6}
                    value={draft.text}
                    onChange={(event) => set({ text: event.target.value })}
                    problem={problemOf(error, 'text')}
                  />
                  <TextArea
                    label="HTML"
                    rows={6}
                    className="input mono"
                    spellCheck={false}
                    hint="Text, HTML or both; with both, the mail client chooses."
                    value={draft.html}
                    onChange={(event) => set({ html: event.target.value })}
                    problem={problemOf(error, 'html')}
                  />
                </>
              ) : (
                <TemplatePart draft={draft} onChange={set} error={error} />
              )}
              <AttachFiles files={files} onChange={setFiles} />
              <ErrorNote error={error} known={KNOWN} />
              <div className="row row-end">
                <Button busy={dryRun.isPending} disabled={!can.change} onClick={() => dryRun.mutate()}>
                  Dry run
                </Button>
                <Button
                  kind="primary"
                  type="submit"
                  icon="arrow"
                  busy={send.isPending}
                  disabled={!can.change}
                >
                  {draft.scheduledAt === '' ? 'Send' : 'Schedule'}
                </Button>
              </div>
            </div>
          </Card>
          {dryRun.data ? <DryRunCard told={dryRun.data} /> : null}
          <ComposePreview draft={draft} />
        </div>
        <div className="stack">
          <Options draft={draft} onChange={set} error={error} />
          <SimulatorHelp onChoose={(to) => set({ to })} />
        </div>
      </form>
    </>
  );
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
