/** One template: the editor with its preview, the versions, and sending a test. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useChoice } from '../../app/choice.ts';
import { useCan } from '../../app/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { templateQuery } from './queries.ts';
import { TemplateEditor } from './template-editor.tsx';
import { Versions } from './versions.tsx';

const TABS = [
  { key: 'edit', label: 'Edit' },
  { key: 'versions', label: 'Versions' },
] as const;

export function TemplatePage() {
  const can = useCan();
  const { id } = useParams({ from: '/app/templates/$id' });
  const template = useQuery(templateQuery(id));
  const [tab, setTab] = useChoice('tab', TABS, 'edit');
  const [deleting, setDeleting] = useState(false);
  const back = { to: '/templates', label: 'Templates' };
  if (!template.data)
    return (
      <>
        <PageHead title="Template" back={back} />
        <QueryState of={template} />
      </>
    );
  const { data } = template;
  return (
    <>
      <PageHead
        title={data.name}
        back={back}
        lead={
          <>
            {data.is_active ? null : <Badge>deleted</Badge>}{' '}
            {data.kind === 'template' ? null : <Badge>{data.kind}</Badge>} Version {data.version}, saved{' '}
            <Time at={data.updated_at} />.{' '}
            {data.kind === 'template'
              ? `Sent ${data.usage.sends_last_30_days.toLocaleString()} times in the last 30 days.`
              : null}
          </>
        }
        actions={
          can.change && data.is_active ? (
            <>
              {data.kind === 'template' ? (
                <Link to="/compose" search={{ template: id }} className="button">
                  Send it
                </Link>
              ) : null}
              <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
                Delete
              </Button>
            </>
          ) : null
        }
      />
      <Tabs label="Template" tabs={TABS} chosen={tab} onChoose={setTab}>
        <div className="tab-body">
          {tab === 'edit' ? (
            <TemplateEditor key={data.id} template={data} />
          ) : (
            <Card flush>
              <Versions template={data} onRestored={() => setTab('edit')} />
            </Card>
          )}
        </div>
      </Tabs>
      {deleting ? <DeleteTemplate id={id} name={data.name} onClose={() => setDeleting(false)} /> : null}
    </>
  );
}

function DeleteTemplate({
  id,
  name,
  onClose,
}: {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete template"
      onClose={onClose}
      onConfirm={async () => {
        await api.templates.delete(id);
        await client.invalidateQueries({ queryKey: ['templates'] });
        await navigate({ to: '/templates' });
      }}
    >
      The template can no longer be sent. Queued and scheduled mail that uses it is still sent, and the
      template stays readable here.
    </ConfirmDialog>
  );
}
