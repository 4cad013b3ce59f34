/** Earlier versions, what differs from the current one, and bringing one back. */
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
import { Compare } from './compare.tsx';
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
  const [comparing, setComparing] = useState<TemplateVersion | null>(null);
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
              <tr key={version.version}>
                <td className="number">
                  {version.version} {version.is_current ? <Badge tone="good">current</Badge> : null}
                </td>
                <td className="wrap">{version.subject}</td>
                <td className="quiet">
                  <Time at={version.created_at} style="exact" />
                  {version.created_by === null ? '' : ` by ${version.created_by}`}
                </td>
                <td className="end">
                  {version.is_current ? null : (
                    <span className="row row-end">
                      <Button
                        size="small"
                        onClick={() => setComparing(version)}
                        aria-label={`Compare version ${version.version} with the current one`}
                      >
                        Compare
                      </Button>
                      {can.change && template.is_active ? (
                        <Button
                          size="small"
                          busy={restore.isPending}
                          onClick={() => restore.mutate(version.version)}
                          aria-label={`Restore version ${version.version}`}
                        >
                          Restore
                        </Button>
                      ) : null}
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </List>
      {comparing ? (
        <Compare
          title={`From version ${comparing.version} to ${template.version}`}
          before={comparing}
          after={template}
          onClose={() => setComparing(null)}
        />
      ) : null}
    </>
  );
}
