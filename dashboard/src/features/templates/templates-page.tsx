/** The list of templates, and creating one. */
import type { Template } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useListNavigation } from '../../app/list-navigation.ts';
import { useCan } from '../../app/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { PagedList } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { SavedViews } from '../views/saved-views.tsx';
import { allTemplates, templatesQuery } from './queries.ts';
import { STARTERS } from './starter.ts';

export function TemplatesPage() {
  const can = useCan();
  const search = useSearch({ from: '/app/templates' });
  const go = useListNavigation('/templates');
  const templates = useQuery(templatesQuery(search));
  const [creating, setCreating] = useState(false);
  const create = can.change ? (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      New template
    </Button>
  ) : null;
  return (
    <>
      <PageHead title="Templates" lead="Reusable subjects, HTML and texts with variables." actions={create} />
      <Card flush>
        <search className="filters">
          <SearchInput
            label="Search"
            placeholder="Name, alias or subject"
            value={search.search}
            onSettled={(text) => go(search, text ? { search: text } : {})}
          />
        </search>
        <SavedViews list="templates" />
        <PagedList
          of={templates}
          nouns={['template', 'templates']}
          csv={{ name: 'templates', rows: () => allTemplates(search) }}
          onPage={(page) => go(search, { ...search, page })}
          empty={
            <Empty icon="templates" title={search.search ? 'No template matches' : 'No template yet'}>
              <p>
                A template is written in Handlebars: <code>{'Hello {{name}}'}</code>,{' '}
                <code>{'{{#each items}}'}</code>, <code>{'{{#if paid}}'}</code>. Each time you publish it, a
                version is saved that can be restored. Layouts and partials hold content that several
                templates share.
              </p>
              {create}
            </Empty>
          }
        >
          {(rows) => <TemplateTable rows={rows} />}
        </PagedList>
      </Card>
      {creating ? <CreateTemplate onClose={() => setCreating(false)} /> : null}
    </>
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly alias: string | null;
  readonly kind: Template['kind'];
  readonly subject: string;
  readonly version: number;
  readonly is_active: boolean;
  readonly updated_at: string;
}

function TemplateTable({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <Table columns={['Name', 'Subject', 'Version', 'Changed']}>
      {rows.map((row) => (
        <tr key={row.id}>
          <td>
            <Link to="/templates/$id" params={{ id: row.id }} className="row-link">
              {row.name}
            </Link>{' '}
            {row.alias === null ? null : <code className="quiet">{row.alias}</code>}
            {row.kind === 'template' ? null : <Badge>{row.kind}</Badge>}{' '}
            {row.is_active ? null : <Badge>deleted</Badge>}
          </td>
          <td className="wrap">{row.subject}</td>
          <td className="number">{row.version}</td>
          <td className="quiet">
            <Time at={row.updated_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

const KINDS = [
  { kind: 'template', label: 'Template', hint: 'Is sent with data.' },
  { kind: 'layout', label: 'Layout', hint: 'Surrounds templates with a header, a footer and styles.' },
  { kind: 'partial', label: 'Partial', hint: 'Content that templates and layouts include by its alias.' },
] as const;

function CreateTemplate({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Template['kind']>('template');
  const [alias, setAlias] = useState('');
  const create = useMutation({
    mutationFn: () =>
      api.templates.create({ name, kind, ...STARTERS[kind], ...(kind === 'partial' ? { alias } : {}) }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['templates'] });
      onClose();
      await navigate({ to: '/templates/$id', params: { id } });
    },
  });
  return (
    <Dialog title="New template" onClose={onClose}>
      <DialogForm does={create} action="Create template" known={['name', 'alias']} onClose={onClose}>
        <TextField
          label="Name"
          required
          placeholder="Receipt"
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint="Recipients never see it."
          problem={problemOf(create.error, 'name')}
        />
        <SelectField
          label="Kind"
          value={kind}
          onChange={(event) => setKind(event.target.value as Template['kind'])}
          hint={KINDS.find((one) => one.kind === kind)?.hint}
        >
          {KINDS.map((one) => (
            <option key={one.kind} value={one.kind}>
              {one.label}
            </option>
          ))}
        </SelectField>
        {kind === 'partial' ? (
          <TextField
            label="Alias"
            required
            className="input mono"
            placeholder="footer"
            value={alias}
            onChange={(event) => setAlias(event.target.value)}
            hint={`Include it with {{> ${alias || 'footer'}}}.`}
            problem={problemOf(create.error, 'alias')}
          />
        ) : null}
      </DialogForm>
    </Dialog>
  );
}
