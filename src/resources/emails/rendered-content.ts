/** The html and text of an email, however they are stored: as given, or as a template's version and data. */
import { type ContentResult, renderContent } from '../templates/language/render.ts';
import type { TemplateProblem } from '../templates/language/tree.ts';
import type { SavedTemplate, TemplateLibrary } from '../templates/library.ts';
import { patiently } from '../templates/patiently.ts';

export interface StoredContent {
  readonly html: string | null;
  readonly text: string | null;
  readonly template_id: string | null;
  readonly template_version: number | null;
  readonly template_data: Readonly<Record<string, unknown>> | null;
}

export type Rendered =
  | { readonly kind: 'content'; readonly html: string | null; readonly text: string | null }
  /** The template is not there. */
  | { readonly kind: 'gone' }
  /** It was accepted, and the limits are narrower than they were then. Trying again changes nothing. */
  | { readonly kind: 'unrenderable'; readonly message: string };

export async function renderedContent(
  templates: TemplateLibrary,
  organizationId: string,
  stored: StoredContent,
): Promise<Rendered> {
  const { html, text, template_id: id, template_version: version } = stored;
  if (id === null || version === null) return { kind: 'content', html, text };
  const saved = await templates.version(organizationId, id, version);
  return saved === null ? { kind: 'gone' } : renderSaved(saved, stored.template_data ?? {});
}

async function renderSaved(saved: SavedTemplate, data: Readonly<Record<string, unknown>>): Promise<Rendered> {
  if (!saved.ok) return { kind: 'unrenderable', message: brokenText(saved.errors) };
  const rendered = await patiently(() => renderContent(saved.template, data), isLate);
  if (!rendered.ok) return { kind: 'unrenderable', message: rendered.problem.message };
  return { kind: 'content', html: rendered.html, text: rendered.text };
}

export function brokenText([first]: readonly TemplateProblem[]): string {
  return first ? `${first.part}, line ${first.line}: ${first.message}` : 'It does not compile.';
}

function isLate(result: ContentResult): boolean {
  return !result.ok && result.problem.limit === 'time';
}
