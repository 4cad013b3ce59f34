/** Earlier versions: compare any two of them, and restore one. */
import type { TemplateDetail, TemplateVersion } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { List } from '../../ui/list.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { CompareVersions } from './compare-versions.tsx';
import { versionsQuery } from './queries.ts';

interface Props {
  readonly template: TemplateDetail;
  readonly onRestored: () => void;
}

export function Versions({ template, onRestored }: Props) {
  const can = useCan();
  const client = useQueryClient();
  const say = useToast();
  const versions = useQuery(versionsQuery(template.id));
  const [compared, setCompared] = useState<number | null>(null);
  const restore = useMutation({
    mutationFn: (version: number) => api.templates.restore(template.id, version),
    onSuccess: async (saved, version) => {
      await client.invalidateQueries({ queryKey: ['templates'] });
      say(`Version ${version} was restored as version ${saved.version}.`);
      onRestored();
    },
  });
  return (
    <>
      <ErrorNote error={restore.error} />
      <List of={versions} rows={versions.data?.data} empty={null}>
        {(rows) => (
          <Table columns={['Version', 'Subject', 'Saved']} actions="Actions">
            {rows.map((version) => (
              <Row
                key={version.version}
                version={version}
                isRestoring={restore.isPending}
                onCompare={() => setCompared(version.version)}
                onRestore={
                  can.change && template.is_active ? () => restore.mutate(version.version) : undefined
                }
              />
            ))}
          </Table>
        )}
      </List>
      {compared === null ? null : (
        <CompareVersions
          template={template}
          versions={versions.data?.data ?? []}
          first={compared}
          onClose={() => setCompared(null)}
        />
      )}
    </>
  );
}

interface RowProps {
  readonly version: TemplateVersion;
  readonly isRestoring: boolean;
  readonly onCompare: () => void;
  readonly onRestore: (() => void) | undefined;
}

function Row({ version: saved, isRestoring, onCompare, onRestore }: RowProps) {
  const { version } = saved;
  return (
    <tr>
      <td className="number">
        {version} {saved.is_current ? <Badge tone="good">current</Badge> : null}
      </td>
      <td className="wrap">{saved.subject}</td>
      <td className="quiet">
        <Time at={saved.created_at} style="exact" />
        {saved.created_by === null ? '' : ` by ${saved.created_by}`}
      </td>
      <td className="end">
        {saved.is_current ? null : (
          <span className="row row-end">
            <Button
              size="small"
              onClick={onCompare}
              aria-label={`Compare version ${version} with the current one`}
            >
              Compare
            </Button>
            {onRestore ? (
              <Button
                size="small"
                busy={isRestoring}
                onClick={onRestore}
                aria-label={`Restore version ${version}`}
              >
                Restore
              </Button>
            ) : null}
          </span>
        )}
      </td>
    </tr>
  );
}
