/** The html and text of an email, however they are stored: as given, or as a template's version and data. */
import { renderContent } from '../templates/language/render.ts';
import type { TemplateLibrary } from '../templates/library.ts';

export interface StoredContent {
  readonly html: string | null;
  readonly text: string | null;
  readonly template_id: string | null;
  readonly template_version: number | null;
  readonly template_data: Readonly<Record<string, unknown>> | null;
}

/** Null when the template cannot be found or rendered any more, which accepting has made sure of. */
export async function renderedContent(
  templates: TemplateLibrary,
  organizationId: string,
  stored: StoredContent,
): Promise<{ html: string | null; text: string | null } | null> {
  const { html, text, template_id: id, template_version: version } = stored;
  if (id === null || version === null) return { html, text };
  const compiled = await templates.version(organizationId, id, version);
  const rendered = compiled && renderContent(compiled, stored.template_data ?? {});
  return rendered?.ok ? { html: rendered.html, text: rendered.text } : null;
}
