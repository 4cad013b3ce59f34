/** The API reference, as pages of the site, and the addresses that its endpoints had before there was one. */
import { apiDocument } from '../../sdk/scripts/api-document.ts';
import { type Document, endpointsByTag } from '../../src/http/docs-document.ts';
import { slugOf } from '../reference/markdown.ts';
import { titleOf } from '../reference/operation.ts';
import { referencePages } from '../reference/pages.ts';
import type { Page } from './page.ts';

export interface Reference {
  readonly pages: readonly Page[];
  /** By what an endpoint was called on the one page of before: `reference/emails#send-an-email`, a page and its heading. */
  readonly operations: ReadonlyMap<string, string>;
}

export async function readReference(): Promise<Reference> {
  const document = (await apiDocument()) as unknown as Document;
  const errorLink = (code: string) => `../reference/errors.md#${code.toLowerCase()}`;
  const pages = referencePages(document, { errorLink }).map((page) => ({
    ...page,
    source: `docs/${page.path}.md`,
  }));
  const operations = [...endpointsByTag(document)].flatMap(([tag, endpoints]) =>
    endpoints.map(({ method, path, operation }): [string, string] => [
      `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+/g, '_')}`,
      `reference/${slugOf(tag)}#${slugOf(titleOf(operation))}`,
    ]),
  );
  return { pages, operations: new Map(operations) };
}
