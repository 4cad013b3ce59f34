import type { Page, Request } from 'playwright-core';
import { until } from '../support/until.ts';

/** The live stream of a tab, which never ends. */
export const isStream = (request: { url(): string }) => request.url().endsWith('/events/changes');

/** The requests of a page for data, except for its stream. */
export class Requests {
  paths: string[] = [];
  readonly #open = new Set<Request>();

  constructor(page: Page) {
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (!pathname.startsWith('/api/') || isStream(request)) return;
      this.paths.push(pathname + search);
      this.#open.add(request);
    });
    page.on('requestfinished', (request) => this.#open.delete(request));
    page.on('requestfailed', (request) => this.#open.delete(request));
  }

  forget(): void {
    this.paths = [];
  }

  async settled(): Promise<void> {
    await until(() => this.#open.size === 0);
  }
}
