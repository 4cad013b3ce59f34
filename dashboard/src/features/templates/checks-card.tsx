/** Problems of the current text with filters, readers and mail clients. */
import type { TemplateDetail } from '@postrider/sdk';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card } from '../../ui/page.tsx';
import { parseData } from '../compose/draft.ts';
import { FindingList, LinkTable } from '../inbox/check-parts.tsx';
import { HtmlChecks } from '../inbox/html-checks.tsx';
import { contentOf, type TemplateDraft } from './draft.ts';

interface Props {
  readonly kind: TemplateDetail['kind'];
  readonly draft: TemplateDraft;
  readonly data: string;
  readonly locale: string | null;
}

export function ChecksCard({ kind, draft, data, locale }: Props) {
  const content = { kind, ...contentOf(kind, draft), ...(locale === null ? {} : { locale }) };
  const written = JSON.stringify({ content, data });
  const check = useMutation({
    mutationFn: async (check_links: boolean) => {
      const body = { ...content, data: parseData(data), check_links };
      return { written, checks: await api.templates.check(body) };
    },
  });
  const found = check.data?.checks;
  return (
    <Card
      title="Checks"
      actions={
        <Button size="small" busy={check.isPending && !check.variables} onClick={() => check.mutate(false)}>
          Run checks
        </Button>
      }
    >
      <div className="stack">
        <p className="quiet small">
          Finds problems with spam filters and accessibility, and features that mail clients do not support.
          The checks use the current text and the sample data.
        </p>
        <ErrorNote error={check.error} />
        {found && check.data?.written !== written ? (
          <p className="note warn" role="status">
            The template was changed after the checks. Run them again.
          </p>
        ) : null}
        {found ? (
          <>
            <FindingList findings={found.findings} />
            {found.links.length > 0 ? (
              <section className="stack-small">
                <div className="spread">
                  <h2>Links</h2>
                  <Button
                    size="small"
                    busy={check.isPending && check.variables === true}
                    onClick={() => check.mutate(true)}
                  >
                    Check links
                  </Button>
                </div>
                <LinkTable links={found.links} answers={found.checked_links} />
              </section>
            ) : null}
            {found.html ? <HtmlChecks html={found.html} /> : null}
          </>
        ) : null}
      </div>
    </Card>
  );
}
