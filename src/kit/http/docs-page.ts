/**
 * The API reference at /docs/reference: one page, rendered here from the OpenAPI document. No script, nothing from outside;
 * the usual viewers are megabytes of script and dozens of packages for what a page of HTML does.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../escape-html.ts';
import {
  type Document,
  type Endpoint,
  endpointsByTag,
  jsonSchemaOf,
  type Operation,
} from './docs-document.ts';
import { curlFor } from './docs-example.ts';
import { type Field, fieldsOf, rulesOf, typeOf } from './docs-fields.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { openApiDocument } from './openapi.ts';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(DOCS_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function registerDocs(app: FastifyInstance): void {
  let page: string | undefined;
  app.get('/docs/reference', async (_request, reply) => {
    page ??= renderDocs(openApiDocument(app));
    return reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
      .send(page);
  });
}

export function renderDocs(document: Document): string {
  const groups = [...endpointsByTag(document)];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(document.info.title)}</title>
<style>${DOCS_STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the reference</a>
<nav aria-label="Endpoints">${groups.map(([tag, endpoints]) => renderGroupLinks(tag, endpoints)).join('')}</nav>
<main id="content">
<h1>${escapeHtml(document.info.title)} <small>${escapeHtml(document.info.version)}</small></h1>
<p>${prose(document.info.description ?? '')}</p>
<p>Base address: <code>${escapeHtml(document.servers?.[0]?.url ?? '')}</code>.
The same as a document for machines: <a href="/openapi.json">/openapi.json</a>.</p>
${groups.map(([tag, endpoints]) => renderGroup(tag, endpoints, document)).join('\n')}
</main>
</body>
</html>`;
}

function renderGroupLinks(tag: string, endpoints: readonly Endpoint[]): string {
  const links = endpoints.map(
    ({ method, operation }) =>
      `<li><a href="#${escapeHtml(operation.operationId)}">${badge(method)} ${escapeHtml(titleOf(operation))}</a></li>`,
  );
  return `<h2>${escapeHtml(tag)}</h2><ul>${links.join('')}</ul>`;
}

function renderGroup(tag: string, endpoints: readonly Endpoint[], document: Document): string {
  const sections = endpoints.map((endpoint) => renderEndpoint(endpoint, document));
  return `<section class="group"><h2>${escapeHtml(tag)}</h2>${sections.join('\n')}</section>`;
}

function renderEndpoint(endpoint: Endpoint, document: Document): string {
  const { method, path, operation } = endpoint;
  const id = escapeHtml(operation.operationId);
  return `<article id="${id}">
<h3>${escapeHtml(titleOf(operation))} <a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(titleOf(operation))}">#</a></h3>
<p class="line">${badge(method)} <code>${escapeHtml(path)}</code></p>
${operation.deprecated ? '<p><strong>Deprecated.</strong></p>' : ''}
<p>${prose(operation.description ?? '')} ${whoMay(operation)}</p>
${renderParameters(operation, document)}
${renderBody(operation, document)}
${renderResponses(operation, document)}
<details><summary>Example</summary><pre tabindex="0"><code>${escapeHtml(curlFor(endpoint, document))}</code></pre></details>
</article>`;
}

function whoMay(operation: Operation): string {
  if (operation.security?.length === 0) return 'No key needed.';
  if (operation['x-access'] === 'owner') return 'Owners of the organization, signed in.';
  if (operation['x-access'] === 'operator')
    return 'Operators of the installation: owners of its first organization, signed in.';
  if (operation['x-access'] === 'self') return 'Whoever is signed in.';
  const scopes = (operation['x-scopes'] ?? []).map((scope) => `<code>${escapeHtml(scope)}</code>`).join(', ');
  return `Keys with scope ${scopes}${operation['x-tied'] ? '' : ', not tied to a domain'}.`;
}

function renderParameters({ parameters = [] }: Operation, document: Document): string {
  const fields = parameters.map(
    ({ name, in: place, required = false, description = '', schema = {} }): Field => {
      const where = place === 'path' ? ['in the path'] : [];
      const rules = [...where, ...rulesOf(schema)];
      return { path: name, depth: 0, type: typeOf(schema, document), required, description, rules };
    },
  );
  return renderFields('Parameters', fields);
}

function renderBody(operation: Operation, document: Document): string {
  const schema = jsonSchemaOf(operation.requestBody);
  return schema ? renderFields('Body', fieldsOf(schema, document)) : '';
}

function renderResponses({ responses = {} }: Operation, document: Document): string {
  const entries = Object.entries(responses);
  const good = entries.filter(([status]) => status < '400');
  const bad = entries.filter(([status]) => status >= '400');
  const errors = bad.map(
    ([status, { description = '' }]) =>
      `<dt>${escapeHtml(status)}</dt>${description
        .split('\n')
        .map((line) => `<dd>${prose(line.replace(/^([A-Z_]+):/, '`$1`'))}</dd>`)
        .join('')}`,
  );
  const shown = good.map(([status, response]) => {
    const schema = jsonSchemaOf(response);
    return renderFields(`Response ${status}`, schema ? fieldsOf(schema, document) : []);
  });
  return `${shown.join('')}<details><summary>Errors</summary><dl>${errors.join('')}</dl></details>`;
}

function renderFields(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    (field) => `<tr><td class="d${field.depth}"><code>${escapeHtml(field.path)}</code></td>
<td>${escapeHtml(field.type)}${field.required ? ' <b>required</b>' : ''}</td>
<td>${prose([field.description, field.rules.join('; ')].filter(Boolean).join(' '))}</td></tr>`,
  );
  return `<h4>${escapeHtml(title)}</h4><div class="scroll"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th>
<th scope="col">Notes</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function titleOf(operation: Operation): string {
  return operation.summary ?? operation.operationId;
}

function badge(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${escapeHtml(method)}</span>`;
}

/** Text with \`code\` in it. */
function prose(text: string): string {
  return escapeHtml(text).replaceAll(/&#x60;(.+?)&#x60;/g, '<code>$1</code>');
}
