/** What a template is for: to be sent, or to be put together with others. Never changes. */
export const TEMPLATE_KINDS = ['template', 'layout', 'partial'] as const;
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];
