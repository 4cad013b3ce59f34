/** Finds mail that bounced because a provider had a problem, and sends it again. */
import type { IncidentReport, Undo } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Status, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { onSubmit, useForm } from '../../ui/form.ts';
import { PagedList } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type Incident, undosQuery } from './queries.ts';

const HOUR_MS = 3_600_000;

export function UndoPage() {
  const { change: mayUndo } = useCan();
  const { form, set } = useForm({
    from: localTime(Date.now() - 2 * HOUR_MS),
    to: localTime(Date.now()),
    template_id: '',
    tag: '',
    provider: '',
    reply: '',
  });
  const look = useMutation({ mutationFn: () => api.undos.preview(incidentOf(form)) });
  return (
    <>
      <PageHead
        title="Recover bounces"
        lead="Find mail that bounced because a provider had a problem, remove the suppressions that the bounces caused, and send the mail again."
      />
      <div className="stack">
        <Card title="Search">
          <form className="stack" onSubmit={onSubmit(() => look.mutate())}>
            <div className="columns">
              <TimeField
                label="From"
                value={form.from}
                onChange={set('from')}
                problem={problemOf(look.error, 'from')}
              />
              <TimeField
                label="To"
                value={form.to}
                onChange={set('to')}
                problem={problemOf(look.error, 'to')}
              />
            </div>
            <div className="columns">
              <TextField label="Template id" value={form.template_id} onChange={set('template_id')} />
              <TextField label="Tag" hint="A name, or name:value." value={form.tag} onChange={set('tag')} />
            </div>
            <div className="columns">
              <TextField
                label="Provider or receiving server"
                value={form.provider}
                onChange={set('provider')}
              />
              <TextField
                label="Part of the reply"
                hint="Such as 5.1.1."
                value={form.reply}
                onChange={set('reply')}
              />
            </div>
            <ErrorNote error={look.error} known={['from', 'to']} />
            <div className="row">
              <Button kind="primary" type="submit" icon="search" busy={look.isPending}>
                Show the bounces
              </Button>
            </div>
          </form>
        </Card>
        {look.data ? (
          <Found report={look.data} incident={incidentOf(form)} mayUndo={mayUndo} onUndone={look.reset} />
        ) : null}
        <Before />
      </div>
    </>
  );
}

function TimeField({
  label,
  ...rest
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
  readonly problem: string | undefined;
}) {
  return <TextField label={label} type="datetime-local" required hint="In your time zone." {...rest} />;
}

interface FoundProps {
  readonly report: IncidentReport;
  readonly incident: Incident;
  readonly mayUndo: boolean;
  readonly onUndone: () => void;
}

function Found({ report, incident, mayUndo, onUndone }: FoundProps) {
  const [undoing, setUndoing] = useState(false);
  if (report.bounces === 0)
    return (
      <Card flush>
        <Empty icon="check" title="Nothing bounced">
          <p>No bounce in this period matches. Use a longer period or fewer filters.</p>
        </Empty>
      </Card>
    );
  return (
    <Card
      title={`${report.bounces} bounced`}
      actions={
        mayUndo ? (
          <Button kind="primary" icon="undo" onClick={() => setUndoing(true)}>
            Recover these emails
          </Button>
        ) : null
      }
    >
      <div className="stack">
        <p>
          Recovering queues the mail of <strong>{report.requeue}</strong> recipients again and removes{' '}
          <strong>{report.unsuppress}</strong> suppressions.
          {report.rejections > 0
            ? ` The suppressions caused ${report.rejections} rejections since; that mail is sent, too.`
            : null}
        </p>
        <Reasons report={report} />
        <Samples report={report} />
      </div>
      {undoing ? (
        <UndoDialog
          incident={incident}
          onClose={() => setUndoing(false)}
          onUndone={() => {
            setUndoing(false);
            onUndone();
          }}
        />
      ) : null}
    </Card>
  );
}

