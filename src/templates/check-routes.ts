/** Checks a template as spam filters, readers and mail clients would treat it. */
import { Type } from 'typebox';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { nullable, strictObject } from '../http/schema.ts';
import type { LinkChecks } from '../message-checks/check-links.ts';
import { checkContent } from '../message-checks/check-message.ts';
import { checkedLinks, checkedLinkView, checksView, contentChecks } from '../message-checks/schema.ts';
import { validateTemplateBody } from './schema.ts';
import type { TemplateService } from './service.ts';

const checkBody = strictObject(
  {
    ...validateTemplateBody.properties,
    check_links: Type.Boolean({
      default: false,
      description:
        'Whether to request the links of the message too, to find broken links. This takes several seconds.',
    }),
  },
  {
    $id: 'CheckTemplate',
    examples: [{ subject: 'Your order', html: '<p>Thank you, {{name}}</p>', data: { name: 'Ada' } }],
  },
);

const templateChecks = Type.Object(
  {
    ...contentChecks,
    checked_links: nullable(checkedLinks),
  },
  { $id: 'TemplateChecks' },
);

interface TemplateCheckDeps {
  readonly service: Pick<TemplateService, 'validate'>;
  readonly links: Pick<LinkChecks, 'check'>;
}

export function templateCheckRoutes({ service, links: checks }: TemplateCheckDeps): ApiRoutes {
  return async (app) => {
    app.post(
      '/templates/check',
      {
        config: { reads: true, tied: true, errors: ['RATE_LIMITED'] },
        schema: {
          tags: ['Templates'],
          summary: 'Check a template against mail clients and spam filters',
          description:
            'Renders the template with `data` without saving it. Returns problems with spam filters and readers, html that mail clients do not support, and the links.',
          body: checkBody,
          response: { 200: dataOf(templateChecks) },
        },
      },
      async ({ principal, body: { check_links, ...body } }) => {
        const { subject, html, text } = await service.validate(principal.organizationId, body);
        const found = await checkContent({ subject, html, text });
        const checked = check_links ? await checks.check(principal.organizationId, found.links) : null;
        return { data: { ...checksView(found), checked_links: checked?.map(checkedLinkView) ?? null } };
      },
    );
  };
}
