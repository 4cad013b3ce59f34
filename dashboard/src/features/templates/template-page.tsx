/** One template: the editor with its preview, the versions, and sending a test. */
import type { TemplateDetail } from '@postrider/sdk';
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
import { useNarrow } from './use-narrow.ts';
import { Versions } from './versions.tsx';

const TABS = [
  { key: 'edit', label: 'Edit' },
  { key: 'preview', label: 'Preview' },
  { key: 'versions', label: 'Versions' },
] as const;

export function TemplatePage() {
  const { id } = useParams({ from: '/app/templates/$id' });
  const template = useQuery(templateQuery(id));
  const { data } = template;
  if (data) return <LoadedTemplate key={data.id} template={data} />;
  return (
    <>
      <PageHead title="Template" back={BACK} />
      <QueryState of={template} />
    </>
  );
}

const BACK = { to: '/templates', label: 'Templates' };

function LoadedTemplate({ template }: { readonly template: TemplateDetail }) {
  const can = useCan();
  const isNarrow = useNarrow();
  const [chosen, setTab] = useChoice('tab', TABS, 'edit');
  const [deleting, setDeleting] = useState(false);
  // A wide screen shows the preview beside the code.
  const tabs = isNarrow ? TABS : TABS.filter(({ key }) => key !== 'preview');
  const tab = tabs.some(({ key }) => key === chosen) ? chosen : 'edit';
  const { id, name, kind } = template;
  return (
    <>
      <PageHead
        title={name}
        back={BACK}
        lead={<Lead template={template} />}
        actions={
          can.change && template.is_active ? (
            <>
              {kind === 'template' ? (
                <Link to="/compose" search={{ template: id }} className="button">
                  Send
                </Link>
              ) : null}
              <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
                Delete
              </Button>
            </>
          ) : null
        }
      />
      <Tabs label="Template" tabs={tabs} chosen={tab} onChoose={setTab}>
        <div className="tab-body">
          <TemplateEditor template={template} shown={isNarrow ? tab : tab === 'edit' ? 'both' : tab} />
          {tab === 'versions' ? (
            <Card flush>
              <Versions template={template} onRestored={() => setTab('edit')} />
            </Card>
          ) : null}
        </div>
      </Tabs>
      {deleting ? <DeleteTemplate id={id} name={name} onClose={() => setDeleting(false)} /> : null}
    </>
  );
}

function Lead({ template }: { readonly template: TemplateDetail }) {
  const { kind, version, updated_at, usage } = template;
  return (
    <>
      {template.is_active ? null : <Badge>deleted</Badge>}{' '}
      {kind === 'template' ? null : <Badge>{kind}</Badge>} Version {version}, saved <Time at={updated_at} />.{' '}
      {kind === 'template'
        ? `Sent ${usage.sends_last_30_days.toLocaleString()} times in the last 30 days.`
        : null}
    </>
  );
}

interface DeleteProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

function DeleteTemplate({ id, name, onClose }: DeleteProps) {
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
