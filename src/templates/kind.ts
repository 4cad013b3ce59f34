/** A template is sent; layouts and partials are included in templates. The kind never changes. */
export const TEMPLATE_KINDS = ['template', 'layout', 'partial'] as const;
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];
