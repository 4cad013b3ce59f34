/** From a saved template and data to what an email needs of it. Rendered once here, to be sure that it can be. */
import type { Problem } from '../../http/errors.ts';
import { isBlank } from '../../message/subject.ts';
import { applyVariableSchema } from '../templates/language/apply-schema.ts';
import {
  dataProblem,
  type RenderProblem,
  renderContent,
  renderPart,
  type TemplateData,
} from '../templates/language/render.ts';
import type { CompiledPart } from '../templates/language/template.ts';
import type { SendableTemplate } from '../templates/library.ts';
import type { TemplateUse } from './email.ts';

export type Filled =
  | { readonly ok: true; readonly subject: string; readonly template: TemplateUse }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** `subject`, where given, wins over the template's own. `field` is what the data is called in the request. */
export function fillTemplate(
  template: SendableTemplate,
  subject: CompiledPart | null,
  given: TemplateData,
  field: string,
): Filled {
  const wrong = dataProblem(given);
  if (wrong !== null) return refusal(field, wrong);
  const applied = applyVariableSchema(template.variableSchema, given, field);
  if (!applied.ok) return applied;
  // Defaults count as data: they are stored and rendered with every mail.
  const grown = applied.data === given ? null : dataProblem(applied.data);
  if (grown !== null) return refusal(field, grown);
  const content = renderContent(template.compiled, applied.data);
  if (!content.ok) return refusal(field, content.problem);
  const own = subject === null ? null : renderPart(subject, applied.data);
  if (own?.ok === false) return refusal('subject', own.problem);
  const rendered = own?.output ?? content.subject ?? '';
  if (isBlank(rendered)) return blankSubject();
  const renderedChars = (content.html?.length ?? 0) + (content.text?.length ?? 0);
  return {
    ok: true,
    subject: rendered,
    template: { id: template.id, version: template.version, data: applied.data, renderedChars },
  };
}

function blankSubject(): Filled {
  return { ok: false, problems: [{ field: 'subject', message: 'renders to nothing with this data' }] };
}

function refusal(field: string, { path, message }: RenderProblem): Filled {
  return { ok: false, problems: [{ field: path === null ? field : `${field}.${path}`, message }] };
}