function Reasons({ report }: { readonly report: IncidentReport }) {
  return (
    <Table columns={['Reason', 'Code', 'Bounces']} stacking={false}>
      {report.reasons.map((one) => (
        <tr key={`${one.reason} ${one.smtp_code}`}>
          <td>{words(one.reason ?? 'unknown')}</td>
          <td>{one.smtp_code}</td>
          <td className="number">{one.count}</td>
        </tr>
      ))}
    </Table>
  );
}

function Samples({ report }: { readonly report: IncidentReport }) {
  return (
    <Table columns={['Latest bounces', 'Reply of the server', 'Time']}>
      {report.samples.map((one) => (
        <tr key={`${one.email_id} ${one.recipient} ${one.at}`}>
          <td className="wrap">
            <Link to="/emails/$id" params={{ id: one.email_id }} className="row-link">
              {one.recipient}
            </Link>
          </td>
          <td className="wrap small">
            {one.smtp_code} {one.smtp_message}
            <div className="quiet">{one.mx_host}</div>
          </td>
          <td className="quiet" data-label="Time">
            <Time at={one.at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function UndoDialog({
  incident,
  onClose,
  onUndone,
}: {
  readonly incident: Incident;
  readonly onClose: () => void;
  readonly onUndone: () => void;
}) {
  const client = useQueryClient();
  const say = useToast();
  const { form, set } = useForm({ reason: '' });
  const undo = useMutation({
    mutationFn: () => api.undos.create({ ...incident, reason: form.reason }),
    onSuccess: async () => {
      await client.invalidateQueries();
      say('The mail is being queued again.');
      onUndone();
    },
  });
  return (
    <Dialog title="Recover these emails?" onClose={onClose}>
      <DialogForm does={undo} action="Recover the emails" known={['reason']} onClose={onClose}>
        <p>
          Postrider removes the suppressions that these bounces caused and sends the mail again, together with
          mail that was rejected since because of these suppressions. Suppressions for complaints and
          unsubscribes, and those added by hand, stay.
        </p>
        <ReasonField
          hint="Listed below and in the audit log."
          value={form.reason}
          onChange={set('reason')}
          error={undo.error}
        />
      </DialogForm>
    </Dialog>
  );
}

function Before() {
  const [page, setPage] = useState(1);
  const undos = useQuery(undosQuery(page));
  return (
    <Card title="Past recoveries" flush>
      <PagedList
        of={undos}
        nouns={['recovery', 'recoveries']}
        csv={{ name: 'recoveries', rows: () => api.undos.all() }}
        onPage={setPage}
        lines={2}
        empty={<p className="card-body quiet">No bounces have been recovered yet.</p>}
      >
        {(rows) => (
          <Table columns={['Period', 'State', 'Reason', 'Queued again', 'Suppressions removed']}>
            {rows.map((undo) => (
              <UndoRow key={undo.id} undo={undo} />
            ))}
          </Table>
        )}
      </PagedList>
    </Card>
  );
}

function UndoRow({ undo }: { readonly undo: Undo }) {
  return (
    <tr>
      <td>
        <Time at={undo.from} style="exact" /> – <Time at={undo.to} style="exact" />
      </td>
      <td data-label="State">
        <Status value={undo.state} />
      </td>
      <td className="wrap" data-label="Reason">
        {undo.reason}
        <div className="quiet small">{undo.requested_by}</div>
      </td>
      <td className="number" data-label="Queued again">
        {undo.requeued}
      </td>
      <td className="number" data-label="Suppressions removed">
        {undo.unsuppressed}
      </td>
    </tr>
  );
}

type Form = Readonly<Record<'from' | 'to' | 'template_id' | 'tag' | 'provider' | 'reply', string>>;

function incidentOf({ from, to, ...filters }: Form): Incident {
  const given = Object.entries(filters).filter(([, text]) => text.trim() !== '');
  return { from: utcOf(from), to: utcOf(to), ...Object.fromEntries(given) };
}

/** What the browser's own field for times takes and gives has no time zone: it is that of the person. */
function localTime(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function utcOf(local: string): string {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? local : new Date(ms).toISOString();
}
